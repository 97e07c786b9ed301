import type { FoundPage, PagePosition } from '../../engine/page-documents.ts'
import { foreignCursor, readCursor, writeCursor } from '../../query/order/cursor.ts'
import type { SortKeyValues } from '../../query/order/sort-key.ts'
import type { QueryPlan } from '../../query/plan.ts'
import type { Listed, NumberCipher } from '../number-cipher.ts'

/** Place in a list, as a cursor has it. */
export interface CursorPlace {
  /** Sort key of the last record; null when it was too long to be carried along: the record itself is asked again. */
  readonly key: SortKeyValues | null
  /** The last record, and which of the homes has it. */
  readonly n: number
  readonly home: number
  readonly numbers: readonly number[]
}

/** The place that a plan goes on behind; null for a first page. `listed` is what the plan lists. */
export function readPlace(cipher: NumberCipher, plan: QueryPlan, listed: Listed): CursorPlace | null {
  if (plan.after === undefined || plan.after === null) return null
  const { key, place } = readCursor(plan.after, plan.sort)
  const position = cipher.readPosition(listed, place)
  if (position === null) throw foreignCursor()
  const { numbers, home } = position
  return { key, n: numbers[home] as number, home, numbers }
}

/** The place among so many homes. */
export function positionAt(
  plan: QueryPlan,
  { numbers, n }: CursorPlace,
  key: SortKeyValues,
  homes: number,
): PagePosition {
  return { key, numbers: seesAll(plan) ? new Array<number>(homes).fill(n) : numbers }
}

/**
 * Tells whether a plan sees all homes. It has one place in all: a record that goes to another is not new, and there can be thousands of homes,
 * and more before the next page.
 */
export function seesAll({ scope }: QueryPlan): boolean {
  return scope.kind === 'operator'
}

/** The cursor behind a page; null where nothing is behind it. */
export function cursorBehind(
  cipher: NumberCipher,
  plan: QueryPlan,
  listed: Listed,
  { next, records }: FoundPage,
): string | null {
  const last = records.at(-1)
  if (next === null || last === undefined) return null
  const position = seesAll(plan) ? { numbers: [last.n], home: 0 } : { numbers: next.numbers, home: last.home }
  return writeCursor(plan.sort, { key: next.key, place: cipher.writePosition(listed, position) })
}
