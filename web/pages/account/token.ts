import { calledBy } from '../../app/called-by.ts'

/** A credential of a person: an API token, or the session of a browser or program that logged in. */
export interface Token {
  readonly _id: string
  readonly name: string
  readonly kind: 'session' | 'api'
  readonly accountId: string
  /** Whether it works for that account only. */
  readonly oneAccount: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly readOnly: boolean
  readonly isCurrent: boolean
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago something was, in words. Uses are exact to a minute. */
export function ago(at: string, now: number): string {
  const past = now - Date.parse(at)
  if (past < 2 * MINUTE) return 'just now'
  if (past < 2 * HOUR) return `${Math.floor(past / MINUTE)} minutes ago`
  if (past < 2 * DAY) return `${Math.floor(past / HOUR)} hours ago`
  return `${Math.floor(past / DAY)} days ago`
}

/** How long something still holds, in words. */
export function left(until: string, now: number): string {
  const rest = Date.parse(until) - now
  if (rest <= 0) return 'expired'
  if (rest < 2 * HOUR) return `${Math.ceil(rest / MINUTE)} minutes left`
  if (rest < 2 * DAY) return `${Math.ceil(rest / HOUR)} hours left`
  return `${Math.floor(rest / DAY)} days left`
}

interface Named {
  readonly entity: { readonly _id: string; readonly name: string; readonly title?: string | null }
}

/** What a token can do, in words. */
export function abilities({ readOnly, oneAccount, accountId }: Token, accounts: readonly Named[]): string {
  const what = readOnly ? 'reads' : 'reads and writes'
  if (!oneAccount) return `${what}, in all your accounts`
  const account = accounts.find(({ entity }) => entity._id === accountId)?.entity
  return `${what}, in ${account === undefined ? 'an account that you have left' : calledBy(account)} only`
}
