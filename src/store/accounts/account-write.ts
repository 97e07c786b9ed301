import type { AccountRow, LesserRole, MeterUse, TokenRow, UserRow } from '../port/account-store.ts'
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
