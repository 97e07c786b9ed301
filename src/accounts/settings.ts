export interface AccountSettings {
  /** A session ends after this many days without use. */
  readonly sessionDays: number
  /** A session ends this many days after its beginning, however much it is used. */
  readonly sessionMostDays: number
  /** Memory of one argon2id computation, in KiB. */
  readonly passwordMemoryKib: number
  /** Passes of one argon2id computation over its memory. */
  readonly passwordPasses: number
  /** Passwords that are computed at the same time; each takes a thread and `passwordMemoryKib`. */
  readonly passwordConcurrency: number
  /** Passwords that may wait for their turn; the next one is refused. */
  readonly passwordQueue: number
  /** Failed logins in a row that one name may have from one address; they are forgiven evenly over the window. */
  readonly loginFailuresPerPair: number
  /** Failed logins in a row that one name may have from all addresses that its user has not logged in from. */
  readonly loginFailuresPerName: number
  /** Failed logins in a row that one address may have, where it is new to the users; and one user from an address that is not. */
  readonly loginFailuresPerAddress: number
  /** After this many seconds without a failed login all are forgiven. */
  readonly loginWindowSeconds: number
  readonly apiTokensPerUser: number
  /** Sessions that one user may have; one more login ends the one that was not used for longest. */
  readonly sessionsPerUser: number
}

/** argon2id with 19 MiB and two passes is the first recommendation of the OWASP password storage cheat sheet. */
export const DEFAULT_ACCOUNT_SETTINGS: AccountSettings = {
  sessionDays: 30,
  sessionMostDays: 180,
  passwordMemoryKib: 19_456,
  passwordPasses: 2,
  passwordConcurrency: 2,
  passwordQueue: 64,
  loginFailuresPerPair: 10,
  loginFailuresPerName: 30,
  loginFailuresPerAddress: 100,
  loginWindowSeconds: 600,
  apiTokensPerUser: 200,
  sessionsPerUser: 200,
}

export const DAY_MS = 86_400_000
