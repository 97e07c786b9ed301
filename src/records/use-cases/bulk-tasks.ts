import type { JsonObject } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { EVERYTHING, isOneOf } from '../../query/ast/filter.ts'
import { planQuery } from '../../query/plan.ts'
import type { Actor } from '../../store/port/audit.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../ids.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { ChangeOfEach, TaskAction } from './change-of-each.ts'

/** Collection of changes of many records: what they can be undone by, and how far those are that are carried out in portions. No kind of record, so that no list shows it. */
export const BULK_CHANGES = 'bulk-changes'

/** `waiting`: nothing of it is done yet. `failed`: it ended before all was done, by itself. */
export type TaskState = 'waiting' | 'running' | 'done' | 'cancelled' | 'failed'

export const TASK_STATES: readonly TaskState[] = ['waiting', 'running', 'done', 'cancelled', 'failed']

/** A record that stays as it was, and why. */
export type RefusedRecord = { readonly _id: string; readonly reason: string; readonly code?: number }

/** A change that is carried out in portions, as it is told. */
export type TaskTold = {
  readonly _id: string
  readonly collection: string
  readonly action: TaskAction
  /** Of an undo. */
  readonly of?: string
  readonly state: TaskState
  /** Records that it means; `done` of them were looked at: the sum of the three that follow. */
  readonly matched: number
  readonly done: number
  /** Changed, removed, stored or put back. */
  readonly count: number
  readonly unchanged: number
  readonly refused: number
  readonly at: string
  readonly began: string | null
  readonly ended: string | null
  readonly by: JsonObject
  /** Its own id where it can be undone, as far as it was carried out. */
  readonly undo: string | null
}

/** Parts that are needed to carry a change out, and the rest of what there is to tell of it. */
export interface TaskWork {
  /** Null of what is no change of records that are there. */
  readonly change: ChangeOfEach
  readonly strict: boolean
  readonly by: Actor
  /** Number of its parts; of an undo, of the parts that it has still to go back over. */
  readonly parts: number
  /** Index of the part that is next. */
  readonly next: number
  readonly isCancelled: boolean
  /** Number of its records that undos which were cancelled have gone back over. */
  readonly undone: number
  /** The first. */
  readonly refusals: readonly RefusedRecord[]
  readonly warnings: readonly Warning[]
  /** Reason of its failure. */
  readonly error: { readonly code: number; readonly message: string } | null
}

export interface BulkTask {
  readonly stored: StoredRecord
  readonly told: TaskTold
  readonly work: TaskWork
}

/** Ids in one part, which are one portion as a rule: its commit keeps the writes of others waiting. */
export const IN_PART = 500
/** Refusals and warnings that are told; more are counted. */
export const MOST_TOLD = 100

export function isUnderWay({ state }: Pick<TaskTold, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

// As a text: what is under names, or in a list, would be columns of segments.
const textOf = (told: TaskTold, work: TaskWork): string => JSON.stringify({ ...told, work: JSON.stringify(work) })

export function insertTask(accountId: string, told: TaskTold, work: TaskWork): Change {
  const text = textOf(told, work)
  return {
    action: 'insert',
    collection: BULK_CHANGES,
    id: told._id,
    accountId,
    isPublic: false,
    text,
    follows: true,
  }
}

export function replaceTask({ stored }: Pick<BulkTask, 'stored'>, told: TaskTold, work: TaskWork): Change {
  return { ...replaceOf(BULK_CHANGES, stored), text: textOf(told, work) }
}

function replaceOf(collection: string, stored: StoredRecord) {
  return {
    action: 'replace',
    ...addressOf(collection, stored),
    isPublic: false,
    keepsRevision: false,
    follows: true,
  } as const
}

/** Number of parts of ids that so many records have. */
export function partsOfIds({ matched }: Pick<TaskTold, 'matched'>): number {
  return Math.ceil(matched / IN_PART)
}

/** Number of parts that something had at first. */
export function partsOf({ told, work }: Pick<BulkTask, 'told' | 'work'>): number {
  return told.action === 'import' ? work.parts : partsOfIds(told)
}

type TaskDeps = Pick<RecordDeps, 'store'>

/** Reads a change of an account that is, or was, carried out in portions. */
export async function readTask({ store }: TaskDeps, accountId: string, id: string): Promise<BulkTask | null> {
  const stored = await store.read(BULK_CHANGES, { kind: 'account', accountId }, id)
  if (stored === null || stored.accountId !== accountId) return null
  const { work, ...told } = JSON.parse(stored.text) as TaskTold & { readonly work?: string }
  return work === undefined ? null : { stored, told, work: JSON.parse(work) as TaskWork }
}

/** Names a change that is under way. */
export interface TaskAddress {
  readonly accountId: string
  readonly id: string
}

/** Finds the changes that are under way, the oldest first: of all accounts, for whoever carries them out. */
export async function findUnderWay({ store }: TaskDeps): Promise<readonly TaskAddress[]> {
  const filter = isOneOf('state', ['waiting', 'running'])
  const request = { filter, sort: [], fields: null, skip: 0, limit: 1000 }
  const { documents } = await store.find(planQuery(request, BULK_CHANGES, { kind: 'operator' }))
  return (JSON.parse(documents.toString()) as readonly (TaskTold & { readonly work: string })[]).flatMap(
    ({ _id: id, work }) => {
      const { account } = (JSON.parse(work) as TaskWork).by
      return account === null ? [] : [{ accountId: account, id }]
    },
  )
}

const PARTS = 'bulk-change-parts'

/** Some of the records of a change: those that are left to be done, and those that it has changed, with the version that each had then. */
export interface ChangePart {
  readonly stored: StoredRecord
  readonly left: readonly string[]
  readonly made: readonly MadeVersion[]
}

export type MadeVersion = readonly [id: string, version: number]

const partId = (task: string, index: number): string => `${task}-${index}`

function partText(_id: string, left: readonly string[], made: readonly MadeVersion[]): string {
  return JSON.stringify({ _id, left: JSON.stringify(left), made: JSON.stringify(made) })
}

/** Another part of something, with what there is to be done. */
export function insertPart({ accountId, id }: TaskAddress, index: number, content: JsonObject): Change {
  const part = partId(id, index)
  const text = JSON.stringify({ _id: part, content: JSON.stringify(content) })
  return { action: 'insert', collection: PARTS, id: part, accountId, isPublic: false, text, follows: true }
}

/** A part that says what there is to be done. */
export interface ContentPart {
  readonly stored: StoredRecord
  readonly content: JsonObject
}

export async function readContentPart(deps: TaskDeps, address: TaskAddress, index: number): Promise<ContentPart> {
  const { stored, text } = await readStoredPart(deps, address, index)
  return { stored, content: JSON.parse(text.content ?? '{}') }
}

/** The parts of a new change. */
export function insertParts({ accountId, id }: TaskAddress, ids: readonly string[]): readonly Change[] {
  const parts: Change[] = []
  for (let start = 0; start < ids.length; start += IN_PART) {
    const part = partId(id, parts.length)
    const text = partText(part, ids.slice(start, start + IN_PART), [])
    parts.push({ action: 'insert', collection: PARTS, id: part, accountId, isPublic: false, text, follows: true })
  }
  return parts
}

export async function readPart(
  { store }: TaskDeps,
  { accountId, id }: TaskAddress,
  index: number,
): Promise<ChangePart> {
  const { stored, text } = await readStoredPart({ store }, { accountId, id }, index)
  return { stored, left: JSON.parse(text.left ?? '[]'), made: JSON.parse(text.made ?? '[]') }
}

async function readStoredPart({ store }: TaskDeps, { accountId, id }: TaskAddress, index: number) {
  const stored = await store.read(PARTS, { kind: 'account', accountId }, partId(id, index))
  if (stored === null) throw new Error(`part ${index} of the change ${id} is not there`)
  return { stored, text: JSON.parse(stored.text) as Readonly<Partial<Record<string, string>>> }
}

export function replacePart({ stored }: ChangePart, left: readonly string[], made: readonly MadeVersion[]): Change {
  return { ...replaceOf(PARTS, stored), text: partText(stored.id, left, made) }
}

export function erasePart({ stored }: Pick<ChangePart, 'stored'>): Change {
  return { action: 'erase', ...addressOf(PARTS, stored), follows: true }
}

const DROPPED_AT_ONCE = 50

/** Takes away the parts of a change from some index on, as far as they are there. */
export async function dropParts(
  deps: TaskDeps,
  { accountId, id }: TaskAddress,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (let start = from; start < to; start += DROPPED_AT_ONCE) {
    const count = Math.min(to - start, DROPPED_AT_ONCE)
    await dropAll(
      deps,
      accountId,
      Array.from({ length: count }, (_, index) => partId(id, start + index)),
    )
  }
}

async function dropAll({ store }: TaskDeps, accountId: string, ids: readonly string[]): Promise<void> {
  const found = await Promise.all(ids.map((id) => store.read(PARTS, { kind: 'account', accountId }, id)))
  const parts = found.filter((stored) => stored !== null)
  await store.applyEach(
    parts.map((stored) => ({ action: 'erase', ...addressOf(PARTS, stored), follows: true }) as const),
  )
}

const allParts = (accountId: string) =>
  planQuery({ filter: EVERYTHING, sort: [], fields: null, skip: 0, limit: DROPPED_AT_ONCE }, PARTS, {
    kind: 'account',
    accountId,
  } as const)

export function countParts({ store }: TaskDeps, accountId: string): Promise<number> {
  return store.count(allParts(accountId))
}

/** Takes away all parts of all changes of an account. */
export async function dropAllParts(deps: TaskDeps, accountId: string): Promise<void> {
  for (;;) {
    const { documents, count } = await deps.store.find(allParts(accountId))
    if (count === 0) return
    const parts = JSON.parse(documents.toString()) as readonly { readonly _id: string }[]
    await dropAll(
      deps,
      accountId,
      parts.map(({ _id }) => _id),
    )
  }
}
