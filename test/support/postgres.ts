import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/store/postgres/base/database.ts'
import { migrate } from '../../src/store/postgres/schema/migrate.ts'
import { INSTALLED, programs, startPostgresIn } from './postgres-process.ts'

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

/** Why there is no PostgreSQL to test with; null where there is. */
export function missingPostgres(): string | null {
  if (process.env['QUARRY_TEST_DATABASE_URL'] !== undefined) return null
  return programs() === null ? `no PostgreSQL in ${INSTALLED}, and QUARRY_TEST_DATABASE_URL names none` : null
}

/** Uses the server that QUARRY_TEST_DATABASE_URL names, or starts one. */
export async function startPostgres(): Promise<TestServer> {
  const given = process.env['QUARRY_TEST_DATABASE_URL']
  if (given !== undefined) return serverAt(given, async () => {})
  const { url, stop } = await startPostgresIn(mkdtempSync(join(tmpdir(), 'quarry-pg-')), {
    settings: HASTY,
    isKept: false,
  })
  return serverAt(url, stop)
}

/** What is written is lost with the test: nothing waits for the disk. */
const HASTY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'jit=off', 'max_connections=200']

/** What a run that was killed has left on a server that outlives it is removed after a day. */
const ABANDONED_MS = 86_400_000
const NAMED = /^quarry_test_([0-9a-z]+)_/

/** Databases are copies of one that has the schema already: a tenth of the time that it takes to make one. */
export async function serverAt(url: string, stop: () => Promise<void>): Promise<TestServer> {
  const sql = connect({ url, connections: 1, statementTimeoutMs: 0 })
  const prefix = `quarry_test_${Date.now().toString(36)}_${process.pid}`
  const urlOf = (name: string) => url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
  const drop = async (name: string) => {
    await sql.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  const make = async (name: string, template?: string) => {
    const source = template ?? `template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`
    await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${source}`)
  }
  for (const { name } of await sql<{ name: string }[]>`SELECT datname AS name FROM pg_database`) {
    const [, begun] = NAMED.exec(name) ?? []
    if (begun !== undefined && Date.now() - Number.parseInt(begun, 36) > ABANDONED_MS) await drop(name)
  }
  const template = `${prefix}_template`
  await make(template)
  const preparing = connect({ url: urlOf(template), connections: 1, statementTimeoutMs: 0 })
  await migrate(preparing, true)
  await preparing.end()
  let last = 0
  return {
    url,
    async create({ isEmpty = false } = {}) {
      last += 1
      const name = `${prefix}_${last}`
      await make(name, isEmpty ? undefined : template)
      return { url: urlOf(name), drop: () => drop(name) }
    },
    async stop() {
      await drop(template)
      await sql.end()
      await stop()
    },
  }
}
