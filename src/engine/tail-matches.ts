import type { FilterNode } from '../query/ast/filter.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import { matcherOf } from '../query/filter/match.ts'
import { sortKeyOf } from '../query/order/sort-key.ts'
import { compareRecords, type MatchingTail, type SortedRecord, type TailRecord } from './page-documents.ts'

interface Order {
  readonly of: readonly TailRecord[]
  readonly sort: readonly SortKey[]
  readonly records: readonly SortedRecord[]
}

interface Judging {
  /** Matches of the same tail before it changed; records still there are not held against the filter again. */
  readonly before: TailMatches | null
  /** Is called before a record is held against the filter. */
  readonly spend: (record: TailRecord) => void
}

/** Records of a tail that match a filter, and their order in the last sort. They never change: another version is another record. */
export class TailMatches implements MatchingTail {
  readonly records: readonly TailRecord[]
  /** All that have been judged, and when the last of them came. */
  readonly of: readonly TailRecord[]
  readonly #lastArrival: number
  #order: Order | null

  constructor(tail: readonly TailRecord[], filter: FilterNode, { before, spend }: Judging) {
    const matches = matcherOf(filter)
    const matched = new Set(before?.records)
    const isJudged = finderOf(before === null ? NOTHING_JUDGED : { judged: before.of, last: before.#lastArrival })
    let last = before === null ? -1 : before.#lastArrival
    this.records = tail.filter((record) => {
      if (isJudged(record)) return matched.has(record)
      if (record.arrival > last) last = record.arrival
      spend(record)
      return matches(record.document)
    })
    this.of = tail
    this.#lastArrival = last
    this.#order = before === null ? null : before.#order
  }

  inOrder(sort: readonly SortKey[]): readonly SortedRecord[] {
    const known = this.#order !== null && isSame(this.#order.sort, sort) ? this.#order : null
    if (known !== null && known.of === this.records) return known.records
    const sorted = new Map(known?.records.map((one) => [tailOf(one), one]))
    const records = this.records
      .map((record) => sorted.get(record) ?? sortedRecord(record, sort))
      .sort((a, b) => compareRecords(a, b, sort))
    this.#order = { of: this.records, sort, records }
    return records
  }
}

const NOTHING_JUDGED = { judged: [], last: -1 } as const

/**
 * Tells whether each of some records, in the order of their tail, has been judged. What is left of a tail stays in its order. Two who have looked at
 * one shelf at a time have made different records of the same: what came early enough need not have been there.
 */
function finderOf({ judged, last }: { readonly judged: readonly TailRecord[]; readonly last: number }) {
  let at = 0
  return (record: TailRecord): boolean => {
    if (record.arrival > last) return false
    while (at < judged.length && judged[at] !== record) at += 1
    return at < judged.length
  }
}

function sortedRecord(record: TailRecord, sort: readonly SortKey[]): SortedRecord {
  const { home, n, document } = record
  return { key: sort.length === 0 ? [] : sortKeyOf(document, sort), record: { home, n, tail: record } }
}

function tailOf({ record }: SortedRecord): TailRecord | null {
  return 'tail' in record ? record.tail : null
}

function isSame(a: readonly SortKey[], b: readonly SortKey[]): boolean {
  if (a === b) return true
  return (
    a.length === b.length &&
    a.every(({ path, direction }, at) => path.text === b[at]?.path.text && direction === b[at]?.direction)
  )
}
