import type { AccountRow, AccountWords, LesserRole, MeterUse, TokenRow, UserRow } from '../port/account-store.ts'
import type { Once } from '../port/answers.ts'

export type AccountWrite =
  | { readonly action: 'insertUser'; readonly user: UserRow; readonly personalAccount: AccountRow }
  | { readonly action: 'setUserDisabled'; readonly userId: string; readonly disabledAt: number | null }
  | { readonly action: 'setPasswordHash'; readonly userId: string; readonly passwordHash: string }
  | {
      readonly action: 'insertAccount'
      readonly account: AccountRow
      readonly owner: string
      readonly once?: Once | undefined
    }
  | {
      readonly action: 'changeAccount'
      readonly accountId: string
      readonly words: Partial<AccountWords>
      readonly once?: Once | undefined
    }
  | { readonly action: 'removeAccount'; readonly accountId: string }
  | { readonly action: 'putMember'; readonly accountId: string; readonly userId: string; readonly role: LesserRole }
  | { readonly action: 'removeMember'; readonly accountId: string; readonly userId: string }
  | { readonly action: 'passOwnership'; readonly accountId: string; readonly from: string; readonly to: string }
  | { readonly action: 'insertToken'; readonly token: TokenRow }
  | { readonly action: 'revokeToken'; readonly userId: string; readonly tokenId: string }
  | { readonly action: 'touchToken'; readonly tokenId: string; readonly lastUsedAt: number }
  | { readonly action: 'endToken'; readonly tokenId: string; readonly endedAt: number }
  | { readonly action: 'countOn'; readonly meters: readonly MeterUse[]; readonly now: number }
  | { readonly action: 'takeBackFrom'; readonly meters: readonly MeterUse[]; readonly now: number }
  | { readonly action: 'noteAddress'; readonly userId: string; readonly digest: string; readonly usedAt: number }

export type AccountWriteResult =
  | 'done'
  | 'missing'
  | 'owner'
  /** It has been carried out already, under the same key. */
  | 'repeated'
  | { readonly taken: 'name' | 'email' }
  | { readonly records: number }
  | { readonly wait: number }

/** A use of a token is written at most once in this time. */
export const TOUCH_INTERVAL_MS = 60_000

/** Shorter waits come from the rounding of shares, and are none. */
const NO_TIME_MS = 1

/** Time when a meter will be empty; not before now, and never later than a full one: the clock may have been ahead. */
export function levelOf(emptyAt: number | undefined, windowMs: number, now: number): number {
  return Math.min(Math.max(emptyAt ?? now, now), now + windowMs)
}

/** Milliseconds until a meter has room for one more event. */
export function waitFor(emptyAt: number | undefined, { share, windowMs }: MeterUse, now: number): number {
  const wait = levelOf(emptyAt, windowMs, now) + share - windowMs - now
  return wait < NO_TIME_MS ? 0 : wait
}
