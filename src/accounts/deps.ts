import { type Clock, systemClock } from '../kernel/clock.ts'
import { type Log, SILENT_LOG } from '../kernel/log.ts'
import { type RandomSource, systemRandom } from '../kernel/names.ts'
import type { AccountStore } from '../store/port/account-store.ts'
import { createLoginThrottle, createPasswords, type LoginThrottle, type Passwords } from './passwords.ts'
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from './settings.ts'

export interface AccountDeps {
  readonly store: AccountStore
  readonly clock: Clock
  readonly random: RandomSource
  readonly passwords: Passwords
  readonly throttle: LoginThrottle
  readonly settings: AccountSettings
  readonly log: Log
}

/** Builds the dependencies over a store; everything else has a default that suits a server. */
export function accountDeps(
  store: AccountStore,
  options: { clock?: Clock; random?: RandomSource; settings?: Partial<AccountSettings>; log?: Log } = {},
): AccountDeps {
  const clock = options.clock ?? systemClock
  const settings = { ...DEFAULT_ACCOUNT_SETTINGS, ...options.settings }
  return {
    store,
    clock,
    random: options.random ?? systemRandom,
    passwords: createPasswords(settings),
    throttle: createLoginThrottle(store, settings, clock),
    settings,
    log: options.log ?? SILENT_LOG,
  }
}
