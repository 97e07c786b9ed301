import type { Clock } from '../../kernel/clock.ts'
import type { AccountWrite } from '../accounts/account-write.ts'
import type { Actor, AuditAction, AuditEntry, AuditRow, Deed } from '../port/audit.ts'
import type { Change, ChangeResult } from '../port/record-store.ts'

/** Access to the store for noting a change. */
interface Noting {
  /** Whether the record is public, before the change is made. */
  wasPublic(): boolean
  note(entry: AuditEntry): void
}

/** Carries out a change of a record, and notes it when it was done. */
export function auditChange(change: Change, { wasPublic, note }: Noting, carryOut: () => ChangeResult): ChangeResult {
  if (change.action === 'expect' || change.follows === true) return carryOut()
  const wasSeen = OF_PRESENT_RECORDS.has(change.action) && wasPublic()
  const result = carryOut()
  if (result.outcome !== 'done') return result
  const { version } = result
  const entry = (action: AuditAction) => note({ action, kind: change.collection, object: change.id, version })
  entry(change.isRecomputed ? 'record.recomputed' : RECORD_ACTIONS[change.action])
  const isSeen = 'isPublic' in change && change.isPublic
  if (isSeen !== wasSeen) entry(isSeen ? 'record.published' : 'record.withdrawn')
  return result
}

/** A token as it was before it was revoked. */
export interface EndedToken {
  readonly kind: string
  readonly name: string
  readonly user: string
}

/** Audit entry of a write to users, accounts and tokens, with the token that it ended; null for a write that is not audited. */
export function entryOfWrite(write: AccountWrite, token: EndedToken | undefined): AuditEntry | null {
  return write.action === 'revokeToken' ? endOf(write.tokenId, token) : entryOf(write)
}

/** Actions on records that could be public before; with the others nobody could see the record. */
const OF_PRESENT_RECORDS: ReadonlySet<Change['action']> = new Set(['replace', 'remove', 'erase'])

const RECORD_ACTIONS = {
  insert: 'record.created',
  replace: 'record.changed',
  remove: 'record.removed',
  restore: 'record.restored',
  erase: 'record.erased',
  purge: 'record.erased',
} as const satisfies Partial<Record<Change['action'], AuditAction>>

function endOf(id: string, token: EndedToken | undefined): AuditEntry {
  if (token?.kind === 'session')
    return { action: 'session.ended', kind: 'token', object: id, details: { of: token.user } }
  return {
    action: 'token.revoked',
    kind: 'token',
    object: id,
    details: { name: token?.name ?? null, of: token?.user ?? null },
  }
}

/** Audit entry of a write to users, accounts and tokens; null for a write that is not audited. */
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
    case 'changeAccount': {
      const { title } = write.words
      const details = { fields: Object.keys(write.words).join(', '), ...(title === undefined ? {} : { title }) }
      return { action: 'account.changed', kind: 'account', object: write.accountId, details }
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

/** A row of the audit as databases have it, with the present names of its user and account. */
export type AuditColumns = Omit<AuditRow, 'user' | 'account' | 'details'> & {
  readonly userId: string | null
  readonly userName: string | null
  readonly accountId: string | null
  readonly accountSlug: string | null
  readonly details: string | null
}

export function auditRowOf({ userId, userName, accountId, accountSlug, details, ...row }: AuditColumns): AuditRow {
  return {
    ...row,
    user: userId === null ? null : { id: userId, name: userName },
    account: accountId === null ? null : { id: accountId, slug: accountSlug },
    details: details === null ? null : JSON.parse(details),
  }
}

/** Puts under a write who wrote it, and when. */
export type Sign = (by?: Actor) => Deed

/** Attributes what is written in nobody's name to whoever opened the store. */
export function signer(self: Actor, clock: Clock): Sign {
  return (by = self) => ({ ...by, at: clock() })
}

export interface AuditBounds {
  readonly days: number
  readonly rows: number
}

export const DEFAULT_AUDIT_BOUNDS: AuditBounds = { days: 365, rows: 5_000_000 }
