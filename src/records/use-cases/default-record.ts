import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { remedied } from '../../page/remedies.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { changeNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { addressOf } from '../ids.ts'
import { isEntitySet } from '../kinds/entity-set.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Collection } from '../work/deps.ts'
import { fieldsOf, withFields } from '../work/stored-text.ts'
import { memberAccount, readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './change.ts'
import { ensureStarter, recordNotFound } from './read-records.ts'
import { commit, stepOf } from './write-record.ts'

/** Reads the default record of the session's account, or of another account that the user is a member of. */
export async function getDefaultRecord(collection: Collection, accountId?: string): Promise<StoredRecord> {
  const { deps, kind, session } = collection
  const account = await memberAccount(deps, session, accountId, 'accountId')
  await ensureStarter(collection, account)
  const scope = { kind: 'account', accountId: account.id } as const
  const record = await deps.store.readDefault(kind.collection, scope, account.id)
  if (record !== null) return record
  throw new AppError(RECORD_ERRORS.noDefault, `The account ${account.slug} has no default ${kind.name}.`, {
    ...remedied('setDefault', { collection: kind.collection }),
  })
}

/** Makes a record the default of its account and collection, in the place of the one before. */
export async function setDefaultRecord(
  collection: Collection,
  id: string,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const record = await readOwnRecord(collection, id, options)
    await assertNoSet(collection, record)
    const former = await deps.store.readDefault(kind.collection, session.scope, session.account.id)
    if (former?.id === id) return record
    const becomes = await defaultChange(collection, record, true)
    const changes = former === null ? [becomes] : [await defaultChange(collection, former, false), becomes]
    const written = { ...record, text: becomes.text, version: record.version + 1 }
    const write = { steps: changes.map(stepOf), by: actorOf(session), once: collection.once?.(written) }
    const { isDone, results } = await commit(deps, write)
    if (isDone) return written
    if (results.at(-1)?.outcome === 'missing') throw recordNotFound(kind, id)
  }
  throw writeConflict(kind)
}

/** A default record cannot be deleted: another has to take its place first. */
export function assertNotDefault(kind: RecordKind, document: JsonObject): void {
  if (document.isDefault !== true) return
  const message = `This ${kind.name} is the default of its account and cannot be deleted.`
  throw new AppError(RECORD_ERRORS.isDefault, message, {
    path: 'isDefault',
    ...remedied('otherDefault', { collection: kind.collection }),
  })
}

async function assertNoSet({ deps, kind, session }: Collection, { text }: StoredRecord): Promise<void> {
  if (!isEntitySet(await fieldsOf(deps.work, session.user.id, text, ['isEntitySet']))) return
  throw new AppError(RECORD_ERRORS.setAsDefault, `A set of ${kind.collection} cannot be the default ${kind.name}.`, {
    hint: 'Make one of its members the default.',
  })
}

/** The change by which a record becomes the default, or ceases to be it. */
async function defaultChange({ deps, kind, session }: Collection, record: StoredRecord, isDefault: boolean) {
  const text = await withFields(deps.work, session.user.id, record.text, {
    isDefault,
    updatedAt: isoInstant(deps.clock()),
  })
  const note = changeNote(deps, session, isDefault ? 'set-default' : 'unset-default')
  const { isPublic } = record
  return { action: 'replace', ...addressOf(kind.collection, record), isPublic, isDefault, text, note } as const
}
