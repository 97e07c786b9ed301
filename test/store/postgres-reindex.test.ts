import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { connect, disconnect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()
const RECORDS = 100
const SMALL = { tailRows: 8, mergedTogether: 3, takenOver: 16, insertedTogether: 8 }

describe.skipIf(reason !== null)(
  `segments in PostgreSQL that are made anew${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let server: TestServer
    let database: TestDatabase
    let sql: Sql
    let store: Store

    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.stop())
    beforeEach(async () => {
      database = await server.create()
      sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
      store = await open()
      const all = Array.from({ length: RECORDS }, (_, at) => insertion('c', `r${at}`, { name: at, odd: at % 2 }))
      await store.records.applyEach(all)
      // A record that is in an older segment and in the tail.
      await change('r3', 1, 1003)
    })
    afterEach(async () => {
      await store.close()
      await disconnect(sql)
      await database.drop()
    })

    const open = () => openPostgresStore({ url: database.url, segmentSizes: SMALL })
    const change = (id: string, expectedVersion: number, name: number) =>
      store.records.apply([
        {
          action: 'replace',
          collection: 'c',
          id,
          accountId: 'owner',
          expectedVersion,
          isPublic: true,
          text: JSON.stringify({ name, odd: 1 }),
        },
      ])
    const oddNames = async (from: Store) =>
      documentsOf(await from.records.find(planOf('c', { odd: 1 }, { sort: { name: 1 }, limit: 200 }))).map(
        ({ name }) => name,
      )
    const EXPECTED = [...Array.from({ length: RECORDS / 2 }, (_, at) => 2 * at + 1).filter((at) => at !== 3), 1003]

    it.each([
      [
        'a column',
        (numbers: number[]) => sql`UPDATE chunk SET bytes = '' WHERE segment = ${numbers[0] ?? 0} AND number = 0`,
      ],
      [
        'the numbers of a segment',
        (numbers: number[]) => sql`DELETE FROM chunk WHERE segment = ${numbers[0] ?? 0} AND number = -1`,
      ],
      ['the tail', () => sql`DELETE FROM tail`],
      ['a segment', (numbers: number[]) => sql`DELETE FROM segment WHERE number = ${numbers[0] ?? 0}`],
    ])('have again what was lost of %s', async (_, lose) => {
      const rows = await sql<{ number: number }[]>`SELECT number FROM segment ORDER BY number`
      await lose(rows.map(({ number }) => number))
      expect(await Promise.resolve(store.check(() => {})).catch(() => ['broken'])).not.toEqual([])
      await store.reindex(() => {})
      expect(await store.check(() => {})).toEqual([])
      expect(await oddNames(store)).toEqual(EXPECTED)
    })

    it('go on where they were interrupted', async () => {
      const reports: number[] = []
      const stopped = store.reindex((done) => {
        reports.push(done)
        if (reports.length === 3) throw new Error('interrupted')
      })
      await expect(stopped).rejects.toThrow('interrupted')
      expect(await store.check(() => {})).toEqual([])
      let rest = 0
      await store.reindex((done) => {
        rest = done
      })
      expect([reports.at(-1), rest]).toEqual([48, RECORDS - 48])
      expect(await sql`SELECT 1 FROM mark WHERE name = 'reindex'`).toHaveLength(0)
      expect(await store.check(() => {})).toEqual([])
      expect(await oddNames(store)).toEqual(EXPECTED)
    })

    it('are right all the while for another process, whatever is written', async () => {
      const other = await open()
      const names = new Set(EXPECTED)
      let isOver = false
      const remade = Promise.all([store.reindex(() => {}), other.reindex(() => {})]).then(() => {
        isOver = true
      })
      // As long as it takes, up to the last record: a slow machine comes to no more.
      for (let version = 1, at = 5; (!isOver || at < 11) && at < RECORDS; version += 1) {
        expect(await change(`r${at}`, version, 2000 + 100 * at + version)).toMatchObject([{ outcome: 'done' }])
        for (const name of names) if (name === at || Math.floor((name - 2000) / 100) === at) names.delete(name)
        names.add(2000 + 100 * at + version)
        expect(await oddNames(other)).toEqual([...names].sort((a, b) => a - b))
        if (version === 20) [version, at] = [0, at + 2]
      }
      await remade
      expect(await other.check(() => {})).toEqual([])
      expect(await oddNames(other)).toEqual([...names].sort((a, b) => a - b))
      await other.close()
    })
  },
)
