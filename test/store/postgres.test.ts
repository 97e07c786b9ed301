import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { accountScope, documentsOf, insertion, OPERATOR, PUBLIC, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()

describe.skipIf(reason !== null)(
  `processes over one PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let server: TestServer
    let database: TestDatabase
    let stores: Store[]

    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server.stop())
    beforeEach(async () => {
      database = await server.create()
      stores = []
    })
    afterEach(async () => {
      await Promise.all(stores.map((store) => store.close()))
      await database.drop()
    })

    async function open(options: Partial<Parameters<typeof openPostgresStore>[0]> = {}): Promise<Store> {
      const store = await openPostgresStore({ url: database.url, ...options })
      stores.push(store)
      return store
    }

    const SMALL = { tailRows: 8, mergedTogether: 3, takenOver: 16 }
    const namesOf = async (store: Store, ...plan: Parameters<typeof planOf>) =>
      documentsOf(await store.records.find(planOf(...plan))).map(({ name }) => name)

    it('make one schema of it, whoever comes first', async () => {
      const empty = await server.create({ isEmpty: true })
      const [one, other] = await Promise.all([open({ url: empty.url }), open({ url: empty.url })])
      await one.records.apply([insertion('c', 'a', { name: 'a' })])
      expect(await namesOf(other, 'c')).toEqual(['a'])
    })

    it('leave a database without tables alone where they are not to make any', async () => {
      const { url } = await server.create({ isEmpty: true })
      await expect(openPostgresStore({ url, creates: false })).rejects.toMatchObject({ code: 50023 })
      await expect(openPostgresStore({ url, creates: false })).rejects.toMatchObject({ code: 50023 })
      const made = await open({ url })
      expect(await made.check(() => {})).toEqual([])
      await open({ url, creates: false })
    })

    it('answer whatever little memory they have', async () => {
      const store = await open({ memoryMb: 0, segmentSizes: SMALL })
      const ids = Array.from({ length: 30 }, (_, at) => at)
      await store.records.apply(ids.map((at) => insertion('c', `${at}`, { name: at, odd: at % 2 })))
      await store.records.apply([insertion('c', 'last', { name: 30, odd: 0 })])
      expect(await namesOf(store, 'c', { odd: 0 }, { sort: { name: -1 }, limit: 3 })).toEqual([30, 28, 26])
      expect(await store.records.count(planOf('c', { odd: 1 }))).toBe(15)
    })

    it('answer with what another has acknowledged', async () => {
      const [one, other] = [await open({ segmentSizes: SMALL }), await open({ segmentSizes: SMALL })]
      for (let at = 0; at < 60; at += 1) {
        const [writer, reader] = at % 2 === 0 ? [one, other] : [other, one]
        await writer.records.apply([insertion('c', `${at}`, { name: at, odd: at % 2 })])
        expect(await namesOf(reader, 'c', { odd: at % 2 }, { sort: { name: -1 }, limit: 2 })).toEqual(
          at < 2 ? [at] : [at, at - 2],
        )
        expect(await reader.records.count(planOf('c'))).toBe(at + 1)
      }
    })

    it('see a record that another has changed, published and removed', async () => {
      const [one, other] = [await open({ segmentSizes: SMALL }), await open()]
      const addressed = { collection: 'c', id: 'x', accountId: 'alice' } as const
      await one.records.apply([insertion('c', 'x', { name: 1 }, { accountId: 'alice' })])
      const seenBy = async (scope: Parameters<typeof planOf>[3]) => [
        await namesOf(one, 'c', {}, {}, scope),
        await namesOf(other, 'c', {}, {}, scope),
      ]
      expect(await seenBy(accountScope('alice'))).toEqual([[1], [1]])
      const text = '{"name":2}'
      await other.records.apply([{ action: 'replace', ...addressed, expectedVersion: 1, isPublic: true, text }])
      for (const scope of [accountScope('alice'), PUBLIC, OPERATOR]) expect(await seenBy(scope)).toEqual([[2], [2]])
      await one.records.apply([{ action: 'remove', ...addressed, expectedVersion: 2 }])
      for (const scope of [accountScope('alice'), PUBLIC, OPERATOR]) expect(await seenBy(scope)).toEqual([[], []])
    })

    it('add to a home at its end: what has been listed once stays the beginning of the list', async () => {
      const writers = [await open({ segmentSizes: SMALL }), await open({ segmentSizes: SMALL })]
      const reader = await open()
      const listed: (readonly unknown[])[] = []
      let isWritten = false
      const list = async () => listed.push(await namesOf(reader, 'c', {}, { limit: 500 }, accountScope('owner')))
      const writing = Promise.all(
        writers.map(async ({ records }, writer) => {
          for (let at = 0; at < 40; at += 1) {
            const name = `${writer}-${at}`
            await records.apply([insertion('c', name, { name })])
          }
        }),
      ).finally(() => {
        isWritten = true
      })
      while (!isWritten) await list()
      await writing
      await list()
      const all = listed.at(-1) ?? []
      expect(new Set(all).size).toBe(80)
      for (const names of listed) expect(names).toEqual(all.slice(0, names.length))
    })

    it('keep the quota of an account whoever writes', async () => {
      const limits = { records: 10, bytes: 0 }
      const writers = [await open({ limits }), await open({ limits })]
      const by = { via: 'http', user: 'u', account: 'alice', address: null, request: null } as const
      const results = await Promise.all(
        writers.flatMap(({ records }, writer) =>
          Array.from({ length: 10 }, (_, at) =>
            records.applyEach([insertion('c', `${writer}-${at}`, { at }, { accountId: 'alice' })], by),
          ),
        ),
      )
      expect(results.flat().filter(({ outcome }) => outcome === 'done')).toHaveLength(10)
      expect(results.flat().filter(({ outcome }) => outcome === 'full')).toHaveLength(10)
    })

    it('merge segments, and lose no record of them', async () => {
      const store = await open({ segmentSizes: { tailRows: 1, mergedTogether: 2, takenOver: 16 } })
      for (let at = 0; at < 24; at += 1) await store.records.apply([insertion('c', `${at}`, { name: at })])
      await expect
        .poll(async () => (await store.records.find(planOf('c', {}, { limit: 1 }))).report.segments, {
          timeout: 20_000,
        })
        .toBeLessThan(8)
      expect(await namesOf(store, 'c', {}, { limit: 100 })).toEqual(Array.from({ length: 24 }, (_, at) => at))
      expect(await store.check(() => {})).toEqual([])
    })

    it('find nothing under a text that the database cannot keep', async () => {
      const { records, accounts } = await open()
      const id = 'a\0b'
      for (const scope of [OPERATOR, accountScope('alice')]) {
        expect(await records.read('c', scope, id)).toBeNull()
        expect(await records.history('c', scope, id)).toBeNull()
        expect(await records.readRemoved('c', scope, id)).toBeNull()
      }
      expect(await accounts.findUserByLogin(id)).toBeNull()
      expect(await accounts.findAccountByName(id)).toBeNull()
      expect(await accounts.resolveToken('hash', id)).toBeNull()
    })

    it('say which database they cannot open, and not with which password', async () => {
      const url = database.url.replace('quarry@', 'quarry:secret@').replace(/\/[^/]*$/, '/nowhere')
      const failure = await openPostgresStore({ url }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 50012 })
      expect(String(failure)).toContain('nowhere')
      expect(String(failure)).not.toContain('secret')
    })
  },
)
