import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { Scope } from '../../query/plan.ts'
import type { Once } from '../../store/port/answers.ts'
import type { Actor } from '../../store/port/audit.ts'
import type { Change, ChangeResult, RecordStore, StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { versionTag } from '../ids.ts'
import type { RecordKind } from '../record-kind.ts'
import { refuseWarnings } from '../warnings/list-warnings.ts'
import type { WriteWarning } from '../warnings/write-warnings.ts'
import { type BankTransition, bankChanges } from '../work/bank-changes.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import { getRecord } from './read-records.ts'

/** The condition of a write: an `If-Match` header (RFC 9110, 13.1.1), entity tags or `*`. */
export interface WriteOptions {
  readonly ifMatch?: string
}

/** Reads a record that is about to be written: it must belong to the session's account and be the version that is expected. */
export async function readOwnRecord(collection: Collection, id: string, options: WriteOptions): Promise<StoredRecord> {
  const { kind, session } = collection
  const record = await getRecord(collection, id)
  if (record.accountId !== session.account.id) throw notOwner(kind, session)
  assertMatches(kind, record, options)
  return record
}

/** Refuses to go on with a record that is at another version than `If-Match` names. */
export function assertMatches(kind: RecordKind, record: StoredRecord, { ifMatch }: WriteOptions): void {
  const tag = versionTag(record)
  if (ifMatch === undefined || names(ifMatch, tag)) return
  throw new AppError(
    RECORD_ERRORS.preconditionFailed,
    `The ${kind.name} is at version "${tag}", which If-Match does not name.`,
    { path: 'If-Match', hint: 'Read the record again, make the change to what it is now, and send its new ETag.' },
  )
}

/** Writes to one record are tried again when another write came in between, this often. */
export const WRITE_ATTEMPTS = 10

/** The answer when every attempt lost against another write. */
export function writeConflict(kind: Pick<RecordKind, 'name'>): AppError {
  return new AppError(
    RECORD_ERRORS.writeConflict,
    `Other writes to the ${kind.name} came first ${WRITE_ATTEMPTS} times.`,
    {
      hint: 'Send the request again.',
    },
  )
}

function notOwner(kind: RecordKind, session: Session): AppError {
  return new AppError(
    RECORD_ERRORS.notOwner,
    `This ${kind.name} is public but belongs to another account: ${session.account.slug} can read it, not change it.`,
    {
      hint: `POST /${kind.collection}/ID/copy makes one of your own; or use a token of the account that it belongs to.`,
    },
  )
}

/** Weak tags never match here, says the RFC: they do not promise that the bytes are the same. */
function names(ifMatch: string, tag: string): boolean {
  return ifMatch.split(',').some((named) => named.trim() === '*' || named.trim() === `"${tag}"`)
}

const turns = new WeakMap<RecordStore, Map<string, Promise<unknown>>>()

/**
 * Runs work on one subject after work on the same subject that came before. Versions keep writes right without it; it only saves the
 * writers of one process from losing against each other again and again.
 */
export async function inTurn<T>(store: RecordStore, subject: string, work: () => Promise<T>): Promise<T> {
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

/** A change of one record as the bank sees it. */
export interface Transition extends BankTransition {
  /** Who makes the change; nobody, where the program does it by itself. */
  readonly by: Actor | undefined
  /** With what it is kept, where it is carried out once. */
  readonly once?: Once | undefined
}

/**
 * Applies a change of one record, with whatever has to happen beside it and what follows from it for the bank, in one transaction. Gives
 * the result of the change itself; `changed` also when something beside it has changed meanwhile.
 */
export async function applyChange(
  deps: RecordDeps,
  change: Change,
  { before, after, by, once }: Transition,
  beside: readonly Change[] = [],
): Promise<ChangeResult> {
  const attempt = async () => {
    const following = await bankChanges(deps, [{ before, after }])
    const results = await deps.store.apply([change, ...beside, ...following], by, once)
    return summarize(results, 1 + beside.length)
  }
  if (before?.id === after?.id) return (await attempt()).result
  for (let count = 0; count < WRITE_ATTEMPTS; count++) {
    const { result, isBankStale } = await inTurn(deps.store, after?.id ?? before?.id ?? '', attempt)
    if (!isBankStale) return result
  }
  return { outcome: 'changed' }
}

/** Nothing was applied unless all was; only a stale view of the bank is worth another try as it is. */
function summarize(results: readonly ChangeResult[], own: number): { result: ChangeResult; isBankStale: boolean } {
  const result = results[0] ?? { outcome: 'changed' }
  if (results.every(({ outcome }) => outcome === 'done')) return { result, isBankStale: false }
  const isBankStale = results.slice(0, own).every(({ outcome }) => outcome === 'done')
  return { result: result.outcome === 'done' ? { outcome: 'changed' } : result, isBankStale }
}

/** Whether what would be stored with a warning is refused. */
export interface Strictness {
  readonly strict?: boolean
}

/** Where a record is written, by whom, and how strictly. */
interface Written extends Strictness {
  readonly collection: string
  readonly scope: Scope
}

/** The warnings of a record that its writer is told: a field that other visible records have too is meant. */
export async function toldWarnings(
  store: RecordStore,
  { collection, scope, strict = false }: Written,
  warnings: readonly WriteWarning[],
): Promise<readonly Warning[]> {
  if (warnings.length === 0) return warnings
  const told = await store.askKnowledge(collection, scope, (knowledge) =>
    warnings
      .filter(({ unlessSeen, path }) => unlessSeen !== true || (knowledge?.kindsAt(path)?.size ?? 0) === 0)
      .map(({ unlessSeen: _, ...warning }) => warning),
  )
  if (strict) refuseWarnings(told)
  return told
}
