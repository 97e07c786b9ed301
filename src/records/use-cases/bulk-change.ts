import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { newId } from '../../kernel/names.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { Once } from '../../store/port/answers.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { assertReachableFields } from '../validate-record.ts'
import { eachOnce, listWarnings } from '../warnings/field-guide.ts'
import { updateWarnings } from '../warnings/write-warnings.ts'
import type { Collection } from '../work/deps.ts'
import { assertComputedFieldsKept, editDocument } from '../work/edit-document.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { assertAsMany, countMeant, inSlices, type Meant, select, selectFirst } from './bulk-selection.ts'
import { type BulkEdit, type BulkStep, readChange, recomputeShared, stepMaker } from './bulk-steps.ts'
import { WRITE_ATTEMPTS, writeConflict } from './change.ts'
import { actionOf, type ChangeOfEach, isUndoable } from './change-of-each.ts'
import { undoEntry } from './undo-entries.ts'
import { tellWritten } from './write-checks.ts'
import { commit } from './write-record.ts'

export interface BulkRequest {
  readonly meant: Meant
  readonly change: ChangeOfEach
  /** Number of records of the account that the client expects to match. */
  readonly expectedCount?: number | undefined
  /** Nothing is written: it is told what would be. */
  readonly dryRun: boolean
  /** What would be answered with a warning is refused. */
  readonly strict?: boolean
}

/** Outcome of a bulk change, or of its dry run. */
export type BulkOutcome = {
  /** Records of the account that are meant. */
  readonly matched: number
  /** Those of them that the change makes something else of; null where that is known only once it is made. */
  readonly changed: number | null
  /** Public records of other accounts that are meant too, and stay as they are. */
  readonly others: number
  readonly missing: number
  /** By what it can be undone; null where nothing was written, or nothing can be put back. */
  readonly undo: string | null
  /** Differences of the first records. */
  readonly sample?: readonly JsonObject[]
}

/** Outcome, and what whoever asked should know. */
export interface BulkAnswer {
  readonly outcome: BulkOutcome
  readonly warnings: readonly Warning[]
}

const IN_SAMPLE = 5

/** Changes or removes many records of the session's account: all that are meant, or none. */
export async function changeTogether(
  collection: Collection,
  request: BulkRequest,
  tell?: (answer: BulkAnswer) => Once,
): Promise<BulkAnswer> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const id = newId(deps.random)
    const { steps, beside, told, sample, warnings } = await prepared(collection, request, id)
    if (request.dryRun) return { outcome: { ...told, undo: null, sample }, warnings }
    if (steps.length === 0) return { outcome: { ...told, undo: null }, warnings }
    const undo = isUndoable(actionOf(request.change)) ? id : null
    const answer = { outcome: { ...told, undo }, warnings }
    const entries = undo === null ? [] : [entryOf(collection, undo, request, steps)]
    await recomputeShared(collection, request.change, steps)
    const write = { steps, beside: [...beside, ...entries], by: actorOf(session), once: tell?.(answer) }
    const { isDone, results } = await commit(deps, write)
    if (isDone) return answer
    const taken = steps.find((_, index) => results[index]?.outcome === 'exists')
    if (taken !== undefined) throw publicIdTaken(collection, taken.change.id)
  }
  throw writeConflict(kind)
}

function entryOf(
  collection: Collection,
  undo: string,
  { change: asked }: Pick<BulkRequest, 'change'>,
  steps: readonly BulkStep[],
): Change {
  const records = steps.map(({ change, version }) => [change.id, version] as const)
  return undoEntry(collection, undo, { isRemoval: asked === null, records })
}

/** A change that is ready to be written. */
interface Prepared extends Steps {
  readonly told: Pick<BulkOutcome, 'matched' | 'changed' | 'others' | 'missing'>
  /** Of a dry run. */
  readonly sample: readonly JsonObject[]
  readonly warnings: readonly Warning[]
}

/** Finds what is meant and makes the steps of it. The texts of before, of many megabytes, are let go before those of after are written. */
async function prepared(collection: Collection, request: BulkRequest, undo: string): Promise<Prepared> {
  const edit = editOf(request, undo)
  const { others, missing, records } = await select(collection, request.meant)
  const ofQuery = await queryWarnings(collection, request, records.length + others === 0)
  assertAsMany(records.length, request.expectedCount)
  const ofChange = records.length > 0 ? [] : await changeWarnings(collection, edit)
  const { steps, beside } = await stepsOf(collection, records, edit)
  return {
    steps,
    beside,
    told: { matched: records.length, changed: steps.length, others, missing },
    sample: request.dryRun ? await sampleOf(collection, records, steps) : [],
    warnings: eachOnce([...ofQuery, ...ofChange, ...steps.flatMap((step) => step.warnings)]),
  }
}

function editOf({ change, strict = false }: BulkRequest, undo: string): BulkEdit {
  return { split: readChange(change), undo, strict }
}

/** Tells what a change would do that is carried out in portions: how many records it means, and what becomes of the first. */
export async function tryChange(collection: Collection, request: BulkRequest): Promise<BulkAnswer> {
  assertMayWrite(collection.session)
  const edit = editOf(request, '')
  const { matched, others, missing } = await countMeant(collection, request.meant)
  const ofQuery = await queryWarnings(collection, request, matched + others === 0)
  assertAsMany(matched, request.expectedCount)
  const records = await selectFirst(collection, request.meant, IN_SAMPLE)
  const { steps } = await stepsOf(collection, records, edit)
  return {
    outcome: {
      matched,
      changed: null,
      others,
      missing,
      undo: null,
      sample: await sampleOf(collection, records, steps),
    },
    warnings: eachOnce([...ofQuery, ...steps.flatMap((step) => step.warnings)]),
  }
}

/** What is odd about a change that meets no record: what it would make of an empty one is looked at. */
async function changeWarnings(collection: Collection, { split, strict }: BulkEdit): Promise<readonly Warning[]> {
  if (split === null || split === 'recompute') return []
  const { kind } = collection
  const { update } = split
  const edited = editDocument(kind, '{}', update) ?? {}
  assertReachableFields(kind, edited)
  assertComputedFieldsKept({ form: kind, before: {}, edited, after: {} })
  return tellWritten(collection, updateWarnings({ form: kind, before: {}, edited, after: edited }), strict)
}

/** What is odd about a query that means records, whoever's they are. */
export async function queryWarnings(
  collection: Collection,
  { meant, strict = false }: BulkRequest,
  isEmpty: boolean,
): Promise<readonly Warning[]> {
  if ('ids' in meant) return []
  return listWarnings(collection, { filter: meant.filter, strict }, isEmpty)
}

/** The steps of all records, and what has to hold or to happen beside them. */
interface Steps {
  readonly steps: readonly BulkStep[]
  readonly beside: readonly Change[]
}

async function stepsOf(collection: Collection, records: readonly StoredRecord[], edit: BulkEdit): Promise<Steps> {
  const { make, beside } = await stepMaker(collection, records, edit)
  const steps = await inSlices(records, (one) => make(one).catch((error) => fail(error, one)))
  return { steps: steps.filter((step) => step !== null), beside: steps.length === 0 ? [] : beside }
}

/** All or none: the refusal of one is that of all, and says whose it is. */
function fail(error: unknown, { id }: StoredRecord): never {
  if (!(error instanceof AppError)) throw error
  throw new AppError(error.spec, `Nothing was changed, because of ${id}: ${error.message}`, { ...error.data, _id: id })
}

function publicIdTaken({ kind }: Collection, id: string): AppError {
  const message = `Nothing was changed: there is a public ${kind.name} with the _id ${JSON.stringify(id)} already.`
  const hint = 'Copy it, and publish the copy.'
  return new AppError(RECORD_ERRORS.idTaken, message, { path: 'isPublic', hint, _id: id })
}

/** The first steps as they are told to whoever wants to know what would be done. */
function sampleOf({ deps, session }: Collection, records: readonly StoredRecord[], steps: readonly BulkStep[]) {
  return Promise.all(
    steps.slice(0, IN_SAMPLE).map(async ({ change, differences }): Promise<JsonObject> => {
      const text = records.find(({ id }) => id === change.id)?.text ?? '{}'
      const { name = null } = await fieldsOf(deps.work, session.user.id, text, ['name'])
      if (change.action !== 'replace') return { _id: change.id, name }
      const { changes = [], more = 0 } = differences ?? (JSON.parse(change.note ?? '{}') as JsonObject)
      return { _id: change.id, name, changes, more }
    }),
  )
}
