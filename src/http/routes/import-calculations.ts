import { assertMayWrite } from '../../accounts/session.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { reportInWordsOf } from '../../page/remedies.ts'
import { assertFileName } from '../../records/attached-files.ts'
import { importRuns, type SentRunFile, stagedAs, stageFile } from '../../records/calculations/import-runs.ts'
import { readImportItems } from '../../records/import/read-import-items.ts'
import { beginImport, type RunPortion } from '../../records/tasks/begin-import.ts'
import { readBody } from '../../records/work/client-body.ts'
import { API_PREFIX } from '../address.ts'
import { sessionOf } from '../exchange/context.ts'
import { dataResponse, dataTextResponse } from '../exchange/response.ts'
import { type Route, SMALL_BODY } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { bodyLines } from '../request/arriving-body.ts'
import { fileBody, fileName } from '../request/arriving-file.ts'
import { invalidField, pickFields, readFields } from '../request/body.ts'
import { assertNoParameters } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { begunResponse, TASK } from './bulk-change-entries.ts'

/** Calculations come as their files: each is sent by itself, and then it is said which of them are to be read. */
export function importCalculationsRoutes(services: HttpServices): readonly Route[] {
  return [stageRoute(services), stagedRoute(services), importRoute(services), beginImportRoute(services)]
}

function stageRoute({ records }: HttpServices): Route {
  return {
    method: 'PUT',
    path: `${API_PREFIX}/uploads/:name`,
    access: 'session',
    repeats: 'needless',
    takesBytes: true,
    operation: {
      id: 'putUpload',
      tag: 'Jobs',
      summary: 'Send a file of a calculation that is to be imported',
      description:
        'What broke off is gone on with by Content-Range. The ticket holds for a day; without an import nothing is kept.',
      headers: {
        'Content-Range':
          'Where the body stands in the file: bytes 1000-1999/2000; bytes */2000, without a body, when all have been sent.',
        'Content-Digest': 'The hash of the file, which is checked: sha-256=:BASE64:.',
      },
      success: {
        description: 'A ticket for the import, or how much has arrived.',
        schema: object({ name: TEXT, size: { type: 'integer' }, sha256: TEXT, ticket: TEXT }),
      },
      failures: [403, 409, 416, 422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const session = sessionOf(context)
      assertMayWrite(session)
      const arriving = fileBody(context)
      assertFileName(arriving.name)
      const staged = await stageFile({ deps: records, session }, arriving)
      return dataResponse(staged, 'arrived' in staged ? 202 : 200)
    },
  }
}

function stagedRoute({ records }: HttpServices): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/uploads/:name`,
    access: 'session',
    operation: {
      id: 'getUpload',
      tag: 'Jobs',
      summary: 'Tell how much has arrived of such a file whose sending broke off',
      success: { description: 'The number of bytes.', schema: object({ arrived: { type: 'integer' } }) },
      failures: [403],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const session = sessionOf(context)
      return dataResponse({ arrived: await records.files.arrived(stagedAs({ session }, fileName(context))) })
    },
  }
}

function importRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/jobs/import`,
    access: 'session',
    repeats: 'needless',
    operation: {
      id: 'importCalculations',
      tag: 'Jobs',
      summary: 'Read calculations from files that have been sent',
      description:
        'Finds the outputs among the files and makes of each calculation its materials, method, job and properties, and keeps the files with the job; what is there already is skipped. With dryRun it tells what it would make. A body has room for some 150 files: of more folders send one after the other, or an archive; or have them stored by POST /jobs/imports.',
      body: {
        schema: object(
          {
            files: listOf(object({ name: TEXT, ticket: TEXT })),
            dryRun: { type: 'boolean' },
            isPublic: { type: 'boolean' },
            only: {
              ...listOf(TEXT),
              description: 'Ids of the jobs that are meant, as a dry run tells them; all without it.',
            },
          },
          ['dryRun', 'isPublic', 'only'],
        ),
        example: { files: [{ name: 'Si/vasprun.xml', ticket: '…' }], dryRun: true },
      },
      success: {
        description: 'A report on each calculation, and the files that belong to none.',
        schema: object({
          calculations: listOf({ type: 'object' }),
          unused: listOf(TEXT),
          structures: listOf(TEXT),
          licensed: listOf(TEXT),
        }),
      },
      failures: [403, 422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const session = sessionOf(context)
      const { files, dryRun = false, isPublic, only } = readFields(context, ['files', 'dryRun', 'isPublic', 'only'])
      if (typeof dryRun !== 'boolean') throw invalidField('dryRun', 'true or false')
      const report = await importRuns({ deps: records, session }, sentFiles(files), {
        dryRun,
        isPublic: readIsPublic(isPublic),
        ...(only === undefined ? {} : { only: new Set(textsOf('only', only)) }),
      })
      const calculations = report.calculations.map((one) => reportInWordsOf(context.door, one))
      return dataTextResponse(JSON.stringify({ ...report, calculations }))
    },
  }
}

/** Portions that are stored one after the other, also when nobody waits for it any more. */
function beginImportRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/jobs/imports`,
    access: 'session',
    // Ids follow from what is sent: nothing is stored twice.
    repeats: 'needless',
    operation: {
      id: 'beginImportOfCalculations',
      tag: 'Jobs',
      summary: 'Begin to store calculations of files that have been sent, however many',
      description:
        'A line for each portion: {"files","only","isPublic"} as POST /jobs/import takes them, with the ids of the jobs that are meant, as its dry run tells them. Of at most 64 KiB; all of them of 32 MiB. The answer is a change that is carried out in portions: it is followed and cancelled under /bulk-changes. A portion that is refused does not keep the others from being stored.',
      body: { schema: TEXT, isLines: true },
      success: { description: 'The import, which is carried out from now on.', schema: TASK },
      failures: [403, 409, 422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const session = sessionOf(context)
      return begunResponse(await beginImport({ deps: records, session }, portionsIn(bodyLines(context))))
    },
  }
}

async function* portionsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RunPortion> {
  for await (const item of readImportItems(chunks, SMALL_BODY)) {
    if ('refusal' in item) throw item.refusal
    if ('json' in item) yield portionOf(readBody(item.json))
  }
}

function portionOf(body: JsonObject): RunPortion {
  const { files, only, isPublic } = pickFields(body, ['files', 'only', 'isPublic'])
  if (only === undefined) throw invalidField('only', 'a list of the ids of jobs, as a dry run tells them')
  return { files: sentFiles(files), only: textsOf('only', only), isPublic: readIsPublic(isPublic) }
}

function readIsPublic(value: Json = false): boolean {
  if (typeof value === 'boolean') return value
  throw invalidField('isPublic', 'true or false')
}

function textsOf(name: string, value: Json): readonly string[] {
  if (isJsonArray(value) && value.every((one) => typeof one === 'string')) return value
  throw invalidField(name, 'a list of texts')
}

function sentFiles(files: Json | undefined): readonly SentRunFile[] {
  if (!isJsonArray(files)) throw invalidField('files', 'a list of {"name","ticket"}')
  return files.map((file) => {
    const [name, ticket] = isJsonObject(file) ? [ownField(file, 'name'), ownField(file, 'ticket')] : []
    if (typeof name !== 'string' || typeof ticket !== 'string')
      throw invalidField('files', 'a list of {"name","ticket"}')
    assertFileName(name)
    return { name, ticket }
  })
}
