import { findNumbers } from '../../../engine/find-page.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import { ENDLESS_EFFORT } from '../../segments/effort.ts'
import { lineMaker } from '../../segments/export-line.ts'
import type { Sql } from '../base/database.ts'
import { ofEachHome } from '../base/each-home.ts'
import { numberIn, type RawRow } from '../base/raw-rows.ts'
import { homesOf } from './homes.ts'
import { engineQuestion } from './read-page.ts'
import { ask, type Reader } from './reader.ts'

/** Records that are read with one statement. */
const READ_TOGETHER = 256
/** A chunk that is handed on has about so many bytes. */
const CHUNK_BYTES = 512 * 1024

/** What an export has to tell of: the numbers of all that matched, in the order of the plan, and how far the homes were then. */
interface Start {
  readonly numbers: Float64Array
  readonly versions: ReadonlyMap<string, number>
}

/**
 * Reads all that a plan matches as chunks of NDJSON lines. Nothing is held meanwhile but numbers: each record comes as it is when its turn comes, and is
 * left out when it does not match any more. `hold` hears how many bytes the numbers take, and refuses by throwing.
 */
export async function* exportRecords(
  reader: Reader,
  plan: QueryPlan,
  hold: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const { numbers, versions } = await beginExport(reader, plan)
  hold(numbers.byteLength)
  const [sure, doubtful] = [lineMaker(plan, true), lineMaker(plan, false)]
  let lines: Buffer[] = []
  let bytes = 0
  for (let at = 0; at < numbers.length; at += READ_TOGETHER) {
    for (const found of await readTexts(reader.sql, plan, Array.from(numbers.subarray(at, at + READ_TOGETHER)))) {
      const isUnchanged = found.stamp <= (versions.get(found.home) ?? -1)
      const line = (isUnchanged ? sure : doubtful)(found.text)
      if (line === null) continue
      lines.push(line)
      bytes += line.length
    }
    if (bytes < CHUNK_BYTES) continue
    yield Buffer.concat(lines)
    lines = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(lines)
}

function beginExport(reader: Reader, plan: QueryPlan): Promise<Start> {
  return ask(reader, { ...plan, fields: null }, ENDLESS_EFFORT, async (question) => {
    const { homes, views } = question.shelves
    const numbers = await question.work(findNumbers({ ...engineQuestion(question), sort: plan.sort }))
    return { numbers, versions: new Map(homes.map((home, place) => [home, views[place]?.version ?? 0])) }
  })
}

interface Found {
  readonly home: string
  readonly stamp: number
  readonly text: Buffer
}

/** The records of some numbers that the requester sees, in the order of these. */
async function readTexts(sql: Sql, { collection, scope }: QueryPlan, numbers: number[]): Promise<readonly Found[]> {
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
