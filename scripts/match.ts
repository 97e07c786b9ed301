/**
 * What the language says of records that come as NDJSON: how many there are, the number of those that match, and the ids of the first.
 *
 *     quarry export --user ada --kind materials | npx tsx scripts/match.ts '{"formula":"Si"}'
 *
 * Exit code 1: no record came.
 */
import { createInterface } from 'node:readline'
import type { JsonObject } from '../src/kernel/json.ts'
import { matches } from '../src/query/filter/match.ts'
import { parseFilter } from '../src/query/filter/parse-filter.ts'
import { conclude } from './measured.ts'

const SHOWN = 20

const filter = parseFilter(JSON.parse(process.argv[2] ?? '{}'))
const ids: unknown[] = []
let [records, count] = [0, 0]
for await (const line of createInterface({ input: process.stdin })) {
  const document = JSON.parse(line) as JsonObject
  records += 1
  if (!matches(filter, document)) continue
  count += 1
  if (count <= SHOWN) ids.push(document['_id'])
}
process.stdout.write(`${JSON.stringify({ records, count, ids })}\n`)
process.exitCode = conclude(true, [{ what: 'records', count: records, least: 1 }])
