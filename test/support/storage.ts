import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../src/store/port/store.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { startPostgres, type TestServer } from './postgres.ts'

/** The store that the suites run over: that of the project in vitest.config.ts. */
export const STORE = process.env['STORE'] === 'postgres' ? 'postgres' : 'sqlite'

/** What a store in tests is opened with, of either kind. */
export type StoreOptions = Omit<Parameters<typeof openSqliteStore>[0], 'dataDirectory'> &
  Pick<PostgresStoreOptions, 'turns'>

/** Where a store keeps what it is given: a file, or a database. */
export interface Storage {
  /** The data directory, which has the database of an embedded store. */
  readonly directory: string
  /** Opens what is kept here; several times, as several processes would. */
  open(options?: StoreOptions): Promise<Store>
  /** The address of the database, where it has one. */
  readonly url: string | null
  remove(): Promise<void>
}

export async function newStorage(): Promise<Storage> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-store-'))
  const removeDirectory = () => rm(directory, { recursive: true, force: true })
  if (STORE === 'sqlite') {
    const open = (options: StoreOptions = {}) => openSqliteStore({ ...options, dataDirectory: directory })
    return { directory, url: null, open, remove: removeDirectory }
  }
  server ??= startPostgres()
  const { url, drop } = await (await server).create()
  return {
    directory,
    url,
    open: (options = {}) => openPostgresStore({ ...options, url }),
    async remove() {
      await drop()
      await removeDirectory()
    },
  }
}

/** One for all that a file tests. It is not stopped: that of a run outlives its files, and one of this process ends with it. */
let server: Promise<TestServer> | null = null
