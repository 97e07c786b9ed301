import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Change, RecordStore } from '../../src/store/port/record-store.ts'
import { accountScope, documentsOf, insertion, OPERATOR, PUBLIC, planOf } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

const ALICE = accountScope('alice')
const BOB = accountScope('bob')

/** What every record store keeps beside what queries see: earlier versions, removed records, the default record. */
export function recordHistoryContract(target: StoreTarget): void {
  describe(`history in ${target.name}`, () => {
    let opened: OpenTarget
    let records: RecordStore
    let last = 0

    beforeAll(async () => {
      opened = await target.open()
      records = opened.store.records
    })
    afterAll(() => opened.dispose())

    const newCollection = (): string => `history-${++last}`

    const insertMine = (collection: string, id: string, extra: { isDefault?: boolean } = {}) =>
      records.apply([{ ...insertion(collection, id, { name: id }, { accountId: 'alice' }), ...extra } as Change])

    const replacement = (collection: string, id: string, expectedVersion: number, name: string): Change => ({
      action: 'replace',
      collection,
      id,
      accountId: 'alice',
      expectedVersion,
      isPublic: false,
      text: JSON.stringify({ name }),
      note: `to ${name}`,
    })

    const namesOf = async (collection: string): Promise<unknown[]> =>
      documentsOf(await records.find(planOf(collection, {}, {}, OPERATOR))).map((document) => document['name'])

    describe('versions', () => {
      it('lists what was told of each version, newest first', async () => {
        const collection = newCollection()
        await insertMine(collection, 'x')
        await records.apply([replacement(collection, 'x', 1, 'b')])
        await records.apply([replacement(collection, 'x', 2, 'c')])
        expect(await records.history(collection, ALICE, 'x')).toEqual([
          { version: 3, note: 'to c' },
          { version: 2, note: 'to b' },
          { version: 1, note: null },
        ])
        expect(await records.readRevision(collection, ALICE, 'x', 1)).toBe('{"name":"x"}')
        expect(await records.readRevision(collection, ALICE, 'x', 3)).toBe('{"name":"c"}')
        expect(await records.readRevision(collection, ALICE, 'x', 4)).toBeNull()
        expect(await namesOf(collection)).toEqual(['c'])
      })

      it('are whole, however long: the newest, an earlier one, a default, one that was removed', async () => {
        const collection = newCollection()
        const [first, second] = ['é', 'ü'].map((letter) => letter.repeat(400_000)) as [string, string]
        await records.apply([
          { ...insertion(collection, 'x', { name: first }, { accountId: 'alice' }), isDefault: true } as Change,
        ])
        const whole = (name: string) => JSON.stringify({ name })
        const readers = () => [
          records.read(collection, ALICE, 'x'),
          records.readDefault(collection, ALICE, 'alice'),
          records.read(collection, OPERATOR, 'x'),
        ]
        for (const read of readers()) expect((await read)?.text).toBe(whole(first))
        await records.apply([replacement(collection, 'x', 1, second)])
        expect((await records.read(collection, ALICE, 'x'))?.text).toBe(whole(second))
        expect(await records.readRevision(collection, ALICE, 'x', 1)).toBe(whole(first))
        expect(await records.readRevision(collection, ALICE, 'x', 2)).toBe(whole(second))
        for (const scope of [BOB, PUBLIC]) expect(await records.read(collection, scope, 'x')).toBeNull()
        const removal: Change = { action: 'remove', collection, id: 'x', accountId: 'alice', expectedVersion: 2 }
        await records.apply([removal])
        expect((await records.readRemoved(collection, ALICE, 'x'))?.text).toBe(whole(second))
      })

      it('keeps a number of them, and lets the oldest go', async () => {
        const collection = newCollection()
        await insertMine(collection, 'x')
        for (let version = 1; version <= 30; version++) {
          await records.apply([replacement(collection, 'x', version, `v${version + 1}`)])
        }
        const versions = (await records.history(collection, ALICE, 'x'))?.map(({ version }) => version) ?? []
        expect([versions.length, versions[0], versions.at(-1)]).toEqual([21, 31, 11])
        expect(await records.readRevision(collection, ALICE, 'x', 11)).toBe('{"name":"v11"}')
        expect(await records.readRevision(collection, ALICE, 'x', 10)).toBeNull()
      })

      it('leaves none where a change says so', async () => {
        const collection = newCollection()
        await insertMine(collection, 'x')
        await records.apply([{ ...replacement(collection, 'x', 1, 'b'), keepsRevision: false } as Change])
        expect((await records.history(collection, ALICE, 'x'))?.map(({ version }) => version)).toEqual([2])
      })

      it('tells of a version in the place of which another comes, unless that tells something itself', async () => {
        const collection = newCollection()
        await insertMine(collection, 'x')
        const history = () => records.history(collection, ALICE, 'x')
        const silent = (version: number, name: string) => {
          const { note: _, ...change } = replacement(collection, 'x', version, name) as Change & { note?: string }
          return change
        }
        await records.apply([{ ...silent(1, 'b'), note: 'mine' } as Change])
        await records.apply([{ ...silent(2, 'c'), keepsRevision: false } as Change])
        expect(await history()).toEqual([
          { version: 3, note: 'mine' },
          { version: 1, note: null },
        ])
        await records.apply([{ ...silent(3, 'd'), keepsRevision: false, note: 'e' } as Change])
        expect((await history())?.[0]).toEqual({ version: 4, note: 'e' })
        await records.apply([silent(4, 'f') as Change])
        expect((await history())?.[0]).toEqual({ version: 5, note: null })
      })

      it('shows them to their account alone, public or not', async () => {
        const collection = newCollection()
        await insertMine(collection, 'x')
        await records.apply([insertion(collection, 'of bob', { name: 'of bob' }, { accountId: 'bob' })])
        await records.apply([{ ...replacement(collection, 'x', 1, 'b'), isPublic: true } as Change])
        for (const scope of [BOB, PUBLIC]) {
          expect(await records.history(collection, scope, 'x')).toBeNull()
          expect(await records.readRevision(collection, scope, 'x', 1)).toBeNull()
        }
        expect(await records.readRevision(collection, OPERATOR, 'x', 1)).toBe('{"name":"x"}')
      })

      it('keeps none of a change that was not applied', async () => {
        const collection = newCollection()
        await insertMine(collection, 'x')
        const results = await records.apply([
          replacement(collection, 'x', 1, 'b'),
          { action: 'expect', collection, id: 'nothing', accountId: 'alice', expectedVersion: 1 },
        ])
        expect(results[1]).toEqual({ outcome: 'missing' })
        expect(await records.history(collection, ALICE, 'x')).toEqual([{ version: 1, note: null }])
      })
    })

    describe('removed records', () => {
      const remove = (collection: string, id: string, expectedVersion = 1): Change => ({
        action: 'remove',
        collection,
        id,
        accountId: 'alice',
        expectedVersion,
        note: `removed ${id}`,
      })
      const restoring = (collection: string, id: string, expectedVersion = 1): Change => ({
        action: 'restore',
        collection,
        id,
        accountId: 'alice',
        expectedVersion,
        isPublic: false,
        text: JSON.stringify({ name: id, again: true }),
      })

      it('are seen by no query, and listed for their account, the latest first', async () => {
        const collection = newCollection()
        for (const id of ['a', 'b', 'c']) await insertMine(collection, id)
        await records.apply([remove(collection, 'a')])
        await records.apply([remove(collection, 'b')])
        expect(await namesOf(collection)).toEqual(['c'])
        expect(await records.read(collection, OPERATOR, 'a')).toBeNull()
        expect(await records.listRemoved(collection, ALICE, 0, 10)).toEqual([
          { id: 'b', version: 1, removal: 'removed b' },
          { id: 'a', version: 1, removal: 'removed a' },
        ])
        expect((await records.listRemoved(collection, ALICE, 1, 10)).map(({ id }) => id)).toEqual(['a'])
        expect(await records.readRemoved(collection, ALICE, 'a')).toMatchObject({ text: '{"name":"a"}', version: 1 })
        for (const scope of [BOB, PUBLIC]) {
          expect(await records.listRemoved(collection, scope, 0, 10)).toEqual([])
          expect(await records.readRemoved(collection, scope, 'a')).toBeNull()
        }
      })

      it('come back in their old place, as their next version, with their history', async () => {
        const collection = newCollection()
        for (const id of ['a', 'b', 'c']) await insertMine(collection, id)
        await records.apply([remove(collection, 'a')])
        expect(await records.apply([restoring(collection, 'a', 7)])).toEqual([{ outcome: 'changed' }])
        expect(await records.apply([restoring(collection, 'a')])).toMatchObject([{ outcome: 'done', version: 2 }])
        expect(await namesOf(collection)).toEqual(['a', 'b', 'c'])
        expect(await records.count(planOf(collection, { again: true }, {}, OPERATOR))).toBe(1)
        expect((await records.history(collection, ALICE, 'a'))?.map(({ version }) => version)).toEqual([2, 1])
        expect(await records.listRemoved(collection, ALICE, 0, 10)).toEqual([])
        expect(await records.apply([restoring(collection, 'a')])).toEqual([{ outcome: 'missing' }])
      })

      it('leave their id to others, and do not come back when it is taken', async () => {
        const collection = newCollection()
        await insertMine(collection, 'a')
        await records.apply([remove(collection, 'a')])
        await records.apply([insertion(collection, 'a', { name: "bob's" }, { accountId: 'bob', isPublic: true })])
        expect(await records.apply([restoring(collection, 'a')])).toEqual([{ outcome: 'exists' }])
        expect(await namesOf(collection)).toEqual(["bob's"])
      })

      it('give way to one of the same account and id', async () => {
        const collection = newCollection()
        for (let round = 0; round < 2; round++) {
          await insertMine(collection, 'a')
          await records.apply([replacement(collection, 'a', 1, `round ${round}`)])
          await records.apply([remove(collection, 'a', 2)])
        }
        expect(await records.listRemoved(collection, ALICE, 0, 10)).toHaveLength(1)
        expect((await records.readRemoved(collection, ALICE, 'a'))?.text).toBe('{"name":"round 1"}')
      })

      it('are gone when they are purged, and erased records are gone at once', async () => {
        const collection = newCollection()
        await insertMine(collection, 'a')
        await records.apply([remove(collection, 'a')])
        const purge: Change = { action: 'purge', collection, id: 'a', accountId: 'bob', expectedVersion: 1 }
        expect(await records.apply([purge])).toEqual([{ outcome: 'missing' }])
        expect(await records.apply([{ ...purge, accountId: 'alice' }])).toMatchObject([{ outcome: 'done', version: 1 }])
        await insertMine(collection, 'b')
        await records.apply([replacement(collection, 'b', 1, 'c')])
        await records.apply([{ action: 'erase', collection, id: 'b', accountId: 'alice', expectedVersion: 2 }])
        expect(await records.listRemoved(collection, OPERATOR, 0, 10)).toEqual([])
        expect(await namesOf(collection)).toEqual([])
      })
    })

    describe('the default record', () => {
      it('is at most one of an account and collection', async () => {
        const collection = newCollection()
        expect(await records.readDefault(collection, ALICE, 'alice')).toBeNull()
        await insertMine(collection, 'a', { isDefault: true })
        expect(await insertMine(collection, 'b', { isDefault: true })).toEqual([{ outcome: 'changed' }])
        await insertMine(collection, 'b')
        const swap = (id: string, isDefault: boolean): Change =>
          ({ ...replacement(collection, id, 1, id), isDefault }) as Change
        expect(await records.apply([swap('b', true)])).toEqual([{ outcome: 'changed' }])
        expect(await records.apply([swap('a', false), swap('b', true)])).toMatchObject([
          { outcome: 'done' },
          { outcome: 'done' },
        ])
        expect((await records.readDefault(collection, ALICE, 'alice'))?.id).toBe('b')
        expect(await records.readDefault(collection, BOB, 'alice')).toBeNull()
      })

      it('stays the default through changes that do not speak of it', async () => {
        const collection = newCollection()
        await insertMine(collection, 'a', { isDefault: true })
        await records.apply([replacement(collection, 'a', 1, 'b')])
        expect((await records.readDefault(collection, ALICE, 'alice'))?.version).toBe(2)
        expect(await records.readDefault(newCollection(), ALICE, 'alice')).toBeNull()
      })
    })

    it('is found whole by a check', async () => {
      expect(await opened.store.check(() => {})).toEqual([])
    })

    it('is still there when the store is opened again', async () => {
      const collection = newCollection()
      await insertMine(collection, 'a', { isDefault: true })
      await records.apply([replacement(collection, 'a', 1, 'b')])
      await insertMine(collection, 'gone')
      await records.apply([{ action: 'remove', collection, id: 'gone', accountId: 'alice', expectedVersion: 1 }])
      records = (await opened.reopen()).records
      expect((await records.readDefault(collection, ALICE, 'alice'))?.id).toBe('a')
      expect(await records.history(collection, ALICE, 'a')).toHaveLength(2)
      expect(await records.listRemoved(collection, ALICE, 0, 10)).toHaveLength(1)
    })
  })
}
