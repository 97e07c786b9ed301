import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { changeMany, type ManyAnswer } from '../../records/use-cases/begin-task.ts'
import { type BulkRequest, changeTogether } from '../../records/use-cases/bulk-change.ts'
import { type Meant, MOST_TOGETHER } from '../../records/use-cases/bulk-selection.ts'
import type { ChangeOfEach } from '../../records/use-cases/change-of-each.ts'
import { collectionOf, type RequestContext } from '../exchange/context.ts'
import { type Response, warnedResponse } from '../exchange/response.ts'
import type { Operation, Route } from '../exchange/route.ts'
import { QUERY } from '../openapi/list-parameters.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { invalidField, queryBodyLimit, readFields, readStrictField } from '../request/body.ts'
import { assertNoParameters, STRICT_FIELD } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { begunResponse, TASK } from './bulk-change-entries.ts'
import { namesOf } from './collection.ts'

const WHOLE = { type: 'integer' }
const FLAG = { type: 'boolean', default: false }
const MEANT = {
  query: QUERY,
  ids: { type: 'array', items: TEXT, maxItems: MOST_TOGETHER },
  expectedCount: {
    type: 'integer',
    description: 'How many of your records match; with a query, needed unless dryRun.',
  },
  dryRun: FLAG,
  strict: STRICT_FIELD,
}
const RECOMPUTE = {
  const: true,
  description:
    'In place of change: what follows from each record is computed anew, its symmetry too. No version comes of it, and it is not undone.',
}
const OPTIONAL = ['query', 'ids', 'expectedCount', 'dryRun', 'strict']
const OUTCOME = object(
  {
    matched: WHOLE,
    changed: { type: ['integer', 'null'], description: 'Null in a dry run of more than one transaction takes.' },
    others: { type: 'integer', description: 'Public records of other accounts that match too; they stay as they are.' },
    missing: { type: 'integer', description: 'Of the ids: how many there are not.' },
    undo: {
      type: ['string', 'null'],
      description: 'What POST /bulk-changes/{id}/undo takes; null of a dry run, and of what was computed again.',
    },
    sample: listOf({ type: 'object' }),
  },
  ['sample'],
)

export function bulkChangeRoutes(services: HttpServices, settings: HttpSettings, kind: RecordKind): readonly Route[] {
  const { path, tag, many, Many } = namesOf(kind)
  const common = { path, access: 'session', bodyLimit: queryBodyLimit(settings.bounds) } as const
  const operation = (id: string, summary: string, body: NonNullable<Operation['body']>): Operation => ({
    id,
    tag,
    summary,
    description:
      `Those of your account that the query matches, or that are named: all of them in one transaction, or none. At most ${MOST_TOGETHER}. ` +
      'With dryRun nothing is written, and sample tells what would become of the first. ' +
      'With the header "Prefer: respond-async" more are taken: the answer is then 202 with a change that is carried out in portions, at the address in Location.',
    body,
    success: {
      description: 'How many, and by what it can be undone; or the change that is carried out from now on.',
      schema: { anyOf: [OUTCOME, TASK] },
      warns: true,
    },
    failures: [403, 404, 409, 422],
  })
  return [
    {
      ...common,
      method: 'PATCH',
      repeats: 'kept',
      operation: operation(`update${Many}`, `Change many ${many} in the same way`, {
        schema: object({ ...MEANT, change: { type: 'object' }, recompute: RECOMPUTE }, [
          ...OPTIONAL,
          'change',
          'recompute',
        ]),
        example: { query: { formula: 'Si' }, change: { $addToSet: { tags: 'checked' } }, expectedCount: 2 },
      }),
      handler: (context) => {
        assertNoParameters(context, MEANT_FIELDS)
        const { change, recompute, ...fields } = readFields(context, [...MEANT_FIELDS, 'change', 'recompute'], inChange)
        return answer(context, readRequest(fields, readChange(change, recompute), settings))
      },
    },
    {
      ...common,
      method: 'DELETE',
      repeats: 'kept',
      operation: operation(`delete${Many}`, `Delete many ${many}, so that they can be restored`, {
        schema: object(MEANT, OPTIONAL),
        example: { ids: ['9nXQGwSxsLCW8qZmr'] },
      }),
      handler: (context) => {
        assertNoParameters(context, MEANT_FIELDS)
        return answer(context, readRequest(readFields(context, MEANT_FIELDS), null, settings))
      },
    },
  ]

  async function answer(context: RequestContext, asked: BulkRequest): Promise<Response> {
    const { once } = context
    const collection = collectionOf(context, services.records, kind)
    const tell = once === null ? undefined : (answered: ManyAnswer) => once.tell(present(answered), null)
    const change = mayAnswerLater(context) ? changeMany : changeTogether
    const whole = present(await change(collection, asked, tell))
    await once?.keepUnlessTold(whole)
    return whole
  }
}

function present(answer: ManyAnswer): Response {
  return 'task' in answer ? begunResponse(answer) : warnedResponse(answer.outcome, answer.warnings)
}

/** Whether the client takes an answer before all is done (RFC 7240). */
function mayAnswerLater({ headers }: RequestContext): boolean {
  const preferences = [headers['prefer'] ?? []].flat().join(',').split(',')
  return preferences.some((one) => one.split(';')[0]?.trim().toLowerCase() === 'respond-async')
}

const MEANT_FIELDS = ['query', 'ids', 'expectedCount', 'dryRun', 'strict'] as const
/** Hint for a field of the update of one record, or of another database. */
function inChange(name: string): string | null {
  return name === 'update' || name.startsWith('$') ? 'Write it into the field change.' : null
}

function readChange(change: Json | undefined, recompute: Json | undefined): ChangeOfEach {
  if (recompute === undefined) {
    if (isJsonObject(change)) return change
    throw invalidField('change', 'what PATCH of one record takes, or in its place "recompute": true')
  }
  if (recompute !== true) throw invalidField('recompute', 'true')
  if (change !== undefined) throw invalidField('change', 'left out beside "recompute"')
  return 'recompute'
}

type MeantFields = Readonly<Partial<Record<(typeof MEANT_FIELDS)[number], Json>>>

function readRequest(fields: MeantFields, change: ChangeOfEach, settings: HttpSettings): BulkRequest {
  const { expectedCount, dryRun = false, strict } = fields
  if (typeof dryRun !== 'boolean') throw invalidField('dryRun', 'true or false')
  const isNumber = Number.isSafeInteger(expectedCount)
  if (expectedCount !== undefined && !isNumber) throw invalidField('expectedCount', 'a whole number')
  if (fields.query !== undefined && !isNumber && !dryRun) {
    throw invalidField('expectedCount', 'how many of your records match the query, as dryRun tells it')
  }
  const meant = readMeant(fields, settings)
  const asked = { meant, change, dryRun, strict: readStrictField(strict, settings) }
  return isNumber ? { ...asked, expectedCount: Number(expectedCount) } : asked
}

function readMeant({ query, ids }: MeantFields, { bounds }: HttpSettings): Meant {
  if ((query === undefined) === (ids === undefined)) throw invalidField('query', 'a query, or in its place ids')
  if (ids === undefined) return { filter: parseFilter(query, bounds, 'query') }
  if (!isJsonArray(ids) || ids.length > MOST_TOGETHER || !ids.every((id) => typeof id === 'string')) {
    throw invalidField('ids', `a list of at most ${MOST_TOGETHER} _ids`)
  }
  return { ids: ids as string[] }
}
