export interface Origin {
  /** `server`: by the program itself, as the samples of a first start. */
  readonly via: 'http' | 'command' | 'server'
  /** An IP address, or `os:NAME`: the user of the system who runs the program. */
  readonly address: string | null
  /** The id of the request, as in `X-Request-Id`. */
  readonly request: string | null
}

/** Author of an action, and its origin. Users and accounts by their ids. */
export interface Actor extends Origin {
  readonly user: string | null
  readonly account: string | null
}

/** Everything that the audit keeps, with one line for the documentation: what was done. */
export const AUDIT_ACTIONS = {
  'record.created': 'A record was stored.',
  'record.changed': 'A record was changed; its history has the change.',
  'record.recomputed':
    'What follows from a record, such as its space group, was computed anew: by `quarry recompute`, by a server that found what was missing, or because a user asked for it.',
  'record.published': 'A record became public, with the row that tells of the write itself.',
  'record.withdrawn': 'A record is not public any more, with the row that tells of the write itself.',
  'record.removed': 'A record was deleted so that it can be restored.',
  'record.restored': 'A deleted record was restored.',
  'record.erased': 'A record was deleted for good, with its history.',
  'login.succeeded': 'A user logged in.',
  'login.failed':
    'A login was refused: a wrong name or password, or a disabled user. An unknown name is not kept: it may be a password.',
  'session.ended': 'A login ended: the user logged out, or it was one too many, or too old.',
  'token.created': 'An API token was made.',
  'token.revoked': 'An API token was revoked.',
  'user.created': 'A user was created.',
  'user.disabled': 'A user was kept out.',
  'user.enabled': 'A disabled user was let in again.',
  'user.password-changed': 'A user got another password.',
  'account.created': 'An organization was created.',
  'account.changed': 'An organization got another title or description.',
  'account.removed': 'An organization was deleted.',
  'member.put': 'A user was taken into an organization, or got another role there.',
  'member.removed': 'A member left an organization, or was removed from it.',
  'member.owner-passed': 'An organization got another owner.',
  'store.backed-up': 'A copy of all data was written.',
  'store.restored': 'All data were replaced by a backup.',
  'store.migrated': 'All data were moved here from another store.',
} as const satisfies Readonly<Record<string, string>>

export type AuditAction = keyof typeof AUDIT_ACTIONS

export interface AuditEntry {
  readonly action: AuditAction
  /** The collection of a record, or `user`, `account`, `token`, `store`. */
  readonly kind: string
  /** Id of the record, user, account or token. */
  readonly object: string | null
  /** The version of a record that the write made. */
  readonly version?: number
  /** Other facts worth knowing: names, roles. Never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

/** A row of the audit; names are those that the ids have at present, null when there is no such user or account any more. */
export interface AuditRow extends Omit<AuditEntry, 'version' | 'details'>, Origin {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly user: { readonly id: string; readonly name: string | null } | null
  readonly account: { readonly id: string; readonly slug: string | null } | null
  readonly version: number | null
  readonly details: NonNullable<AuditEntry['details']> | null
}

/** Filter of rows; what is left out does not matter. */
export interface AuditQuery {
  readonly userId?: string
  /** The whole action, or what it is about: `record`. */
  readonly action?: string
  readonly object?: string
  readonly request?: string
  /** From then on, in milliseconds since 1970. */
  readonly since?: number
  readonly until?: number
  readonly limit: number
}

/** The audit. Rows of changes are written with the change, in its transaction; they go when they are old, or too many. */
export interface AuditStore {
  /** Keeps what is no change of the store itself. */
  note(entry: AuditEntry, by?: Actor): Promise<void>
  /** Reads rows in the order in which they were written. */
  read(query: AuditQuery): Promise<readonly AuditRow[]>
}

/** Author and time. */
export interface Deed extends Actor {
  /** Milliseconds since 1970. */
  readonly at: number
}
