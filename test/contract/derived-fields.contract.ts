import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { Change, RecordStore } from '../../src/store/port/record-store.ts'
import { accountScope, documentsOf, planOf } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

const ALICE = accountScope('alice')
/** More than a tail holds, so that some of them are columns. */
const MANY = 1500

/** How every store keeps fields that follow from other records. */
export function derivedFieldsContract(target: StoreTarget): void {
  describe(`derived fields in ${target.name}`, () => {
    let opened: OpenTarget
    let records: RecordStore
    beforeAll(async () => {
      opened = await target.open()
      records = opened.store.records
      const changes = Array.from({ length: MANY }, (_, n): Change => ({ ...change(n), action: 'insert' }))
      await records.applyEach(changes)
    })
    afterAll(() => opened.dispose())

    const change = (n: number) => ({
      collection: 'things',
      id: `x${n}`,
      accountId: 'alice',
      isPublic: false,
      text: JSON.stringify({ _id: `x${n}`, name: `thing\t${n}` }),
      derived: n % 3 === 0 ? '' : JSON.stringify({ properties: { gap: { value: n, note: `a\t}` } } }),
    })
    const found = async (query: JsonObject, projection: JsonObject = {}) =>
      documentsOf(await records.find(planOf('things', query, { sort: { _id: 1 }, ...projection }, ALICE)))
    const above = { 'properties.gap.value': { $gt: 1495 } }

    it('finds, counts and sorts by them like by any field', async () => {
      expect((await found(above)).map(({ _id }) => _id)).toEqual(['x1496', 'x1498', 'x1499'])
      expect(await records.count(planOf('things', { 'properties.gap': { $exists: false } }, {}, ALICE))).toBe(500)
      const last = await found({}, { sort: { 'properties.gap.value': -1 }, limit: 2 })
      expect(last.map(({ _id }) => _id)).toEqual(['x1499', 'x1498'])
    })

    it('gives them to who names them, and leaves them out of all else', async () => {
      expect(await found({ _id: 'x1' })).toEqual([{ _id: 'x1', name: 'thing\t1' }])
      expect(await found({ _id: 'x1' }, { fields: { name: 0 } })).toEqual([{ _id: 'x1' }])
      expect(await found({ _id: 'x1' }, { fields: { properties: 1 } })).toEqual([
        { _id: 'x1', properties: { gap: { value: 1, note: 'a\t}' } } },
      ])
      expect(await found({ _id: 'x1' }, { fields: { 'properties.gap.value': 1, _id: 0 } })).toEqual([
        { properties: { gap: { value: 1 } } },
      ])
    })

    it('exports without them, unless they are named', async () => {
      const lines = async (projection: JsonObject) => {
        const plan = planOf('things', above, { sort: { _id: 1 }, ...projection }, ALICE)
        const chunks: Buffer[] = []
        for await (const chunk of records.stream(plan)) chunks.push(chunk)
        return Buffer.concat(chunks).toString().split('\n')
      }
      expect(await lines({})).toEqual([
        ...[1496, 1498, 1499].map((n) => JSON.stringify({ _id: `x${n}`, name: `thing\t${n}` })),
        '',
      ])
      expect((await lines({ fields: { 'properties.gap.value': 1, _id: 0 } }))[0]).toBe(
        '{"properties":{"gap":{"value":1496}}}',
      )
    })

    it('are told from white space that a text has of its own', async () => {
      const text = '{\t"_id":"spaced",\t"name":"x"\t}'
      const derived = '{"properties":{"gap":{"value":7}}}'
      await records.apply([{ ...change(0), id: 'spaced', action: 'insert', text, derived }])
      const { text: own, derived: read } = (await records.read('things', ALICE, 'spaced')) ?? {}
      expect([JSON.parse(own ?? ''), read]).toEqual([JSON.parse(text), derived])
      expect(await found({ _id: 'spaced' })).toEqual([{ _id: 'spaced', name: 'x' }])
      await records.apply([
        { action: 'erase', collection: 'things', id: 'spaced', accountId: 'alice', expectedVersion: 1 },
      ])
    })

    it('keeps them with the record, not with its versions', async () => {
      const own = JSON.stringify({ _id: 'x4', name: 'renamed' })
      const address = { collection: 'things', id: 'x4', accountId: 'alice', isPublic: false }
      const read = async () => {
        const { text = '', derived } = (await records.read('things', ALICE, 'x4')) ?? {}
        return [text, derived]
      }
      const derived = '{"properties":{"gap":{"value":4,"note":"a\\t}"}}}'
      expect(await read()).toEqual([change(4).text, derived])
      await records.apply([{ action: 'replace', ...address, expectedVersion: 1, text: own }])
      expect(await read()).toEqual([own, derived])
      await records.apply([{ action: 'replace', ...address, expectedVersion: 2, text: own, derived: '' }])
      expect(await read()).toEqual([own, undefined])
      expect(await records.readRevision('things', ALICE, 'x4', 1)).toBe(change(4).text)
      await records.apply([{ action: 'replace', ...address, expectedVersion: 3, text: own, derived }])
      expect(await records.readRevision('things', ALICE, 'x4', 4)).toBe(own)
      await records.apply([{ action: 'remove', ...address, expectedVersion: 4 }])
      expect((await records.readRemoved('things', ALICE, 'x4'))?.text).toBe(own)
    })
  })
}
