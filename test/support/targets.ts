import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/store/port/store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

import { missingPostgres, startPostgres, type TestServer } from './postgres.ts'

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
  /** The same with every record in a segment from the first moment on. */
  openInSegments(): Promise<OpenTarget>
}

/** Every store that there is; `STORES=sqlite` names those to test. */
export const TARGETS: readonly StoreTarget[] = [
  { name: 'sqlite', open: () => openSqlite(), openInSegments: () => openSqlite(AT_ONCE) },
  {
    name: 'postgres',
    open: () => openPostgres(),
    openInSegments: () => openPostgres(AT_ONCE),
  },
]
  .filter(({ name }) => process.env['STORES'] === undefined || process.env['STORES'].split(',').includes(name))
  .filter(({ name }) => name !== 'postgres' || missingPostgres() === null)

const AT_ONCE: SegmentSizes = { tailRows: 1, mergedTogether: 4, takenOver: 16 }

async function openSqlite(segmentSizes?: SegmentSizes): Promise<OpenTarget> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-store-'))
  const options = { dataDirectory, ...(segmentSizes === undefined ? {} : { segmentSizes }) }
  let store = await openSqliteStore(options)
  return {
    store,
    async reopen() {
      await store.close()
      store = await openSqliteStore(options)
      return store
    },
    async dispose() {
      await store.close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

let server: Promise<TestServer> | null = null

/** One server for all that a file tests; it ends with the last of its databases. */
async function openPostgres(segmentSizes?: SegmentSizes): Promise<OpenTarget> {
  server ??= startPostgres()
  const database = await (await server).create()
  const options = { url: database.url, ...(segmentSizes === undefined ? {} : { segmentSizes }) }
  let store = await openPostgresStore(options)
  return {
    store,
    async reopen() {
      await store.close()
      store = await openPostgresStore(options)
      return store
    },
    async dispose() {
      await store.close()
      await database.drop()
    },
  }
}

/** Ends the server, if one was started. */
export async function endServers(): Promise<void> {
  await (await server)?.stop()
  server = null
}
