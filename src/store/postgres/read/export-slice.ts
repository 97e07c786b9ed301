import { findNumbers } from '../../../engine/find-page.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import { lineMaker } from '../../segments/write-documents.ts'
import type { ExportSlice, ExportStart } from '../../threads/read-job.ts'
import { numberIn, type RawRow, type Sql } from '../base/database.ts'
import { ofEachHome } from '../base/each-home.ts'
import { homesOf } from './homes.ts'
import type { State } from './read-job.ts'
import { engineQuestion } from './read-page.ts'
import { ask, type Reader } from './reader.ts'
import type { PatientEffort } from './within.ts'

/** Records that are read with one statement. */
const READ_TOGETHER = 256
/** A slice ends when it has so many bytes, */
const SLICE_BYTES = 512 * 1024
/** or has taken so long, so that other work on the thread gets its turn. */
const SLICE_MS = 20

/** Finds what an export has to tell of. Nothing of it is held until its end: each slice sees what there is by then. */
export function beginExport(reader: Reader, plan: QueryPlan, effort: PatientEffort): Promise<ExportStart<State>> {
  return ask(reader, { ...plan, fields: null }, effort, async (question) => {
    const { homes, views } = question.shelves
    const numbers = await question.work(findNumbers({ ...engineQuestion(question), sort: plan.sort }))
    return { numbers, state: new Map(homes.map((home, place) => [home, views[place]?.version ?? 0])) }
  })
}

/** Reads on. What no longer matches by now, or is no longer there, is left out. */
export async function readSlice(
  { sql }: Pick<Reader, 'sql'>,
  plan: QueryPlan,
  { numbers, state }: ExportStart<State>,
): Promise<ExportSlice> {
  const end = performance.now() + SLICE_MS
  const [sure, doubtful] = [lineMaker(plan, true), lineMaker(plan, false)]
  const lines: Buffer[] = []
  let bytes = 0
  let done = 0
  while (done < numbers.length && bytes < SLICE_BYTES && performance.now() < end) {
    const some = Array.from(numbers.subarray(done, done + READ_TOGETHER))
    for (const { home, stamp, text } of await readTexts(sql, plan, some)) {
      const isUnchanged = stamp <= (state.get(home) ?? -1)
      const line = (isUnchanged ? sure : doubtful)(text)
      if (line === null) continue
      lines.push(line)
      bytes += line.length
    }
    done += some.length
  }
  return { bytes: Buffer.concat(lines), done }
}

interface ExportRow {
  readonly home: string
  readonly stamp: number
  readonly text: Buffer
}

/** The records of some numbers that the requester sees, in the order of these. */
async function readTexts(sql: Sql, { collection, scope }: QueryPlan, numbers: number[]): Promise<readonly ExportRow[]> {
  const homes = homesOf(scope)
  const rows = (await (homes === null
    ? sql`
        SELECT found.* FROM home CROSS JOIN unnest(${numbers}::bigint[]) asked (n) CROSS JOIN LATERAL (
          SELECT n, home, stamp, doc FROM record
          WHERE record.home = home.home AND collection = ${collection} AND record.n = asked.n LIMIT 1
        ) found`.raw()
    : ofEachHome(homes, (home) =>
        sql`
          SELECT found.* FROM unnest(${numbers}::bigint[]) asked (n) CROSS JOIN LATERAL (
            SELECT n, home, stamp, doc FROM record
            WHERE home = ${home} AND collection = ${collection} AND record.n = asked.n LIMIT 1
          ) found`.raw(),
      ))) as unknown as readonly RawRow[]
  const found = new Map(
    rows.map((row) => [numberIn(row, 0), { home: String(row[1]), stamp: numberIn(row, 2), text: row[3] as Buffer }]),
  )
  return numbers.flatMap((n) => found.get(n) ?? [])
}
