import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { MIGRATIONS, migrate } from '../../src/store/postgres/schema/migrate.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHILD = fileURLToPath(new URL('./postgres-earlier-child.ts', import.meta.url))
/** A commit whose program has the second version of the schema. */
const EARLIER = 'c73a205f7d7fe281317493f908241821711fe03e'

const reason = missingPostgres()
const ADA = accountScope('ada')

describe.skipIf(reason !== null)(`versions of Quarry${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let sql: Sql

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create({ isEmpty: true })
    sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
  })
  afterEach(async () => {
    await sql.end()
    await database.drop()
  })

  const version = MIGRATIONS.length + 1
  const expanding = { version, name: 'expanding', leastReader: 1, script: 'ALTER TABLE record ADD COLUMN more text' }
  const taking = { version, name: 'taking', leastReader: version, script: 'ALTER TABLE record DROP COLUMN note' }

  it('go on beside one that adds to the schema, and begin anew beside it', async () => {
    const store = await openPostgresStore({ url: database.url })
    await migrate(sql, true, [...MIGRATIONS, expanding])
    await store.records.apply([insertion('c', 'a', { name: 'a' }, { accountId: 'ada' })])
    const again = await openPostgresStore({ url: database.url })
    expect(documentsOf(await again.records.find(planOf('c', {}, {}, ADA)))).toEqual([{ name: 'a' }])
    await Promise.all([store.close(), again.close()])
  })

  it('keep one waiting that takes away what they use, and are refused behind it', async () => {
    const store = await openPostgresStore({ url: database.url })
    await expect(migrate(sql, true, [...MIGRATIONS, taking])).rejects.toMatchObject({ code: 50028 })
    await store.close()
    await expect.poll(() => migrate(sql, true, [...MIGRATIONS, taking]).then(() => 'done', String)).toBe('done')
    await expect(openPostgresStore({ url: database.url })).rejects.toMatchObject({ code: 50010 })
  })

  const lacking = holdsCommit() ? null : 'the history of the project is not here'

  describe.skipIf(lacking !== null)(`from before${lacking === null ? '' : ` (skipped: ${lacking})`}`, () => {
    it('serve a database that this one has brought up to date, each knowing what the other has written', async () => {
      const earlier = checkOut()
      const old = startEarlier(earlier, database.url)
      expect(await old.write('a')).toEqual(['a'])
      const store = await openPostgresStore({ url: database.url })
      await store.records.apply([insertion('c', 'b', { name: 'b' }, { accountId: 'ada' })])
      expect(await old.write('c')).toEqual(['a', 'b', 'c'])
      const found = documentsOf(await store.records.find(planOf('c', {}, {}, ADA)))
      expect(found.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
      expect(await store.check(() => {})).toEqual([])
      await old.stop()
      await store.close()
      rmSync(earlier, { recursive: true, force: true })
    })
  })
})

function holdsCommit(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${EARLIER}^{commit}`], { cwd: ROOT, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The sources of the earlier version in a folder of their own, with the packages of this one. */
function checkOut(): string {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-earlier-'))
  const archive = execFileSync('git', ['archive', EARLIER, 'src', 'package.json', 'tsconfig.json'], {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
  })
  execFileSync('tar', ['-x', '-C', directory], { input: archive })
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  return directory
}

/** A process of the earlier version that writes a record for each line, and answers with the names of all. */
function startEarlier(directory: string, url: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, directory, url], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async write(name: string): Promise<readonly string[]> {
      child.stdin.write(`${name}\n`)
      const { value } = await answers.next()
      return JSON.parse(String(value)) as string[]
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
