import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, disconnect } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { logToLines } from '../support/log-lines.ts'
import { missingPgbouncer, type Pooler, startPgbouncer } from '../support/pgbouncer.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'
import { giveToServer, type PostgresProcess, startPostgresIn } from '../support/postgres-process.ts'
import { findProgram, freePort, makeCertificate } from '../support/programs.ts'

const reason = missingPostgres()
const without = reason ?? missingPgbouncer()

/** Opens a database and closes it again; tells what was told to the log, by name and reason. */
async function open(url: string): Promise<readonly string[]> {
  const { log, lines } = logToLines()
  const store = await openPostgresStore({ url, log })
  await store.ping()
  await store.close()
  return lines.flatMap(({ event, reason: why }) => (event === 'store.database-weak' ? [String(why)] : []))
}

describe.skipIf(reason !== null)(`a PostgreSQL server${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let pooler: Pooler | null = null

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create()
  })
  afterEach(async () => {
    await pooler?.close()
    pooler = null
    await database.drop()
  })

  async function set(statement: string): Promise<void> {
    const sql = connect({ url: server.url, connections: 1, statementTimeoutMs: 0 })
    await sql.unsafe(statement.replace('$DATABASE', new URL(database.url).pathname.slice(1)))
    await disconnect(sql)
  }

  it('that acknowledges what is not on disk is used, and the log says what that means', async () => {
    expect(await open(database.url)).toEqual([
      expect.stringContaining('fsync is off'),
      expect.stringContaining('synchronous_commit is off'),
    ])
  })

  it('that is read-only is refused', async () => {
    await set('ALTER DATABASE $DATABASE SET default_transaction_read_only = on')
    await expect(open(database.url)).rejects.toMatchObject({
      code: 50012,
      message: 'The database cannot be used: it is read-only.',
    })
  })

  it('that has another encoding is refused', async () => {
    await set("CREATE DATABASE quarry_latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    await expect(open(database.url.replace(/[^/]+$/, 'quarry_latin'))).rejects.toMatchObject({
      message: 'The database cannot be used: its encoding is LATIN1.',
    })
    await set('DROP DATABASE quarry_latin')
  })

  it.each(['sslmode=verfy-full', 'sslrootcert=/nowhere/root.pem'])('is not asked with %s', async (parameter) => {
    await expect(open(`postgres://quarry@127.0.0.1:1/x?${parameter}`)).rejects.toMatchObject({ code: 50012 })
  })

  describe.skipIf(without !== null)(`behind a pooler${without === null ? '' : ` (skipped: ${without})`}`, () => {
    const begin = async (...settings: string[]) => {
      pooler = await startPgbouncer(database.url, settings)
      return pooler.url
    }

    it('is refused where connections are lent to transactions, with what would be right', async () => {
      await expect(
        open(await begin('pool_mode=transaction', 'ignore_startup_parameters=statement_timeout')),
      ).rejects.toMatchObject({
        code: 50012,
        message: expect.stringContaining('a pooler lends its connections'),
        data: { hint: expect.stringContaining('pool_mode=session') },
      })
    })

    it('is refused where the pooler takes no time limit', async () => {
      await expect(open(await begin('pool_mode=session'))).rejects.toMatchObject({
        code: 50012,
        data: { hint: expect.stringContaining('ignore_startup_parameters=statement_timeout') },
      })
    })

    it('is refused where the time limit is lost', async () => {
      await expect(
        open(await begin('pool_mode=session', 'ignore_startup_parameters=statement_timeout')),
      ).rejects.toMatchObject({ message: expect.stringContaining('statement_timeout') })
    })

    it('is used as the hint says', async () => {
      await set("ALTER DATABASE $DATABASE SET statement_timeout = '30s'")
      expect(await open(await begin('pool_mode=session', 'ignore_startup_parameters=statement_timeout'))).toHaveLength(
        2,
      )
    })
  })
})

const unencrypted = reason ?? (findProgram('openssl') === null ? 'openssl is not installed' : null)

describe.skipIf(unencrypted !== null)(
  `a connection with TLS${unencrypted === null ? '' : ` (skipped: ${unencrypted})`}`,
  () => {
    let directory: string
    let server: PostgresProcess
    let certificate: string
    let at: (host: string, query: string) => string

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'quarry-tls-'))
      const files = makeCertificate(directory, 'DNS:localhost')
      certificate = files.certificate
      chmodSync(directory, 0o755)
      chmodSync(files.key, 0o600)
      giveToServer(files.key)
      const port = await freePort()
      server = await startPostgresIn(mkdtempSync(join(tmpdir(), 'quarry-pg-')), {
        isKept: false,
        settings: ['listen_addresses=127.0.0.1', `port=${port}`, 'fsync=off', 'ssl=on', ...filesFor(files)],
      })
      at = (host, query) => `postgres://quarry@${host}:${port}/postgres?${query}`
    })
    afterAll(async () => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    })

    const filesFor = (files: { certificate: string; key: string }) => [
      `ssl_cert_file=${files.certificate}`,
      `ssl_key_file=${files.key}`,
    ]
    const isEncrypted = async (url: string) => {
      const sql = connect({ url, connections: 1, statementTimeoutMs: 0 })
      try {
        const [row] = await sql<{ ssl: boolean }[]>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`
        return row?.ssl
      } finally {
        await disconnect(sql)
      }
    }

    it.each([
      ['', true],
      ['sslmode=disable', false],
      ['sslmode=require', true],
    ])('with "%s" is encrypted: %s', async (query, encrypted) => {
      expect(await isEncrypted(at('localhost', query))).toBe(encrypted)
    })

    it('is verified against the certificates that are named, and the host', async () => {
      const trusted = `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificate)}`
      expect(await isEncrypted(at('localhost', trusted))).toBe(true)
      await expect(isEncrypted(at('localhost', 'sslmode=verify-full'))).rejects.toThrow('self-signed certificate')
      await expect(isEncrypted(at('127.0.0.1', trusted))).rejects.toThrow("IP: 127.0.0.1 is not in the cert's list")
      expect(await isEncrypted(at('127.0.0.1', trusted.replace('full', 'ca')))).toBe(true)
    })
  },
)
