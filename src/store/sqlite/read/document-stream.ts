import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { SqlFragment } from '../../../query/sql/sql-fragment.ts'
import type { Connection } from '../database.ts'
import { targetOf } from './compile-target.ts'
import { ENDLESS_EFFORT } from './effort.ts'
import { compareRecords, inNaturalOrder, type SortedRecord } from './filter-first.ts'
import { Matcher } from './matcher.ts'
import { projectionOf } from './page-documents.ts'
import { createReader, type Reader } from './reader.ts'
import type { Target } from './target.ts'
import { walkOf } from './walk.ts'

/** A chunk is sent when it has this many bytes, */
const CHUNK_BYTES = 256 * 1024
/** or when it has been gathered for this long, so that other work on the thread gets its turn. */
const SLICE_MS = 20

/**
 * Reads all that a plan matches as chunks of NDJSON lines, from the state of the database at the start. The connection
 * is the stream's own. An empty chunk only says that the search goes on.
 */
export function* streamDocuments(connection: Connection, plan: QueryPlan): Generator<Uint8Array, void> {
  connection.exec('BEGIN')
  const reader = createReader(connection)
  const textOf = projectionOf(reader, plan)
  const matcher = new Matcher(reader, plan, ENDLESS_EFFORT)
  let lines: string[] = []
  let bytes = 0
  let sliceEnd = performance.now() + SLICE_MS
  for (const n of matchingRecords(matcher, plan, reader)) {
    if (n !== null) {
      const line = textOf(n)
      lines.push(line, '\n')
      bytes += line.length
    }
    if (bytes < CHUNK_BYTES && performance.now() < sliceEnd) continue
    yield Buffer.from(lines.join(''))
    lines = []
    bytes = 0
    sliceEnd = performance.now() + SLICE_MS
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''))
}

/** Yields the numbers of matching records; null for each record that does not match, so that the caller sees time pass. */
function* matchingRecords(
  matcher: Matcher,
  plan: QueryPlan,
  reader: ReturnType<typeof createReader>,
): Generator<number | null, void> {
  const target = targetOf(reader, plan, ENDLESS_EFFORT)
  if (target === null) return
  const { selection } = target
  const sorted: SortedRecord[] = []
  for (const row of reader.statements.rows(candidatesInOrder(reader, target))) {
    const { n } = row as { n: number }
    if (plan.sort.length === 0) {
      yield matcher.acceptsRecord(n, selection.exact) ? n : null
      continue
    }
    const document = matcher.read(n)
    if (matcher.accepts(document, selection.exact)) sorted.push({ n, key: sortKeyOf(document, plan.sort) })
    yield null
  }
  for (const record of sorted.sort(compareRecords(plan))) yield record.n
}

/** All records are in natural order by their own index; to sort a million row numbers would take their memory. */
function candidatesInOrder(reader: Reader, target: Target): SqlFragment {
  const { selection, everything } = target
  const walk = selection.rows === everything.rows ? walkOf(reader, [], target, null, null) : null
  return walk === null ? inNaturalOrder(selection) : walk.rows(null, Number.POSITIVE_INFINITY)
}
