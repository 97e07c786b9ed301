import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { sql } from '../../../query/sql/sql-fragment.ts'
import { inSnapshot } from '../database.ts'
import { targetOf } from './compile-target.ts'
import { ENDLESS_EFFORT } from './effort.ts'
import { EntryMaker } from './export-order.ts'
import { inNaturalOrder } from './filter-first.ts'
import { LineMaker } from './line-maker.ts'
import { Matcher } from './matcher.ts'
import type { Reader } from './reader.ts'
import type { SliceMaker } from './slice-maker.ts'
import type { Target } from './target.ts'
import { walkOf } from './walk.ts'

/** A slice ends when it has so many bytes, */
const SLICE_BYTES = 512 * 1024
/** or has taken so long, so that other work on the thread gets its turn. */
const SLICE_MS = 20

/** Records that are still to be looked at, in the order in which they come. */
export type Candidates =
  /** All that the asker sees, in natural order, behind one number and up to another. */
  | { readonly kind: 'walk'; readonly after: number; readonly last: number }
  | { readonly kind: 'numbers'; readonly numbers: Float64Array }

/** Where an export begins. */
export interface ExportStart {
  readonly candidates: Candidates
  /** The asker's change counter then. */
  readonly changes: number
}

/** What is to be made of the records that match: lines of NDJSON, or entries by which they can be put in order. */
export type SliceMakes = 'lines' | 'keys'

/** What came of one slice. */
export interface ExportSlice {
  readonly bytes: Uint8Array
  /** What the next slice begins with; null when this was the last. */
  readonly left: Candidates | null
}

/** Finds what an export has to look at. Nothing of it is held until its end: each slice sees what there is by then. */
export function beginExport(reader: Reader, plan: QueryPlan): ExportStart {
  return inSnapshot(reader.connection, () => {
    const target = targetOf(reader, plan, ENDLESS_EFFORT)
    if (target === null) return { candidates: { kind: 'numbers', numbers: new Float64Array() }, changes: 0 }
    const { selection, everything, changes } = target
    // Of what somebody sees, the records' own index has the order; of what everybody has, it would have to be sorted for each slice.
    if (selection.rows === everything.rows && target.scopes !== null) {
      const last = (reader.statements.value(sql`SELECT max(n) FROM record`) as number | null) ?? 0
      return { candidates: { kind: 'walk', after: 0, last }, changes }
    }
    const numbers = Float64Array.from(reader.statements.column(inNaturalOrder(selection)) as number[])
    return { candidates: { kind: 'numbers', numbers }, changes }
  })
}

/** Reads on, from one state of the database. What no longer matches by now, or is no longer there, is left out. */
export function readSlice(
  reader: Reader,
  plan: QueryPlan,
  { candidates, changes }: ExportStart,
  makes: SliceMakes,
): ExportSlice {
  return inSnapshot(reader.connection, () => {
    const maker: SliceMaker = makes === 'lines' ? new LineMaker(reader, plan) : new EntryMaker(reader, plan)
    const target = targetOf(reader, plan, ENDLESS_EFFORT)
    if (target === null) return { bytes: maker.take(), left: null }
    const accepts = acceptor(reader, plan, target, { candidates, changes })
    const end = performance.now() + SLICE_MS
    let taken = 0
    for (const n of numbersOf(reader, target, candidates)) {
      taken += 1
      if (accepts(n)) maker.add(n)
      if (maker.bytes < SLICE_BYTES && performance.now() < end) continue
      return { bytes: maker.take(), left: leftOf(candidates, taken, n) }
    }
    return { bytes: maker.take(), left: null }
  })
}

/** What was selected in an earlier state is looked for and checked; what an exact selection gives in this one is right. */
function acceptor(
  reader: Reader,
  plan: QueryPlan,
  target: Target,
  { candidates, changes }: ExportStart,
): (n: number) => boolean {
  const isPresent = candidates.kind === 'walk' || target.changes === changes
  const { exact } = target.selection
  if (isPresent && exact) return () => true
  const matcher = new Matcher(reader, plan, ENDLESS_EFFORT)
  if (isPresent) return (n) => matcher.acceptsRecord(n, false)
  const scopeOf = reader.statements.prepared(
    sql`SELECT scope FROM record WHERE collection = ${target.collection} AND n = ?`,
  )
  return (n) => {
    const scope = scopeOf(n)?.[0] as number | undefined
    return (
      scope !== undefined &&
      (target.scopes === null || target.scopes.includes(scope)) &&
      matcher.acceptsRecord(n, false)
    )
  }
}

/** All records are in natural order by their own index; to sort a million row numbers would take their memory. */
function* numbersOf(reader: Reader, target: Target, candidates: Candidates): Generator<number, void> {
  if (candidates.kind === 'numbers') {
    yield* candidates.numbers
    return
  }
  const walk = walkOf(reader, [], target, { n: candidates.after, key: [] }, null)
  if (walk === null) return
  for (const row of reader.statements.rows(walk.rows(null, Number.POSITIVE_INFINITY))) {
    const { n } = row as { n: number }
    if (n > candidates.last) return
    yield n
  }
}

function leftOf(candidates: Candidates, taken: number, n: number): Candidates | null {
  if (candidates.kind === 'walk') return { ...candidates, after: n }
  return taken === candidates.numbers.length ? null : { kind: 'numbers', numbers: candidates.numbers.subarray(taken) }
}
