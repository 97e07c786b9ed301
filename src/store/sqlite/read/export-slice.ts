import { findNumbers } from '../../../engine/find-page.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import { upgradingError } from '../../errors.ts'
import type { Effort } from '../../segments/effort.ts'
import { drive, questionOf } from '../../segments/find-records.ts'
import { lineMaker } from '../../segments/write-documents.ts'
import type { ExportSlice, ExportStart } from '../../threads/read-job.ts'
import { inSnapshot } from '../base/database.ts'
import { recordTexts } from '../base/record-rows.ts'
import type { State } from './read-job.ts'
import type { Reader } from './reader.ts'

/** A slice ends when it has so many bytes, */
const SLICE_BYTES = 512 * 1024
/** or has taken so long, so that other work on the thread gets its turn. */
const SLICE_MS = 20
const READ_TOGETHER = 64

/** Finds what an export has to tell of. Nothing of it is held until its end: each slice sees what there is by then. */
export function beginExport(reader: Reader, plan: QueryPlan, effort: Effort): ExportStart<State> {
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(plan, effort)
    if (shelves.some(({ backlog }) => backlog !== null)) throw upgradingError('exports')
    reader.columns.begin(effort)
    const tools = { texts: reader.texts, selections: reader.selections, effort, extra: [] }
    const work = findNumbers({ ...questionOf(shelves, plan.filter, tools), sort: plan.sort })
    return { numbers: drive(work, { ...tools, filter: plan.filter }), state: reader.changesOf(plan.scope) }
  })
}

/** Reads on, from one state of the database. What no longer matches by now, or is no longer there, is left out. */
export function readSlice(reader: Reader, plan: QueryPlan, { numbers, state }: ExportStart<State>): ExportSlice {
  return inSnapshot(reader.connection, () => {
    const lineOf = lineMaker(plan, reader.changesOf(plan.scope) === state)
    const end = performance.now() + SLICE_MS
    const lines: Buffer[] = []
    let bytes = 0
    let done = 0
    for (const text of textsOf(reader, plan, numbers)) {
      const line = text === null ? null : lineOf(text)
      if (line !== null) {
        lines.push(line)
        bytes += line.length
      }
      done += 1
      if (bytes >= SLICE_BYTES || performance.now() >= end) break
    }
    return { bytes: Buffer.concat(lines), done }
  })
}

/** The texts of records, null for one that the requester does not see any more; large ones are read when it is their turn. */
function* textsOf(
  { connection, names }: Reader,
  { scope }: QueryPlan,
  numbers: Float64Array,
): Generator<Buffer | null> {
  const texts = recordTexts(connection)
  for (let at = 0; at < numbers.length; at += READ_TOGETHER) {
    const some = numbers.subarray(at, at + READ_TOGETHER)
    const found = new Map(texts.read(some).map((record) => [record.n, record]))
    for (const n of some) {
      const record = found.get(n)
      const isSeen = record !== undefined && names.sees(scope, record.scope)
      yield isSeen ? (record.text ?? texts.readLarge(n)) : null
    }
  }
}
