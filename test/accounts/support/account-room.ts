import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccountDeps, accountDeps } from '../../../src/accounts/deps.ts'
import type { AccountSettings } from '../../../src/accounts/settings.ts'
import type { AuditStore } from '../../../src/store/port/audit.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts'

/** Passwords that cost next to nothing; everything else as in use. */
export const CHEAP_PASSWORDS: Partial<AccountSettings> = { passwordMemoryKib: 64, passwordPasses: 1 }

export const START = Date.UTC(2026, 0, 15, 12)

/** The accounts room over a store of its own, with a clock that the test moves. */
export interface AccountRoom {
  readonly deps: AccountDeps
  readonly audit: AuditStore
  readonly time: { now: number }
  /** The room as another process has it: a store of its own over the same file. */
  besides(options?: { readonly readOnly?: boolean }): Promise<AccountDeps>
  close(): Promise<void>
}

export async function openAccountRoom(settings: Partial<AccountSettings> = {}): Promise<AccountRoom> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-accounts-'))
  const stores: Store[] = []
  const time = { now: START }
  const open = async (options = {}) => {
    const store = await openSqliteStore({ dataDirectory: directory, ...options })
    stores.push(store)
    return store
  }
  const over = ({ accounts }: Store) =>
    accountDeps(accounts, { clock: () => time.now, settings: { ...CHEAP_PASSWORDS, ...settings } })
  const first = await open()
  return {
    deps: over(first),
    audit: first.audit,
    time,
    besides: async (options) => over(await open(options)),
    close: async () => {
      for (const store of stores) await store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Runs what must be refused and gives the refusal. */
export async function refusalOf(action: () => unknown): Promise<{ code: number; message: string; data: unknown }> {
  try {
    await action()
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data: unknown }
    if (typeof code === 'number') return { code, message, data }
    throw error
  }
  throw new Error('nothing was refused')
}
