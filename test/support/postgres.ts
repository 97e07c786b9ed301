import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { migrate } from '../../src/store/postgres/schema/migrate.ts'
import { startPostgresIn } from './postgres-process.ts'

export { missingPostgres } from './postgres-process.ts'

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A server that tests share. */
export interface TestServer {
  readonly url: string
  /** Makes a database that has the schema, and nothing else; one that is empty has none. */
  create(options?: { readonly isEmpty?: boolean }): Promise<TestDatabase>
  stop(): Promise<void>
}

/** Names the database that has the schema, on the server that all files of a run share. */
const SHARED_TEMPLATE = 'QUARRY_TEST_TEMPLATE'

/** Uses the server that QUARRY_TEST_DATABASE_URL names, or starts one. */
export async function startPostgres(): Promise<TestServer> {
  const { [SHARED_TEMPLATE]: template, QUARRY_TEST_DATABASE_URL: given } = process.env
  if (given === undefined) return startOwn()
  if (template === undefined) return new Databases(given)
  return new Databases(given, { template })
}

/** Starts a server for all files of a run: their processes begin with this environment. */
export async function sharePostgres(environment: NodeJS.ProcessEnv): Promise<TestServer> {
  const given = environment['QUARRY_TEST_DATABASE_URL']
  const server = given === undefined ? await startOwn() : new Databases(given)
  environment['QUARRY_TEST_DATABASE_URL'] = server.url
  environment[SHARED_TEMPLATE] = await server.template()
  return server
}

async function startOwn(): Promise<Databases> {
  const directory = mkdtempSync(join(isRoomy(MEMORY) ? MEMORY : tmpdir(), 'quarry-pg-'))
  const { url, stop } = await startPostgresIn(directory, { settings: HASTY, isKept: false })
  return new Databases(url, { stop })
}

/** Where Linux has files in memory: a database is copied there in a tenth of the time. Containers have 64 MiB of it, unless told otherwise. */
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 2 ** 31

function isRoomy(directory: string): boolean {
  if (!existsSync(directory)) return false
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize > ENOUGH_BYTES
}

/** What is written is lost with the test: nothing waits for the disk, and little is kept of what is over. */
const HASTY = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'jit=off',
  'max_connections=200',
  'max_wal_size=256MB',
]

/** What a run that was killed has left on a server that outlives it is removed after a day. */
const ABANDONED_MS = 86_400_000
const NAMED = /^quarry_test_([0-9a-z]+)_/

/** Uses a server that was started elsewhere. */
export async function serverAt(url: string, stop: () => Promise<void>): Promise<TestServer> {
  return new Databases(url, { stop })
}

/** The databases of one process on a server: copies of one that has the schema already. */
class Databases implements TestServer {
  readonly url: string
  readonly #sql: Sql
  readonly #prefix = `quarry_test_${Date.now().toString(36)}_${process.pid}`
  readonly #stop: () => Promise<void>
  readonly #shared: string | undefined
  #own: Promise<string> | null = null
  #last = 0

  /** `template`: one that somebody else has made. */
  constructor(
    url: string,
    { template, stop = async () => {} }: { template?: string; stop?: () => Promise<void> } = {},
  ) {
    this.url = url
    this.#sql = connect({ url, connections: 1, statementTimeoutMs: 0 })
    this.#shared = template
    this.#stop = stop
  }

  /** The database that others are copies of; made when it is first asked for. */
  async template(): Promise<string> {
    if (this.#shared !== undefined) return this.#shared
    this.#own ??= this.#prepare()
    return this.#own
  }

  async create({ isEmpty = false } = {}): Promise<TestDatabase> {
    this.#last += 1
    const name = `${this.#prefix}_${this.#last}`
    await this.#make(name, isEmpty ? EMPTY : await this.template())
    return { url: this.#urlOf(name), drop: () => this.#drop(name) }
  }

  async stop(): Promise<void> {
    if (this.#own !== null) await this.#drop(await this.#own)
    await this.#sql.end()
    await this.#stop()
  }

  async #prepare(): Promise<string> {
    for (const { name } of await this.#sql<{ name: string }[]>`SELECT datname AS name FROM pg_database`) {
      const [, begun] = NAMED.exec(name) ?? []
      if (begun !== undefined && Date.now() - Number.parseInt(begun, 36) > ABANDONED_MS) await this.#drop(name)
    }
    const template = `${this.#prefix}_template`
    await this.#make(template, EMPTY)
    const preparing = connect({ url: this.#urlOf(template), connections: 1, statementTimeoutMs: 0 })
    await migrate(preparing, true)
    await preparing.end()
    return template
  }

  async #make(name: string, template: string): Promise<void> {
    await this.#sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  }

  async #drop(name: string): Promise<void> {
    await this.#sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }

  #urlOf(name: string): string {
    return this.url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
  }
}

/** What a database without anything is a copy of. */
const EMPTY = `template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`
