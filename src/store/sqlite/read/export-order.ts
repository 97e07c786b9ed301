import { AppError } from '../../../kernel/errors.ts'
import { KeyBytes } from '../../../query/order/key-bytes.ts'
import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { STORE_ERRORS } from '../../errors.ts'
import { ENDLESS_EFFORT } from './effort.ts'
import { Matcher } from './matcher.ts'
import type { Reader } from './reader.ts'
import type { SliceMaker } from './slice-maker.ts'

/** Bytes of the longest key that an export can be put in order by. */
const LONGEST_KEY = 64 * 1024
const LENGTH_BYTES = 4
const NUMBER_BYTES = 6

/** Makes an entry of each record: its length, its sort key as bytes, its number, which breaks ties in natural order. */
export class EntryMaker implements SliceMaker {
  bytes = 0
  readonly #plan: QueryPlan
  readonly #matcher: Matcher
  readonly #keys = new KeyBytes(LONGEST_KEY)
  readonly #entries: Buffer[] = []

  constructor(reader: Reader, plan: QueryPlan) {
    this.#plan = plan
    this.#matcher = new Matcher(reader, plan, ENDLESS_EFFORT)
  }

  add(n: number): void {
    const { sort } = this.#plan
    const key = this.#keys.write(sortKeyOf(this.#matcher.read(n), sort), sort)
    if (key === null) throw keyTooLong()
    const entry = Buffer.allocUnsafe(LENGTH_BYTES + key.length + NUMBER_BYTES)
    entry.writeUInt32BE(key.length + NUMBER_BYTES)
    key.copy(entry, LENGTH_BYTES)
    entry.writeUIntBE(n, LENGTH_BYTES + key.length, NUMBER_BYTES)
    this.#entries.push(entry)
    this.bytes += entry.length
  }

  take(): Uint8Array {
    return Buffer.concat(this.#entries)
  }
}

/** Puts the records of entries in order. */
export function orderOf(parts: readonly Uint8Array[]): Float64Array {
  const bytes = Buffer.concat(parts)
  const ends: number[] = []
  for (let at = 0; at < bytes.length; at = ends.at(-1) ?? bytes.length) {
    ends.push(at + LENGTH_BYTES + bytes.readUInt32BE(at))
  }
  const startOf = (entry: number) => (ends[entry - 1] ?? 0) + LENGTH_BYTES
  const endOf = (entry: number) => ends[entry] as number
  const order = Uint32Array.from(ends.keys())
  order.sort((a, b) => bytes.compare(bytes, startOf(b), endOf(b), startOf(a), endOf(a)))
  return Float64Array.from(order, (entry) => bytes.readUIntBE(endOf(entry) - NUMBER_BYTES, NUMBER_BYTES))
}

function keyTooLong(): AppError {
  return new AppError(
    STORE_ERRORS.keyTooLong,
    `An export cannot be sorted by values of more than ${LONGEST_KEY} bytes, and a record has one.`,
    { path: 'projection.sort', hint: 'Leave sort out, or sort by a field with shorter values.' },
  )
}
