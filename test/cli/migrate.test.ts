import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readDataPlace } from '../../src/app/migrate-data.ts'
import { connect, disconnect, type Sql } from '../../src/store/postgres/base/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { newDataDirectory, runCli, startCli } from '../support/cli.ts'
import { furnish } from '../support/furnish.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'
import { noticedHeaders, startServer, stopServers } from './server-process.ts'

const reason = missingPostgres()
const SECRET = 'Zq-database-word-7751'
const PATIENTLY = { timeout: 60_000, interval: 2 }

describe.skipIf(reason !== null)(`quarry migrate${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let sql: Sql
  let directory: ReturnType<typeof newDataDirectory>
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create({ isEmpty: true })
    sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0, program: 'test' })
    directory = newDataDirectory()
  })
  afterEach(async () => {
    await stopServers()
    await disconnect(sql)
    await database.drop()
    directory.remove()
  })

  const address = () => database.url.replace('quarry@', `quarry:${SECRET}@`)
  const shown = () => database.url
  const second = () => join(dirname(directory.data), 'second')
  const migrate = (from: string, to: string, ...more: string[]) =>
    runCli(['migrate', '--from', from, '--to', to, ...more])

  it('takes users, tokens, records and cursors along, there and back', async () => {
    const first = await startServer(directory.data)
    const headers = noticedHeaders(first)
    const path = '/api/2018-10-01/materials'
    const page = async (url: string, after = ''): Promise<Page> => {
      const answer = await fetch(
        `${url}${path}?projection=${JSON.stringify({ limit: 5, ...(after === '' ? {} : { after }) })}`,
        { headers },
      )
      return { data: ((await answer.json()) as Page).data, next: answer.headers.get('X-Next-Cursor') ?? '' }
    }
    const { data, next } = await page(first.url)
    const behind = await page(first.url, next)
    expect(behind.data).toHaveLength(5)
    expect(await migrate(directory.data, address())).toMatchObject({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringContaining('in use'),
    })
    expect(await first.stop()).toBe(0)

    const ofFiles = ['--data', directory.data] as const
    const there = await migrate(directory.data, address(), ...ofFiles)
    expect(there).toMatchObject({ exitCode: 0, stderr: '' })
    expect(there.stdout).toContain(`moved ${directory.data} to ${shown()}: `)
    expect(there.stdout).not.toContain(SECRET)
    const environment = { QUARRY_DATABASE_URL: address() }
    const over = await startServer(directory.data, [], { environment })
    expect((await page(over.url)).data).toEqual(data)
    expect((await page(over.url, next)).data).toEqual(behind.data)
    expect(await over.stop()).toBe(0)
    expect(await runCli(['check', ...ofFiles], { environment })).toMatchObject({ stdout: 'ok\n' })
    const audit = await runCli(['audit'], { environment })
    expect(audit.stdout).toContain('store.migrated')

    const back = await migrate(address(), second(), ...ofFiles, '--json')
    const { rows } = JSON.parse(back.stdout) as { rows: Record<string, { count: number; sha256: string }> }
    expect([back.exitCode, back.stdout.includes(SECRET), rows['record']?.sha256]).toEqual([
      0,
      false,
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
    expect(await runCli(['check', '--data', second()])).toMatchObject({ stdout: 'ok\n' })
    const again = await startServer(second())
    expect((await page(again.url, next)).data).toEqual(behind.data)
  })

  it('that is killed goes on where it was, to a database and to a directory; nothing opens what is not whole', async () => {
    const store = await openSqliteStore({ dataDirectory: directory.data })
    await furnish(store, 1500)
    await store.close()
    const kill = async (from: string, to: string, isUnderWay: () => Promise<boolean>) => {
      const child = startCli(['migrate', '--from', from, '--to', to])
      const ended = new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)))
      await expect.poll(isUnderWay, PATIENTLY).toBe(true)
      child.kill('SIGKILL')
      expect(await ended).toBe('SIGKILL')
    }
    await kill(directory.data, address(), async () => {
      const rows = await sql<{ value: string }[]>`SELECT value FROM mark WHERE name = 'move'`.catch(() => [])
      return rows[0] !== undefined && (JSON.parse(rows[0].value) as { moved: number }).moved > 2000
    })
    const refused = await runCli(['check'], { environment: { QUARRY_DATABASE_URL: address() } })
    expect([refused.exitCode, refused.stderr]).toEqual([
      3,
      expect.stringContaining(`quarry migrate --from ${directory.data} --to ${shown()}`),
    ])
    const goneOn = await migrate(directory.data, address(), '--json')
    expect([goneOn.exitCode, goneOn.stderr]).toEqual([0, expect.stringMatching(/^going on after \d{4,} rows\n$/)])

    await kill(address(), second(), async () => {
      const log = join(second(), `${DATABASE_FILE}-wal`)
      return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 2 ** 20
    })
    const closed = await runCli(['serve', '--data', second(), '--port', '0'])
    expect([closed.exitCode, closed.stderr]).toEqual([3, expect.stringContaining(`--to ${second()}`)])
    const whole = await migrate(address(), second(), '--json')
    expect([whole.exitCode, whole.stderr]).toEqual([0, expect.stringMatching(/^going on after \d+ rows\n$/)])
    const [there, back] = [goneOn, whole].map(({ stdout }) => (JSON.parse(stdout) as { rows: object }).rows as Rows)
    // Of the way there, the audit tells in the place that was moved to, and the edition is a new one.
    expect({ ...back, audit: null, mark: null }).toEqual({ ...there, audit: null, mark: null })
    expect(await runCli(['check', '--data', second()])).toMatchObject({ stdout: 'ok\n' })
  })

  it('refuses what is no place, is not there, or is named twice, and shows no password', async () => {
    mkdirSync(directory.data)
    for (const [from, to, exitCode, part] of [
      [directory.data, directory.data, 2, 'are both'],
      [address(), address(), 2, 'are both'],
      [directory.data, address(), 2, 'no database in'],
      [address(), second(), 3, 'nothing of Quarry in it'],
      [`mysql://quarry:${SECRET}@host/x`, second(), 2, '--from is neither'],
      [directory.data, `postgres://quarry:${SECRET}@[/x`, 2, '--to is neither'],
      [address().replace(/\/[^/]*$/, '/nowhere'), second(), 3, 'does not exist'],
    ] as const) {
      const result = await migrate(from, to)
      expect([part, result.exitCode, result.stdout]).toEqual([part, exitCode, ''])
      expect(result.stderr).toContain(part)
      expect(result.stderr).not.toContain(SECRET)
    }
    expect(existsSync(join(second(), DATABASE_FILE))).toBe(false)
    expect(await runCli(['migrate', '--from', directory.data])).toMatchObject({ exitCode: 2 })
    expect(() => readDataPlace('', '--to')).toThrow(expect.objectContaining({ code: 40086 }))
  })
})

interface Page {
  readonly data: readonly object[]
  readonly next: string
}

interface Rows {
  readonly [kind: string]: { readonly count: number; readonly sha256: string }
}
