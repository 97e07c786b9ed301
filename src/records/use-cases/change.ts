import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import { assertTokenReaches } from '../../accounts/organizations.ts'
import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { remedied } from '../../page/remedies.ts'
import type { AccountRow } from '../../store/port/account-store.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { versionTag } from '../ids.ts'
import type { RecordKind } from '../record-kind.ts'
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
  const message = `The ${kind.name} is at version "${tag}", which If-Match does not name.`
  const hint = 'Read the record again, make the change to what it is now, and send its new ETag.'
  throw new AppError(RECORD_ERRORS.preconditionFailed, message, { path: 'If-Match', hint })
}

/** Writes to one record are tried again when another write came in between, this often. */
export const WRITE_ATTEMPTS = 10

/** The answer when every attempt lost against another write. */
export function writeConflict(kind: Pick<RecordKind, 'name'>): AppError {
  const message = `Other writes to the ${kind.name} came first ${WRITE_ATTEMPTS} times.`
  return new AppError(RECORD_ERRORS.writeConflict, message, { hint: 'Do it once more.' })
}

function notOwner(kind: RecordKind, session: Session): AppError {
  return new AppError(
    RECORD_ERRORS.notOwner,
    `This ${kind.name} is public but belongs to another account: ${session.account.slug} can read it, not change it.`,
    remedied('copyToChange', { collection: kind.collection }),
  )
}

/** Weak tags never match here, says the RFC: they do not promise that the bytes are the same. */
function names(ifMatch: string, tag: string): boolean {
  return ifMatch.split(',').some((named) => named.trim() === '*' || named.trim() === `"${tag}"`)
}

/** Finds an account of the user by its id, the session's by none; `path` is where the client named it. */
export async function memberAccount(
  deps: RecordDeps,
  session: Session,
  id: string | undefined,
  path: string,
): Promise<AccountRow> {
  if (id === undefined || id === session.account.id) return session.account
  const accounts = await deps.accounts.accountsOf(session.user.id)
  const account = accounts.find((candidate) => candidate.id === id)
  if (account !== undefined) {
    assertTokenReaches(session, id)
    return account
  }
  const message = `You are not a member of the account ${JSON.stringify(id.slice(0, 64))}.`
  const hint = `Leave it out, and ${session.account.slug} is meant.`
  throw new AppError(ACCOUNT_ERRORS.notAMember, message, { path, hint })
}
