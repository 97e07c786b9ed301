import { type BegunTask, beginUndo } from '../../records/use-cases/begin-task.ts'
import { TASK_STATES } from '../../records/use-cases/bulk-tasks.ts'
import { cancelBulkChange, readBulkChange } from '../../records/use-cases/follow-tasks.ts'
import { type UndoAnswer, undoChange } from '../../records/use-cases/undo.ts'
import { listBulkChanges } from '../../records/use-cases/undo-entries.ts'
import { API_PREFIX } from '../address.ts'
import { type RequestContext, sessionOf } from '../exchange/context.ts'
import { besideOf, dataResponse, envelopeResponse, type Response, warnedResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { ID, listOf, object, TEXT } from '../openapi/schemas.ts'
import { readNoBody } from '../request/body.ts'
import { assertNoParameters, pathId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'

const PATH = `${API_PREFIX}/bulk-changes`
const TAG = 'BulkChanges'
const WHOLE = { type: 'integer' }
const OR_NULL = { type: ['string', 'null'] }
const ENTRY = {
  _id: ID,
  collection: TEXT,
  action: { enum: ['update', 'remove', 'recompute', 'import', 'undo'] },
  state: { enum: TASK_STATES },
  count: {
    type: 'integer',
    description: 'Records that were changed, removed or put back; calculations that were stored.',
  },
  at: TEXT,
  by: { type: 'object' },
  undo: {
    type: ['string', 'null'],
    description: 'What POST /bulk-changes/{id}/undo takes; null where it cannot be undone.',
  },
}
const OF_PORTIONS = {
  matched: WHOLE,
  done: { type: 'integer', description: 'Records that were looked at: those changed, unchanged and refused.' },
  unchanged: WHOLE,
  refused: WHOLE,
  began: OR_NULL,
  ended: OR_NULL,
}

/** Schema of a change that is carried out in portions. */
export const TASK = object({ ...ENTRY, ...OF_PORTIONS, of: TEXT }, ['of'])

const TOLD = object(
  {
    ...ENTRY,
    ...OF_PORTIONS,
    of: { type: 'string', description: 'Of an undo: the change that it puts back.' },
    isCancelled: { type: 'boolean' },
    refusals: listOf(object({ _id: ID, reason: TEXT, code: WHOLE }, ['code'])),
    warnings: listOf({ type: 'object' }),
    error: { type: ['object', 'null'], description: 'Why it failed.' },
  },
  ['matched', 'done', 'unchanged', 'refused', 'began', 'ended', 'of', 'isCancelled', 'refusals', 'warnings', 'error'],
)

/** Answers with a change that is carried out from now on, and where it can be followed. */
export function begunResponse({ task, warnings }: BegunTask): Response {
  return envelopeResponse(JSON.stringify(task), besideOf(warnings), 202, {
    location: `${PATH}/${task._id}`,
    'preference-applied': 'respond-async',
  })
}

/** Tells of changes of many records, cancels and undoes them. */
export function bulkChangeEntryRoutes({ records, kinds }: HttpServices): readonly Route[] {
  const collections = (context: RequestContext) => ({ deps: records, session: sessionOf(context) })
  return [
    {
      method: 'GET',
      path: PATH,
      access: 'session',
      operation: {
        id: 'listBulkChanges',
        tag: TAG,
        summary: 'List the changes of many records of your account: those under way, and those that can be undone',
        description: 'The latest first: at most 100 that are over, of the last 30 days.',
        success: {
          description: 'What was done to how many records of which collection, when and by whom, and how far it is.',
          schema: listOf(object({ ...ENTRY, ...OF_PORTIONS, of: TEXT }, ['of', ...Object.keys(OF_PORTIONS)])),
        },
      },
      handler: async (context) => {
        assertNoParameters(context)
        return dataResponse(await listBulkChanges(collections(context)))
      },
    },
    {
      method: 'GET',
      path: `${PATH}/:id`,
      access: 'session',
      operation: {
        id: 'readBulkChange',
        tag: TAG,
        summary: 'Follow a change of many records',
        description:
          'How far it is, the first hundred records that were refused, with the reason, and why it failed if it did.',
        success: { description: 'The change.', schema: TOLD },
        failures: [404],
      },
      handler: async (context) => {
        assertNoParameters(context)
        return dataResponse(await readBulkChange(collections(context), pathId(context)))
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:id/cancel`,
      access: 'session',
      repeats: 'needless',
      operation: {
        id: 'cancelBulkChange',
        tag: TAG,
        summary: 'Cancel a change of many records that is under way',
        description:
          'It ends after the portion under way. What it has done by then stays, and can be undone. One that is over stays as it is.',
        success: { description: 'The change as it is.', schema: TASK },
        failures: [403, 404],
      },
      handler: async (context) => {
        assertNoParameters(context)
        readNoBody(context)
        return dataResponse(await cancelBulkChange(collections(context), pathId(context)))
      },
    },
    {
      method: 'POST',
      path: `${PATH}/:id/undo`,
      access: 'session',
      repeats: 'kept',
      operation: {
        id: 'undoBulkChange',
        tag: TAG,
        summary: 'Undo a change of many records',
        description:
          'Records that were removed are restored, others get back their former version, with who may see them and the sets that they are in. What was changed since stays as it is. ' +
          'Of a change that was carried out in portions the undo is, too: the answer is 202 with another change, at the address in Location.',
        success: {
          description: 'How many, and which were not: changed since, gone, their id taken, or the version not kept.',
          schema: {
            anyOf: [
              object({ collection: TEXT, undone: WHOLE, skipped: listOf(object({ _id: ID, reason: TEXT })) }),
              TASK,
            ],
          },
          warns: true,
        },
        failures: [403, 404, 409],
      },
      handler: async (context) => {
        assertNoParameters(context)
        readNoBody(context)
        const { once } = context
        const present = (answer: UndoAnswer | BegunTask): Response =>
          'task' in answer ? begunResponse(answer) : warnedResponse(answer.outcome, answer.warnings)
        const tell =
          once === null ? undefined : (answered: UndoAnswer | BegunTask) => once.tell(present(answered), null)
        const id = pathId(context)
        const begun = await beginUndo(collections(context), id, tell)
        return present(begun ?? (await undoChange(collections(context), kinds, id, tell)))
      },
    },
  ]
}
