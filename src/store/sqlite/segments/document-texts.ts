import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { Connection } from '../database.ts'
import type { Effort } from '../read/effort.ts'
import { damageMet } from '../storage-fault.ts'
import { type RecordText, type RecordTexts, recordTexts } from './record-texts.ts'

/** What an entry takes beside its bytes. */
const ENTRY_BYTES = 128
/** Texts that are read together. */
const READ_TOGETHER = 64

/** The texts of records by their numbers, as the bytes that are sent; those that were not asked for longest go first. */
export class DocumentTexts {
  readonly #kept: BoundedCache<Buffer, number>
  readonly #texts: RecordTexts
  readonly #sum

  constructor(connection: Connection, bytes: number) {
    this.#kept = new BoundedCache({ most: bytes })
    this.#texts = recordTexts(connection)
    this.#sum = connection
      .prepare<[string], number>(
        'SELECT sum(octet_length(doc)) FROM record WHERE n IN (SELECT value FROM json_each(?))',
      )
      .pluck()
  }

  /** Gives the texts of records one after the other, in the order of their numbers; those that are not at hand are read together. */
  *of(numbers: readonly number[], effort: Effort): Generator<Buffer, void> {
    for (let at = 0; at < numbers.length; at += READ_TOGETHER) {
      const some = numbers.slice(at, at + READ_TOGETHER)
      const read = this.#readSome(some.filter((n) => !this.#kept.has(n)))
      for (const n of some) yield this.#kept.get(n) ?? this.#textOf(n, read.get(n), effort)
    }
  }

  /** How many bytes the texts of records have in all. */
  lengthOf(numbers: readonly number[]): number {
    return this.#sum.get(JSON.stringify(numbers)) ?? 0
  }

  /** The records may have other texts by now. */
  forget(numbers: Iterable<number>): void {
    if (this.bytes === 0) return
    for (const n of numbers) this.#kept.delete(n)
  }

  get bytes(): number {
    return this.#kept.weight
  }

  #readSome(numbers: readonly number[]): ReadonlyMap<number, RecordText> {
    if (numbers.length === 0) return NONE
    return new Map(this.#texts.read(numbers).map((record) => [record.n, record]))
  }

  #textOf(n: number, read: RecordText | undefined, effort: Effort): Buffer {
    const { length, text } = read ?? this.#readSome([n]).get(n) ?? missing(n)
    if (text !== null) {
      this.#kept.set(n, text, ENTRY_BYTES + length)
      return text
    }
    effort.assertFits(length, () => length)
    return this.#texts.readLarge(n) ?? missing(n)
  }
}

const NONE: ReadonlyMap<number, RecordText> = new Map()

function missing(n: number): never {
  throw damageMet(`A segment names record ${n}, which does not exist.`)
}
