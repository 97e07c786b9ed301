import { AppError, isOf } from '../../kernel/errors.ts'
import { STORE_ERRORS, storageExceeded } from '../../store/errors.ts'
import type { Actor } from '../../store/port/audit.ts'
import type { Change, ChangeResult, RecordStore } from '../../store/port/record-store.ts'
import { RECORD_EVENTS } from '../events.ts'
import { subjectOf } from '../work/contribution.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { NewRecord } from '../work/record-input.ts'
import type { Followed, Step } from '../work/step.ts'
import { WRITE_ATTEMPTS } from './change.ts'
import type { CheckedRecord, Write, WriteFindings } from './write.ts'
import { AFTERWARDS, CHECKS, FOLLOWING } from './write-stages.ts'

const NOTHING: WriteFindings = { existing: null, duplicates: [], sameAs: [], warnings: [] }

/** Puts a record through the checks, up to the one that finds another in its place; throws the refusal of the first that refuses it. */
export async function check(record: CheckedRecord): Promise<WriteFindings> {
  let found = NOTHING
  for (const one of CHECKS) {
    const { warnings = [], ...more } = await one(record, found)
    found = { ...found, ...more, warnings: [...found.warnings, ...warnings] }
    if (found.existing !== null) break
  }
  return found
}

/** Outcome of a write. */
export interface Committed {
  readonly isDone: boolean
  /** Results of the steps, in order. */
  readonly results: readonly ChangeResult[]
  /** Whether only what follows from the write kept it from being done: it was changed meanwhile. */
  readonly isFollowingStale: boolean
}

/** Commits changes with what follows from them, in one transaction, and does what is done afterwards. */
export async function commit(deps: RecordDeps, write: Write): Promise<Committed> {
  const { steps, beside = [], by, once } = write
  const { changes: following, amended } = await followingOf(deps, steps)
  const own = [...steps.map((step) => amended.get(step) ?? step.change), ...beside]
  const results = await deps.store.apply([...own, ...following], by, once)
  const isDone = results.every(isApplied)
  if (isDone) await doAfterwards(deps, write)
  return {
    isDone,
    results: results.slice(0, steps.length),
    isFollowingStale: !isDone && results.slice(0, own.length).every(isApplied),
  }
}

async function followingOf(deps: RecordDeps, steps: readonly Step[]): Promise<Required<Followed>> {
  const all = await Promise.all(FOLLOWING.map((changesOf) => changesOf(deps, steps)))
  const amended = new Map(all.flatMap((followed) => [...(followed.amended ?? [])]))
  return { changes: all.flatMap(({ changes }) => changes), amended }
}

/** A failure is told to the log: the write is on disk, and its writer must not take it for refused. */
async function doAfterwards(deps: RecordDeps, write: Write): Promise<void> {
  for (const afterwards of AFTERWARDS) {
    try {
      await afterwards(deps, write)
    } catch (error) {
      deps.log.tell(RECORD_EVENTS.afterwardsFailed, {}, error)
    }
  }
}

function isApplied({ outcome }: ChangeResult): boolean {
  return outcome === 'done'
}

/** A change that takes nothing from the bank and brings nothing to it. */
export function stepOf(change: Change): Step {
  return { change, before: null, after: null }
}

/** Commits changes, each for itself: those of which something follows in a transaction of their own, the others together. */
export async function commitEach(
  deps: RecordDeps,
  steps: readonly Step[],
  by: Actor | undefined,
): Promise<readonly ChangeResult[]> {
  const following = await Promise.all(steps.map((step) => followingOf(deps, [step])))
  const isAlone = ({ changes, amended }: Required<Followed>) => changes.length === 0 && amended.size === 0
  const alone = steps.filter((_, index) => following[index] !== undefined && isAlone(following[index]))
  const written = await deps.store.applyEach(
    alone.map(({ change }) => change),
    by,
  )
  const results = new Map(alone.map((step, index) => [step, written[index] ?? CHANGED]))
  for (const [step, result] of results) if (isApplied(result)) await doAfterwards(deps, { steps: [step], by })
  return Promise.all(steps.map((step) => results.get(step) ?? commitOne(deps, step, { by })))
}

/** Options for one step. */
export type CommitTerms = Omit<Write, 'steps'>

/** Commits a change of one record. Gives its result; `changed` also when something beside it has changed meanwhile. */
export async function commitOne(deps: RecordDeps, step: Step, terms: CommitTerms): Promise<ChangeResult> {
  const attempt = () => commit(deps, { ...terms, steps: [step] })
  const subjects = [subjectOf(step.after), subjectOf(step.before)].filter((subject) => subject !== null)
  const [subject] = isFollowed(step) ? subjects : []
  for (let count = 0; count < WRITE_ATTEMPTS; count++) {
    const committed = await (subject === undefined ? attempt() : oneByOne(deps.store, subject, attempt))
    if (!committed.isFollowingStale) return resultOf(committed)
  }
  return CHANGED
}

/** Tells whether others have something else of a record by a step. */
export function isFollowed({ before, after }: Step): boolean {
  return before?.bank?.id !== after?.bank?.id || (before?.property ?? after?.property ?? null) !== null
}

const CHANGED: ChangeResult = { outcome: 'changed' }

/** Nothing was applied unless all was. */
function resultOf({ isDone, results: [result = CHANGED] }: Committed): ChangeResult {
  return isDone || result.outcome !== 'done' ? result : CHANGED
}

const turns = new WeakMap<RecordStore, Map<string, Promise<unknown>>>()

/**
 * Runs work on one subject after work on the same subject that came before. Versions keep writes right without it; it only saves the
 * writers of one process from losing against each other again and again.
 */
export async function oneByOne<T>(store: RecordStore, subject: string, work: () => Promise<T>): Promise<T> {
  const waiting = turns.get(store) ?? new Map<string, Promise<unknown>>()
  turns.set(store, waiting)
  const before = waiting.get(subject) ?? Promise.resolve()
  const turn = before.then(work, work)
  waiting.set(subject, turn)
  try {
    return await turn
  } finally {
    if (waiting.get(subject) === turn) waiting.delete(subject)
  }
}

/**
 * Outcome of the insert of one record. `refusal`: the account may have no more. `fault`: the store failed at this one, by a fault of the program.
 * `stop`: the store takes no writes.
 */
export type InsertResult =
  | ChangeResult
  | { readonly refusal: AppError }
  | { readonly fault: Error }
  | { readonly stop: AppError }

/** Account of the records, and actor that stores them; none where the program does it itself. */
export interface InsertPlace {
  readonly accountId: string
  readonly by: Actor | undefined
}

/**
 * Stores new records, each for itself; public ones together with what they bring to the bank. Results are in the order of the records,
 * when all that was begun has ended: where the store stops in the middle, it is known of each record whether it is there.
 */
export async function insertEach(
  deps: RecordDeps,
  place: InsertPlace,
  records: readonly NewRecord[],
): Promise<readonly InsertResult[]> {
  const { accountId, by } = place
  const plain = records.filter(({ after }) => after === null)
  const written = await insertPlain(deps, place, plain)
  const resultOf = new Map(plain.map((record, index) => [record, written[index]]))
  const results = records.map((record) => {
    const { before, after } = record
    if (after === null) return resultOf.get(record) ?? { outcome: 'changed' as const }
    return commitOne(deps, { change: insertOf(accountId, record), before, after }, { by }).catch(asFailure)
  })
  return Promise.all(results)
}

async function insertPlain(
  deps: RecordDeps,
  place: InsertPlace,
  records: readonly NewRecord[],
): Promise<readonly InsertResult[]> {
  if (records.length === 0) return []
  try {
    const steps = records.map((record) => stepOf(insertOf(place.accountId, record)))
    return (await commitEach(deps, steps, place.by)).map((result) =>
      result.outcome === 'full' ? { refusal: storageExceeded(result) } : result,
    )
  } catch (error) {
    const failure = asFailure(error)
    if (records.length === 1 || 'stop' in failure) return records.map(() => failure)
    // The one at fault shows when each is written by itself.
    const results: InsertResult[] = []
    for (const record of records) results.push(...(await insertPlain(deps, place, [record])))
    return results
  }
}

/** The change by which a new record comes to an account. */
export function insertOf(accountId: string, { collection, id, isPublic, text, gaveUpMs }: NewRecord): Change {
  return { action: 'insert', collection, id, accountId, isPublic, text, gaveUpMs }
}

type InsertFailure = Exclude<InsertResult, ChangeResult>

function asFailure(error: unknown): InsertFailure {
  if (isOf(STORE_ERRORS.storageExceeded, error)) return { refusal: error }
  if (error instanceof AppError) return { stop: error }
  return { fault: error instanceof Error ? error : new Error(String(error)) }
}
