import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { differencesOf, moveRows, type RowSums, sumUp } from '../../src/store/mover/move-rows.ts'
import { ROW_KIND_NAMES, type Row, type RowKindName, type RowSource } from '../../src/store/port/rows.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect as connectToServer, disconnect } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { openPostgresSource, openPostgresTarget } from '../../src/store/postgres/rows/open-rows.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { openSqliteSource, openSqliteTarget } from '../../src/store/sqlite/rows/open-rows.ts'
import { FURNISHED_ACCOUNTS, furnish } from '../support/furnish.ts'
import { accountScope, insertion, OPERATOR, PUBLIC, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()

describe.skipIf(reason !== null)(
  `rows that are moved between stores${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let server: TestServer
    let database: TestDatabase
    let parent: string
    let first: string
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.stop())
    beforeEach(async () => {
      database = await server.create({ isEmpty: true })
      parent = await mkdtemp(join(tmpdir(), 'quarry-move-'))
      first = join(parent, 'first')
      await inDirectory(first, async (store) => {
        await furnish(store)
        const files = [{ name: 'OUTCAR', size: 12_345, sha256: 'ab'.repeat(32) }]
        await store.records.apply([insertion('materials', 'with files', { files }, { accountId: 'account-1' })])
      })
    })
    afterEach(async () => {
      await database.drop()
      await rm(parent, { recursive: true, force: true })
    })

    async function within<T>(opened: Promise<Store>, run: (store: Store) => Promise<T>): Promise<T> {
      const store = await opened
      try {
        return await run(store)
      } finally {
        await store.close()
      }
    }
    const inDirectory = <T>(dataDirectory: string, run: (store: Store) => Promise<T>) =>
      within(openSqliteStore({ dataDirectory, tends: false }), run)
    const inDatabase = <T>(run: (store: Store) => Promise<T>) => within(openPostgresStore({ url: database.url }), run)

    async function toDatabase(source: RowSource = openSqliteSource(first)): Promise<RowSums> {
      return move(source, await openPostgresTarget(database.url))
    }
    async function toDirectory(name: string): Promise<RowSums> {
      return move(await openPostgresSource(database.url), openSqliteTarget(join(parent, name)))
    }
    async function move(source: RowSource, target: Parameters<typeof moveRows>[1]): Promise<RowSums> {
      try {
        return await moveRows(source, target)
      } finally {
        await source.close()
        await target.close()
      }
    }

    /** All that can be asked of a store, as text. */
    async function answersOf(store: Store): Promise<unknown> {
      const scopes = [OPERATOR, PUBLIC, ...FURNISHED_ACCOUNTS.map(accountScope)]
      const answers: unknown[] = []
      for (const collection of ['materials', 'methods']) {
        for (const scope of scopes) {
          const { records } = store
          const page = await records.find(planOf(collection, {}, { limit: 30 }, scope))
          answers.push(page.documents.toString(), page.next)
          answers.push(
            (
              await records.find({ ...planOf(collection, {}, { limit: 30 }, scope), after: page.next })
            ).documents.toString(),
          )
          const sorted = planOf(collection, { name: { $gt: 'a' } }, { sort: { name: -1 }, limit: 100 }, scope)
          answers.push((await records.find(sorted)).documents.toString())
          answers.push(
            await records.read(collection, scope, 'account-1-4'),
            await records.history(collection, scope, 'account-1-4'),
          )
          answers.push(await records.readRevision(collection, scope, 'account-1-4', 2))
          answers.push(await records.listRemoved(collection, scope, 0, 10))
          answers.push(await records.readRemoved(collection, scope, 'account-1-5'))
          answers.push(await records.readDefault(collection, scope, 'account-1'))
        }
      }
      answers.push(
        await store.accounts.listUsers(),
        await store.accounts.listAccounts(),
        await store.accounts.membersOf('lab'),
      )
      answers.push(await store.accounts.listTokens('user-1'), await store.accounts.resolveToken('0'.repeat(64)))
      answers.push(
        await store.audit.read({ limit: 10_000 }),
        await store.readMark('samples'),
        await store.readMark('edition'),
      )
      return answers
    }

    it('there and back are the same in the same order, as are all answers, and every kind of them was there', async () => {
      const before = await inDirectory(first, answersOf)
      const [there, atServer, back] = [await toDatabase(), await inDatabase(answersOf), await toDirectory('second')]
      expect(atServer).toEqual(before)
      expect(differencesOf(there, back)).toEqual([])
      expect(ROW_KIND_NAMES.filter((kind) => back[kind].count === 0)).toEqual([])
      expect(await inDirectory(join(parent, 'second'), answersOf)).toEqual(before)
      expect(await inDatabase((store) => store.check(() => {}))).toEqual([])
      expect(await inDirectory(join(parent, 'second'), (store) => store.check(() => {}))).toEqual([])
    })

    it('are followed by numbers that nobody has had, and quotas go on', async () => {
      await toDatabase()
      await inDatabase(async ({ records }) => {
        const { next } = await records.find(planOf('materials', {}, { limit: 100 }, accountScope('account-0')))
        await records.apply([insertion('materials', 'new', { name: 'new' }, { accountId: 'account-0' })])
        const page = await records.find(planOf('materials', { name: 'new' }, {}, OPERATOR))
        expect([next, page.count]).toEqual([null, 1])
      })
      const sql = connectToServer({ url: database.url, connections: 1, statementTimeoutMs: 0 })
      const [row] = await sql<{ isLast: boolean }[]>`
        SELECT n = max(n) OVER () AND n > (SELECT max(n) FROM removed) + 1 AS "isLast" FROM record ORDER BY id = 'new' DESC LIMIT 1`
      const [usage] = await sql<{ records: number; bytes: number; stored: number }[]>`
        SELECT records, bytes, (SELECT sum(octet_length(doc)) FROM (
          SELECT owner, doc FROM record UNION ALL SELECT home, doc FROM removed) each WHERE owner = 'account-0')::bigint AS stored
        FROM home WHERE home = 'account-0'`
      await disconnect(sql)
      expect([row?.isLast, usage?.bytes]).toEqual([true, usage?.stored])
    })

    it('go on where they were interrupted, without a row twice, and nobody opens them until then', async () => {
      const puts: number[] = []
      for (let isOver = false; !isOver; ) {
        const target = await openPostgresTarget(database.url)
        const { put } = target
        let left = 4
        target.put = async (kind, rows, mark) => {
          if (left === 0) throw new Error('killed')
          left -= 1
          await put.call(target, kind, rows, mark)
          puts.push(rows.length)
        }
        isOver = await move(inBits(openSqliteSource(first)), target).then(
          () => true,
          (error: Error) => {
            expect(error.message).toBe('killed')
            return false
          },
        )
        if (!isOver) {
          await expect(openPostgresStore({ url: database.url })).rejects.toMatchObject({ code: 50024 })
          await expect(openPostgresSource(database.url)).rejects.toMatchObject({ code: 50024 })
        }
      }
      const sums = await toDirectory('second')
      const moved = ROW_KIND_NAMES.filter((kind) => kind !== 'usage').reduce((sum, kind) => sum + sums[kind].count, 0)
      expect([puts.reduce((sum, rows) => sum + rows), puts.length > 20]).toEqual([moved, true])
    })

    /** The same rows, a few at a time. */
    function inBits(source: RowSource): RowSource {
      const { read } = source
      source.read = async function* (kind: RowKindName, after: Row | null) {
        for await (const rows of read.call(source, kind, after)) {
          for (let at = 0; at < rows.length; at += 17) yield rows.slice(at, at + 17)
        }
      }
      return source
    }

    it('are refused to be gone on with once their source has been written to, or is another one', async () => {
      const target = await openPostgresTarget(database.url)
      target.derive = () => Promise.reject(new Error('killed'))
      await expect(move(openSqliteSource(first), target)).rejects.toThrow('killed')
      await inDirectory(first, ({ records }) => records.apply([insertion('c', 'late', {})]))
      await expect(toDatabase()).rejects.toMatchObject({ code: 50025 })
      await inDirectory(join(parent, 'other'), (store) => furnish(store, 20))
      await expect(toDatabase(openSqliteSource(join(parent, 'other')))).rejects.toMatchObject({ code: 50025 })
    })

    it('are refused where somebody has the source or the target open, and where the target has data', async () => {
      await inDirectory(first, async () =>
        expect(() => openSqliteSource(first)).toThrow(expect.objectContaining({ code: 50014 })),
      )
      await toDatabase()
      await inDatabase(async () => {
        await expect(openPostgresSource(database.url)).rejects.toMatchObject({ code: 50014 })
        await expect(openPostgresTarget(database.url)).rejects.toMatchObject({ code: 50014 })
      })
      await expect(toDatabase()).rejects.toMatchObject({ code: 50014 })
      const source = await openPostgresSource(database.url)
      await expect(move(source, openSqliteTarget(first))).rejects.toMatchObject({ code: 50014 })
    })

    it('are told to be written to while they are moved from a database', async () => {
      await toDatabase()
      const target = openSqliteTarget(join(parent, 'second'))
      const { derive } = target
      target.derive = async (progress) => {
        await inDatabase(({ records }) => records.apply([insertion('c', 'late', {})]))
        await derive.call(target, progress)
      }
      await expect(move(await openPostgresSource(database.url), target)).rejects.toMatchObject({ code: 50025 })
      await expect(openSqliteStore({ dataDirectory: join(parent, 'second') })).rejects.toMatchObject({ code: 50024 })
    })

    it.each([
      ['a changed text', `UPDATE record SET doc = '{"name":"other"}' WHERE n = 20`, 50020],
      ['a changed revision', `UPDATE revision SET doc = '{}'`, 50020],
      ['a changed removed record', `UPDATE removed SET doc = '{}'`, 50020],
      ['a revision of nothing', 'INSERT INTO revision (n, version, doc, checksum) VALUES (100000, 1, 1, 0)', 50020],
      ['a record of nobody', 'UPDATE record SET owner = 999 WHERE n = 20', 50020],
      ['a text that is no document', `UPDATE record SET doc = '[]' WHERE n = 20`, 50020],
      ['a character that PostgreSQL does not keep', `UPDATE mark SET value = 'a' || char(0) || 'b'`, 50027],
    ])('are told to be damaged, or not to be kept, by %s, and the target stays closed', async (_, statement, code) => {
      const connection = connect(join(first, DATABASE_FILE), 'write')
      connection.pragma('foreign_keys = OFF')
      connection.exec(statement)
      connection.close()
      await expect(toDatabase()).rejects.toMatchObject({ code })
      await expect(openPostgresStore({ url: database.url })).rejects.toMatchObject({ code: 50024 })
    })

    it('are compared: a target that has something else is not opened', async () => {
      const target = await openPostgresTarget(database.url)
      const sql = connectToServer({ url: database.url, connections: 1, statementTimeoutMs: 0, program: 'other' })
      const { derive } = target
      target.derive = async (progress) => {
        await sql`UPDATE token SET hash = 'other' WHERE id = 'token-0'`
        await sql`DELETE FROM membership WHERE app_user = 'user-2'`
        await derive.call(target, progress)
      }
      await expect(move(openSqliteSource(first), target)).rejects.toMatchObject({
        code: 50026,
        message: expect.stringMatching(/membership instead of \d+\.\nIts 3 rows of token are not the same\./),
      })
      await disconnect(sql)
      await expect(openPostgresStore({ url: database.url })).rejects.toMatchObject({ code: 50024 })
    })

    it('leave out no table: each is moved, made anew or of one store alone', async () => {
      await toDatabase()
      const sql = connectToServer({ url: database.url, connections: 1, statementTimeoutMs: 0 })
      const tables = await sql<
        { name: string }[]
      >`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`
      await disconnect(sql)
      const [moved, madeAnew, ofOneStore] = [
        [
          'account',
          'answer',
          'app_user',
          'audit',
          'known_address',
          'login_meter',
          'mark',
          'membership',
          'number_key',
          'record',
          'removed',
          'revision',
          'token',
        ],
        ['accounts_version', 'chunk', 'home', 'segment', 'tail'],
        ['migration', 'writer'],
      ]
      expect(tables.map(({ name }) => name)).toEqual([...moved, ...madeAnew, ...ofOneStore].sort())

      const connection = connect(join(first, DATABASE_FILE), 'read')
      const ofFile = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
      connection.close()
      // What is counted and numbered for the rows of others, and what older versions have left.
      const ofFileAlone = ['backlog', 'collection', 'owner', 'sqlite_sequence', 'usage', 'user']
      const everywhere = [...moved.filter((name) => name !== 'app_user'), ...madeAnew, 'migration']
      expect(ofFile.sort()).toEqual([...everywhere, ...ofFileAlone].sort())
    })

    it('have a sum that tells rows apart', async () => {
      const source = openSqliteSource(first)
      const one = await sumUp(source)
      expect(differencesOf(one, { ...one, user: { ...one.user, sha256: '' } })).toEqual([
        'Its 5 rows of user are not the same.',
      ])
      await source.close()
    })
  },
)
