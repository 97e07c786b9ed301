import { assertMayWrite } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { countReport, type ImportReport, noTotals } from '../../records/import/import-item.ts'
import { importRecords } from '../../records/import/import-records.ts'
import { readImportItems } from '../../records/import/read-import-items.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { exportRecords } from '../../records/use-cases/read-records.ts'
import { listWarnings } from '../../records/warnings/field-guide.ts'
import { holdPlace } from '../bounds/held.ts'
import { collectionOf, sessionOf } from '../exchange/context.ts'
import { LINES_TYPE } from '../exchange/head.ts'
import { contentResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { COLUMNS, exportQuery, TABLE_FORMAT } from '../openapi/list-parameters.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { bodyLines } from '../request/arriving-body.ts'
import { duplicateOptions, ON_DUPLICATE_PARAMETER, SKIP_SAME_PARAMETER } from '../request/body.ts'
import { readParameters } from '../request/parameters.ts'
import { KEY_PARAMETERS, readKey } from '../request/record-key.ts'
import { readLinesRequest } from '../request/search-body.ts'
import { linesResponse, packingOf } from '../response/stream.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { namesOf } from './collection.ts'

/** Reports that wait for a client which sends all before it reads anything; beyond it, no more records are taken. */
const WAITING_BYTES = 4 * 1024 * 1024

const REPORT = object(
  {
    line: { type: 'integer' },
    outcome: { enum: ['stored', 'updated', 'skipped', 'refused'] },
    _id: TEXT,
    sameAs: listOf({ type: 'object' }),
    withoutSymmetry: TEXT,
    warnings: listOf({ type: 'object' }),
    error: { type: 'object' },
  },
  ['_id', 'sameAs', 'withoutSymmetry', 'warnings', 'error'],
)

/** Takes records of one kind, one a line, and tells of each what became of it, while the rest is still arriving. */
export function bulkImportRoute({ records }: HttpServices, settings: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many } = namesOf(kind)
  return {
    method: 'POST',
    path: `${path}/bulk`,
    access: 'session',
    // Ids follow from what is sent: nothing is stored twice.
    repeats: 'needless',
    operation: {
      id: `import${Many}InBulk`,
      tag,
      summary: `Create ${many} in your account, one a line`,
      description:
        'Answers with a line for each record, in their order, while the body is still arriving; and at the end with a ' +
        'line {"stored", "skipped", "refused", "withoutSymmetry"}, which an answer that broke off does not have. A record that is refused ' +
        'does not stop the others. What is there already is skipped, so what broke off is simply sent again. ' +
        'The body may be compressed with Content-Encoding: gzip.',
      query: [...KEY_PARAMETERS, ON_DUPLICATE_PARAMETER, ...(kind.likeness === undefined ? [] : [SKIP_SAME_PARAMETER])],
      body: { schema: TEXT, isLines: true },
      success: { description: 'A report a line.', schema: REPORT, types: [LINES_TYPE] },
      failures: [403],
    },
    handler: (context) => {
      const session = sessionOf(context)
      assertMayWrite(session)
      const parameters = readParameters(context.query)
      const key = readKey(parameters.get('key'), parameters.get('onMatch'), settings.bounds)
      const options = { kind, ...duplicateOptions(parameters, kind, KEY_PARAMETERS), ...(key === null ? {} : { key }) }
      const items = readImportItems(bodyLines(context), records.work.limits.bytes)
      holdPlace('imports', context)
      const noteBreak = (error: AppError) => context.server.noteBrokenOff(error, context)
      const lines = reports(importRecords(records, session, items, options), noteBreak)
      return { ...contentResponse(`${LINES_TYPE}; charset=utf-8`, lines), readAhead: WAITING_BYTES }
    },
  }
}

/**
 * A line for each record. A body that cannot be read on has a line of its own at the end, before the totals of what came before it. A
 * store that takes no more has one that holds them, in their place: such an answer is not complete, and what it does not report is not
 * stored.
 */
async function* reports(
  results: AsyncIterable<ImportReport>,
  noteBreak: (error: AppError) => void,
): AsyncGenerator<string> {
  const totals = noTotals()
  try {
    for await (const { collection: _collection, ...report } of results) {
      countReport(totals, report)
      yield `${JSON.stringify(report)}\n`
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, status, message, data } = error
    const broken = { outcome: 'broken', error: { code, message, data } }
    if (status >= 500) {
      yield `${JSON.stringify({ ...broken, ...totals })}\n`
      return noteBreak(error)
    }
    yield `${JSON.stringify(broken)}\n`
  }
  yield `${JSON.stringify(totals)}\n`
}

/** All records of a kind that match, however many. */
export function exportRecordsRoute({ records }: HttpServices, settings: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many } = namesOf(kind)
  return {
    method: 'GET',
    path: `${path}/export`,
    access: 'session',
    answersHead: false,
    operation: {
      id: `export${Many}`,
      tag,
      summary: `Read all ${many} that match, however many`,
      description:
        'As NDJSON, which an import takes; with format=csv, the fields that columns names as a table. Each record comes once, as it is when its turn comes; what is added meanwhile is not in it.',
      query: [...exportQuery(kind), TABLE_FORMAT, COLUMNS],
      success: { description: 'A record a line.', schema: TEXT, types: [LINES_TYPE, 'text/csv', 'application/gzip'] },
    },
    handler: async (context) => {
      const parameters = new Map(readParameters(context.query))
      const packing = packingOf(context, parameters)
      parameters.delete('gzip')
      const { asked, columns, warned } = readLinesRequest(parameters, settings, kind)
      const collection = collectionOf(context, records, kind)
      holdPlace('exports', context)
      const lines = exportRecords(collection, asked)
      const warnings = (isEmpty: boolean) => listWarnings(collection, warned, isEmpty)
      return linesResponse({ name: many, packing, lines, columns, warnings })
    },
  }
}
