import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/store/port/store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

/** A store under test, over storage of its own. */
export interface OpenTarget {
  readonly store: Store
  /** Closes the store and opens the same storage again. */
  reopen(): Promise<Store>
  /** Closes the store and removes its storage. */
  dispose(): Promise<void>
}

/** A kind of store that the contract is tested against. */
export interface StoreTarget {
  readonly name: string
  open(): Promise<OpenTarget>
}

/** Every store that there is; `STORES=sqlite` names those to test. */
export const TARGETS: readonly StoreTarget[] = [{ name: 'sqlite', open: openSqlite }].filter(
  ({ name }) => process.env['STORES'] === undefined || process.env['STORES'].split(',').includes(name),
)

async function openSqlite(): Promise<OpenTarget> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-store-'))
  let store = await openSqliteStore({ dataDirectory })
  return {
    store,
    async reopen() {
      await store.close()
      store = await openSqliteStore({ dataDirectory })
      return store
    },
    async dispose() {
      await store.close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}
