import { createHash } from 'node:crypto'
import type { FoundPage, PagePosition } from '../../engine/page-documents.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { foreignCursor, readCursor, writeCursor } from '../../query/order/cursor.ts'
import type { SortKeyValues } from '../../query/order/sort-key.ts'
import type { QueryPlan } from '../../query/plan.ts'
import { EVERY_HOME, type Listed, type NumberCipher } from '../number-cipher.ts'

const REMEMBERED = 10_000
const COLLECTION_BYTES = 3
const HOME_BYTES = 6
/** No account has a colon in its id. */
const PUBLIC = 'public:0'

const known = new BoundedCache<number>({ most: REMEMBERED })

/** Lists by numbers that follow from names, so that cursors are the same in every process, and in every store that records are moved to. */
function listedBy({ collection, scope }: Pick<QueryPlan, 'collection' | 'scope'>): Listed {
  const homes = [PUBLIC, ...(scope.kind === 'account' ? [scope.accountId] : [])]
  return {
    collection: numberOf(collection, COLLECTION_BYTES),
    homes: scope.kind === 'operator' ? [EVERY_HOME] : homes.map((home) => numberOf(home, HOME_BYTES)),
  }
}

function numberOf(name: string, bytes: number): number {
  const key = `${bytes} ${name}`
  let number = known.get(key)
  if (number === undefined) {
    number = createHash('sha256').update(name).digest().readUIntBE(0, bytes)
    known.set(key, number)
  }
  return number
}

/** Place in a list, as a cursor has it. */
export interface CursorPlace {
  /** Sort key of the last record; null when it was too long to be carried along: the record itself is asked again. */
  readonly key: SortKeyValues | null
  /** The last record, and which of the homes has it. */
  readonly n: number
  readonly home: number
  readonly numbers: readonly number[]
}

/** The place that a plan goes on behind; null for a first page. */
export function readPlace(cipher: NumberCipher, plan: QueryPlan): CursorPlace | null {
  if (plan.after === undefined || plan.after === null) return null
  const { key, place } = readCursor(plan.after, plan.sort)
  const position = cipher.readPosition(listedBy(plan), place)
  if (position === null) throw foreignCursor()
  const { numbers, home } = position
  return { key, n: numbers[home] as number, home, numbers }
}

export function positionAt(
  plan: QueryPlan,
  { numbers, n }: CursorPlace,
  key: SortKeyValues,
  homes: number,
): PagePosition {
  return { key, numbers: seesAll(plan) ? new Array<number>(homes).fill(n) : numbers }
}

/** Tells whether a plan sees all homes, and has one place in all: there can be thousands, and a record that moves to another is not new. */
export function seesAll({ scope }: QueryPlan): boolean {
  return scope.kind === 'operator'
}

/** The cursor behind a page; null where nothing is behind it. */
export function cursorBehind(cipher: NumberCipher, plan: QueryPlan, { next, records }: FoundPage): string | null {
  const last = records.at(-1)
  if (next === null || last === undefined) return null
  const position = seesAll(plan) ? { numbers: [last.n], home: 0 } : { numbers: next.numbers, home: last.home }
  return writeCursor(plan.sort, { key: next.key, place: cipher.writePosition(listedBy(plan), position) })
}
