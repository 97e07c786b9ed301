import { actorOf, assertMayWrite, type Session } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../address-of.ts'
import { changeNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { isEntitySet } from '../kinds/entity-set.ts'
import type { RecordKind } from '../record-kind.ts'
import { memberAccount } from '../work/complete-record.ts'
import type { RecordDeps } from '../work/deps.ts'
import { readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './change.ts'
import { ensureStarter, recordNotFound } from './read-records.ts'

/** Reads the default record of the session's account, or of another account that the user is a member of. */
export async function getDefaultRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  accountId?: string,
): Promise<StoredRecord> {
  const account = await memberAccount(deps, session, accountId, 'accountId')
  await ensureStarter(deps, kind, session, account)
  const scope = { kind: 'account', accountId: account.id } as const
  const record = await deps.store.readDefault(kind.collection, scope, account.id)
  if (record !== null) return record
  throw new AppError(RECORD_ERRORS.noDefault, `The account ${account.slug} has no default ${kind.name}.`, {
    hint: `POST /${kind.collection}/ID/set-default makes one the default.`,
  })
}

/** Makes a record the default of its account and collection, in the place of the one before. */
export async function setDefaultRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const record = await readOwnRecord(deps, kind, session, id, options)
    await assertNoSet(deps, kind, session, record)
    const former = await deps.store.readDefault(kind.collection, session.scope, session.account.id)
    if (former?.id === id) return record
    const text = await withDefault(deps, session, record, true)
    const changes = [
      ...(former === null
        ? []
        : [changeOf(deps, kind, session, former, false, await withDefault(deps, session, former, false))]),
      changeOf(deps, kind, session, record, true, text),
    ]
    const results = await deps.store.apply(changes, actorOf(session))
    if (results.every(({ outcome }) => outcome === 'done')) return { ...record, text, version: record.version + 1 }
    if (results.at(-1)?.outcome === 'missing') throw recordNotFound(kind, id)
  }
  throw writeConflict(kind)
}

/** A default record cannot be deleted: another has to take its place first. */
export function assertNotDefault(kind: RecordKind, document: JsonObject): void {
  if (document.isDefault !== true) return
  throw new AppError(
    RECORD_ERRORS.isDefault,
    `This ${kind.name} is the default of its account and cannot be deleted.`,
    {
      path: 'isDefault',
      hint: `Make another the default first: POST /${kind.collection}/ID/set-default.`,
    },
  )
}

async function assertNoSet(
  deps: RecordDeps,
  kind: RecordKind,
  { user }: Session,
  { text }: StoredRecord,
): Promise<void> {
  if (!isEntitySet(await deps.work.pick(user.id, text, ['isEntitySet']))) return
  throw new AppError(RECORD_ERRORS.setAsDefault, `A set of ${kind.collection} cannot be the default ${kind.name}.`, {
    hint: 'Make one of its members the default.',
  })
}

function withDefault(deps: RecordDeps, { user }: Session, { text }: StoredRecord, isDefault: boolean): Promise<string> {
  return deps.work.put(user.id, text, { isDefault, updatedAt: isoInstant(deps.clock()) })
}

function changeOf(
  deps: RecordDeps,
  { collection }: RecordKind,
  session: Session,
  record: StoredRecord,
  isDefault: boolean,
  text: string,
): Change {
  const note = changeNote(deps, session, isDefault ? 'set-default' : 'unset-default')
  return { action: 'replace', ...addressOf(collection, record), isPublic: record.isPublic, isDefault, text, note }
}
