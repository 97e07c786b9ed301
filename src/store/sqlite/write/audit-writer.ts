import type { AuditAction, AuditEntry } from '../../port/audit.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'
import { type AuditBounds, DEFAULT_AUDIT_BOUNDS, type Deed } from '../../sign.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'
import type { AccountWrite, AccountWriteResult } from './write-job.ts'

/** Writes rows of the audit in the transaction of what they are about. */
export interface AuditWriter {
  note(deed: Deed, entry: AuditEntry): void
  /** Carries out a change of a record, and notes it when it was done. */
  change(deed: Deed, change: Change, carryOut: () => ChangeResult): ChangeResult
  /** Notes a write to users, accounts or tokens that was carried out. */
  account(deed: Deed, write: AccountWrite, carryOut: () => AccountWriteResult): AccountWriteResult
}

const DAY_MS = 86_400_000
/** Rows that one write removes at most, so that nobody waits for the removal of a year. */
const REMOVED_AT_ONCE = 1000
/** Between removals, in rows written. */
const ROWS_BETWEEN = 500

/** Prepares the statements. */
export function auditWriter(connection: Connection, bounds: AuditBounds = DEFAULT_AUDIT_BOUNDS): AuditWriter {
  const insert = connection.prepare(
    `INSERT INTO audit (at, action, via, user, account, address, request, kind, object, version, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const removeOld = connection.prepare(
    `DELETE FROM audit WHERE n IN
       (SELECT n FROM audit ORDER BY n LIMIT ${REMOVED_AT_ONCE})
       AND (at < ? OR n <= (SELECT max(n) FROM audit) - ?)`,
  )
  const isPublic = connection
    .prepare<[{ collection: string; id: string; account: string }], number>(
      `SELECT record.scope = ${PUBLIC_HOME} FROM collection JOIN record ON record.collection = collection.number
         AND record.scope IN (${PUBLIC_HOME}, (SELECT number FROM owner WHERE account = @account))
       WHERE collection.name = @collection AND record.id = @id AND record.owner = (SELECT number FROM owner WHERE account = @account)`,
    )
    .pluck()
  const findToken = connection.prepare<[string], { kind: string; name: string; user: string }>(
    'SELECT kind, name, user FROM token WHERE id = ?',
  )
  // Removals go on at the first row that a process writes.
  let written = ROWS_BETWEEN

  function note(deed: Deed, { action, kind, object, version, details }: AuditEntry): void {
    const { at, via, user, account, address, request } = deed
    const more = details === undefined ? null : JSON.stringify(details)
    insert.run(at, action, via, user, account, address, request, kind, object, version ?? null, more)
    written += 1
    if (written < ROWS_BETWEEN) return
    const { changes } = removeOld.run(at - bounds.days * DAY_MS, bounds.rows)
    written = changes === REMOVED_AT_ONCE ? ROWS_BETWEEN : 0
  }

  return {
    note,
    change(deed, change, carryOut) {
      if (change.action === 'expect' || change.follows === true) return carryOut()
      const { collection, id, accountId } = change
      const wasPublic =
        OF_PRESENT_RECORDS.has(change.action) && isPublic.get({ collection, id, account: accountId }) === 1
      const result = carryOut()
      if (result.outcome !== 'done') return result
      const { version } = result
      const entry = (action: AuditAction) => note(deed, { action, kind: collection, object: id, version })
      entry(change.isRecomputed ? 'record.recomputed' : RECORD_ACTIONS[change.action])
      const isNowPublic = 'isPublic' in change && change.isPublic
      if (isNowPublic !== wasPublic) entry(isNowPublic ? 'record.published' : 'record.withdrawn')
      return result
    },
    account(deed, write, carryOut) {
      const token = write.action === 'revokeToken' ? findToken.get(write.tokenId) : undefined
      const result = carryOut()
      if (result !== 'done') return result
      const entry = write.action === 'revokeToken' ? endOf(write.tokenId, token) : entryOf(write)
      if (entry !== null) note(deed, entry)
      return result
    },
  }
}

/** What a change of these does to who may see a record, depends on who could before; with the others nobody could. */
const OF_PRESENT_RECORDS: ReadonlySet<Change['action']> = new Set(['replace', 'remove', 'erase'])

const RECORD_ACTIONS = {
  insert: 'record.created',
  replace: 'record.changed',
  remove: 'record.removed',
  restore: 'record.restored',
  erase: 'record.erased',
  purge: 'record.erased',
} as const satisfies Partial<Record<Change['action'], AuditAction>>

function endOf(id: string, token: { kind: string; name: string; user: string } | undefined): AuditEntry {
  if (token?.kind === 'session')
    return { action: 'session.ended', kind: 'token', object: id, details: { of: token.user } }
  return {
    action: 'token.revoked',
    kind: 'token',
    object: id,
    details: { name: token?.name ?? null, of: token?.user ?? null },
  }
}

/** What a write to users, accounts and tokens is called; null for what nobody has to know of. */
function entryOf(write: Exclude<AccountWrite, { action: 'revokeToken' }>): AuditEntry | null {
  switch (write.action) {
    case 'insertUser':
      return { action: 'user.created', kind: 'user', object: write.user.id, details: { name: write.user.name } }
    case 'setUserDisabled':
      return {
        action: write.disabledAt === null ? 'user.enabled' : 'user.disabled',
        kind: 'user',
        object: write.userId,
      }
    case 'setPasswordHash':
      return { action: 'user.password-changed', kind: 'user', object: write.userId }
    case 'insertAccount':
      return {
        action: 'account.created',
        kind: 'account',
        object: write.account.id,
        details: { name: write.account.name },
      }
    case 'removeAccount':
      return { action: 'account.removed', kind: 'account', object: write.accountId }
    case 'putMember':
      return {
        action: 'member.put',
        kind: 'account',
        object: write.accountId,
        details: { of: write.userId, role: write.role },
      }
    case 'removeMember':
      return { action: 'member.removed', kind: 'account', object: write.accountId, details: { of: write.userId } }
    case 'passOwnership':
      return { action: 'member.owner-passed', kind: 'account', object: write.accountId, details: { of: write.to } }
    case 'insertToken': {
      const { id, kind, name, oneAccount, readOnly } = write.token
      if (kind === 'session') return { action: 'login.succeeded', kind: 'token', object: id }
      const details = { name, of: write.token.userId, oneAccount, readOnly }
      return { action: 'token.created', kind: 'token', object: id, details }
    }
    default:
      return null
  }
}
