import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type Json } from '../../kernel/json.ts'
import { reportInWordsOf } from '../../page/remedies.ts'
import {
  countReport,
  type ImportItem,
  type ImportTotals,
  importStructure,
  noTotals,
} from '../../records/import/import-item.ts'
import { importRecords } from '../../records/import/import-records.ts'
import { unpackFiles } from '../../records/import/unpack-files.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import { API_PREFIX } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { collectionOf, type RequestContext, sessionOf } from '../exchange/context.ts'
import { isUpload } from '../exchange/head.ts'
import { answerWith, createdResponse, dataResponse, type Response } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { listOf, nullable, object, reference, TEXT } from '../openapi/schemas.ts'
import {
  clientBytes,
  type DuplicateOptions,
  duplicateOptions,
  invalidField,
  ON_DUPLICATE_PARAMETER,
  readUpload,
  SKIP_SAME_PARAMETER,
} from '../request/body.ts'
import { readParameters } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { CONTENT, FORMAT, FRAME, optionalText, readStructureBody, STRUCTURE_BODY_LIMIT } from './structures.ts'

/** Structures of the files of a form that are taken apart, all of them together: the answer tells of each. */
export const MOST_FRAMES = 10_000

/** One structure as JSON, which is what existing clients send, or files and archives as a form. */
export function importMaterialsRoute(services: HttpServices, { uploadLimit }: HttpSettings): Route {
  const fields = { 'owner._id': nullable(TEXT), tags: listOf(TEXT) }
  return {
    method: 'POST',
    path: `${API_PREFIX}/materials/import`,
    access: 'session',
    repeats: 'kept',
    bodyLimit: Math.max(uploadLimit, STRUCTURE_BODY_LIMIT),
    readsLong: true,
    operation: {
      id: 'importMaterials',
      tag: 'Materials',
      summary: 'Create materials from structure files',
      description:
        'JSON makes one material and answers with it. What was imported before, from the same file with the same name, is answered with and not stored again, unless ' +
        'onDuplicate=create is said. A form may have many files, also within .zip, .tar, .tar.gz and .gz, and is ' +
        'answered with {"stored", "skipped", "refused", "withoutSymmetry", "files"}: a report on each. With the frame "all", a file of ' +
        'several structures becomes an ordered set, with a material for each; at most 10,000 in a form.',
      query: [ON_DUPLICATE_PARAMETER, SKIP_SAME_PARAMETER],
      body: {
        schema: object({ name: nullable(TEXT), content: CONTENT, format: FORMAT, frame: FRAME, ...fields }, [
          'name',
          'format',
          'frame',
          ...Object.keys(fields),
        ]),
        example: {
          name: 'polonium',
          content: 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n',
          format: 'poscar',
          'owner._id': null,
          tags: [],
        },
        upload: object(
          {
            files: listOf({ type: 'string', contentMediaType: 'application/octet-stream' }),
            name: { ...TEXT, description: 'In place of the names that the files give.' },
            format: FORMAT,
            frame: { type: 'string', description: `${FRAME.description} "all": each of them, as a set.` },
            tags: TEXT,
            isPublic: { type: 'boolean' },
          },
          ['name', 'format', 'frame', 'tags', 'isPublic'],
        ),
      },
      success: {
        description: 'The material with what had to be assumed in its consistencyChecks; after a form, the reports.',
        schema: { anyOf: [reference('Material'), { type: 'object' }] },
        warns: true,
      },
      failures: [403, 409, 422],
    },
    handler: (context) => {
      const options = duplicateOptions(readParameters(context.query), materialKind)
      return isUpload(context) ? importFiles(services, context, options) : importOne(services, context, options)
    },
  }
}

async function importOne(
  { records }: HttpServices,
  context: RequestContext,
  duplicates: DuplicateOptions,
): Promise<Response> {
  assertNotLongerThan(context, STRUCTURE_BODY_LIMIT)
  const { file, fields } = await readStructureBody(records.work, context, ['owner._id', 'tags', 'isPublic'])
  const name = optionalText('name', fields.name)
  const ownerId = optionalText('owner._id', fields['owner._id'])
  const { isPublic } = fields
  if (isPublic !== undefined && typeof isPublic !== 'boolean') throw invalidField('isPublic', 'true or false')
  const naming = {
    ...(name === undefined ? {} : { name }),
    ...(ownerId === undefined ? {} : { ownerId }),
    ...(isPublic === undefined ? {} : { isPublic }),
    tags: readTags(fields.tags),
    ...duplicates,
  }
  return answerWith(context, createdResponse, (once) =>
    importStructure({ ...collectionOf(context, records, materialKind), once }, file, naming),
  )
}

async function importFiles(
  { records }: HttpServices,
  context: RequestContext,
  duplicates: DuplicateOptions,
): Promise<Response> {
  const { files, fields } = await readUpload(records.work, context, [
    'name',
    'format',
    'frame',
    'tags',
    'tags[]',
    'isPublic',
  ])
  const format = fields.get('format')?.[0]
  const frame = fields.get('frame')?.[0]
  const tags = [...(fields.get('tags') ?? []), ...(fields.get('tags[]') ?? [])].flatMap(tagsOf)
  const isPublic = fields.get('isPublic')?.[0]
  if (isPublic !== undefined && isPublic !== 'true' && isPublic !== 'false')
    throw invalidField('isPublic', 'true or false')
  const options = {
    tags,
    ...(isPublic === undefined ? {} : { isPublic: isPublic === 'true' }),
    ...duplicates,
    ...(format === undefined || format === '' ? {} : { format }),
    ...(frame === undefined || frame === '' ? {} : { frame: frameOf(frame) }),
    mostFrames: MOST_FRAMES,
  }
  const reports: object[] = []
  const totals = noTotals()
  const name = fields.get('name')?.[0]
  const items = name === undefined || name === '' ? unpackFiles(files) : called(name, unpackFiles(files))
  try {
    for await (const { collection: _collection, ...told } of importRecords(
      records,
      sessionOf(context),
      items,
      options,
    )) {
      const report = reportInWordsOf(context.door, told)
      countReport(totals, report)
      reports.push(report)
    }
  } catch (error) {
    throw withTotals(error, totals)
  }
  const answer = dataResponse({ ...totals, files: reports as unknown as Json })
  // Each file has a commit of its own, and is not stored twice: the answer to all is kept once it is known.
  await context.once?.keepUnlessTold(answer)
  return answer
}

/** Gives the structures of files a name of their own. */
async function* called(name: string, items: AsyncIterable<ImportItem>): AsyncGenerator<ImportItem> {
  for await (const item of items) yield 'file' in item ? { ...item, fields: { name } } : item
}

/** A store that takes no more has taken what came before. */
function withTotals(error: unknown, totals: ImportTotals): unknown {
  if (!(error instanceof AppError) || error.status < 500) return error
  const message = `${error.message} Stored before: ${totals.stored}. Send the form again later: what is there is skipped.`
  return new AppError(error.spec, message, { ...error.data, ...totals }, error.cause)
}

function readTags(tags: Json | undefined): readonly string[] {
  if (tags === undefined || tags === null) return []
  if (isJsonArray(tags) && tags.every((tag) => typeof tag === 'string')) return tags
  throw invalidField('tags', 'a list of texts')
}

function frameOf(text: string): number | 'all' {
  if (text === 'all') return text
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw invalidField(
    'frame',
    'a whole number, counted from 0, or from the end where negative; or "all" for a set of all',
  )
}

/** A field of a form holds one tag, or a list of them as JSON. */
function tagsOf(text: string): readonly string[] {
  if (!text.startsWith('[')) return text === '' ? [] : [text]
  try {
    return readTags(JSON.parse(text))
  } catch {
    throw invalidField('tags', 'one tag, or a JSON list of texts')
  }
}

function assertNotLongerThan(context: RequestContext, limit: number): void {
  if (clientBytes(context).length <= limit) return
  const hint = 'Send the file in a form, or use `quarry import --frame all FILE`, which takes files of any length.'
  throw new AppError(HTTP_ERRORS.bodyTooLarge, `A JSON body here has at most ${limit} bytes.`, { limit, hint })
}
