import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordStore } from '../../src/store/port/record-store.ts'
import { accountScope, insertion, OPERATOR, PUBLIC } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

const ALICE = accountScope('alice')
const BOB = accountScope('bob')

/** What every store knows of fields, and keeps to itself. */
export function fieldKnowledgeContract(target: StoreTarget): void {
  describe(`knowledge of fields in ${target.name}`, () => {
    let opened: OpenTarget
    let records: RecordStore
    let last = 0

    beforeAll(async () => {
      opened = await target.open()
      records = opened.store.records
    })
    afterAll(() => opened.dispose())

    const newCollection = (): string => `known-${++last}`
    const alices = (collection: string, id: string, document: Parameters<typeof insertion>[2], isPublic = false) =>
      records.apply([insertion(collection, id, document, { accountId: 'alice', isPublic })])

    const known = (collection: string, scope = ALICE, store = records) => {
      const knowledge = store.knowledge(collection, scope)
      if (knowledge === null) throw new Error('nothing is known')
      return knowledge
    }
    const kinds = (collection: string, path: string, scope = ALICE) =>
      [...(known(collection, scope).kindsAt(path) ?? ['unknowable'])].sort()

    it('has the kinds of values at every path, arrays and objects included', async () => {
      const collection = newCollection()
      await alices(collection, 'a', {
        n: 1,
        nothing: null,
        tags: [],
        empty: {},
        lattice: { a: 3.5, units: { length: 'angstrom' } },
        sites: [{ e: 'Si' }, { e: 2 }, 'x'],
        matrix: [[1, 2], ['x']],
        vector: [1, 2, 3, 4, 5, 6, 7, 8, 9],
        flag: true,
      })
      await alices(collection, 'b', { n: 'one' })
      const expected = {
        n: ['number', 'string'],
        nothing: ['null'],
        tags: ['array'],
        empty: ['object'],
        lattice: ['object'],
        'lattice.units.length': ['string'],
        sites: ['array', 'object', 'string'],
        'sites.e': ['number', 'string'],
        'matrix.[]': ['array', 'number', 'string'],
        vector: ['array', 'number'],
        flag: ['boolean'],
        'no.such': [],
      }
      const found = Object.keys(expected).map((path) => [path, kinds(collection, path)])
      expect(Object.fromEntries(found)).toEqual(expected)
      expect(known(collection).kindsAt('a.'.repeat(100))).toBeNull()
    })

    it('follows every write', async () => {
      const collection = newCollection()
      expect(kinds(collection, 'v')).toEqual([])
      await alices(collection, 'x', { v: 1 })
      await alices(collection, 'y', { v: 2 })
      expect(kinds(collection, 'v')).toEqual(['number'])
      const named = { collection, id: 'x', accountId: 'alice' } as const
      await records.apply([
        { action: 'replace', ...named, expectedVersion: 1, isPublic: false, text: '{"v":"two","w":{"u":1}}' },
      ])
      expect([kinds(collection, 'v'), kinds(collection, 'w.u')]).toEqual([['number', 'string'], ['number']])
      await records.apply([{ action: 'remove', ...named, expectedVersion: 2 }])
      expect([kinds(collection, 'v'), kinds(collection, 'w')]).toEqual([['number'], []])
      const text = '{"v":"two"}'
      await records.apply([{ action: 'restore', ...named, expectedVersion: 2, isPublic: false, text }])
      expect(kinds(collection, 'v')).toEqual(['number', 'string'])
      await records.apply([{ action: 'erase', ...named, expectedVersion: 3 }])
      expect(kinds(collection, 'v')).toEqual(['number'])
    })

    it('is of what the asker sees, and tells what only others have from nothing in no way', async () => {
      const collection = newCollection()
      await alices(collection, 'shared', { common: 1, name: 'open' }, true)
      await alices(collection, 'mine', { secret: { field: 'value' }, name: 'hidden' })
      await records.apply([insertion(collection, 'his', { own: 1 }, { accountId: 'bob' })])
      expect([kinds(collection, 'secret.field'), kinds(collection, 'own')]).toEqual([['string'], []])
      for (const scope of [BOB, PUBLIC]) {
        expect(kinds(collection, 'common', scope)).toEqual(['number'])
        for (const path of ['secret', 'secret.field', 'nonsense']) expect(kinds(collection, path, scope)).toEqual([])
        const knowledge = known(collection, scope)
        expect(knowledge.hasValue('name', 'open')).toBe(true)
        expect(knowledge.hasValue('name', 'hidden')).toBe(false)
        expect(knowledge.hasValue('secret.field', 'value')).toBe(false)
        expect(knowledge.paths(100)).toEqual(scope === BOB ? ['common', 'name', 'own'] : ['common', 'name'])
      }
      expect(known(collection, OPERATOR).paths(100)).toEqual(
        expect.arrayContaining(['common', 'secret', 'secret.field', 'own']),
      )
    })

    it('changes hands with a record that is made public or private again', async () => {
      const collection = newCollection()
      await alices(collection, 'x', { v: 1 })
      const publish = { action: 'replace', collection, id: 'x', accountId: 'alice', text: '{"v":1}' } as const
      const seen: unknown[] = []
      for (const [version, isPublic] of [true, false].entries()) {
        await records.apply([{ ...publish, expectedVersion: version + 1, isPublic }])
        seen.push(kinds(collection, 'v', BOB))
        expect(kinds(collection, 'v')).toEqual(['number'])
      }
      expect(seen).toEqual([['number'], []])
    })

    it('knows values', async () => {
      const collection = newCollection()
      await alices(collection, 'x', { name: 'Si', a: 5.43, zero: 0, vector: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
      const knowledge = known(collection)
      const asked = (path: string, value: string | number) => knowledge.hasValue(path, value)
      expect([asked('name', 'Si'), asked('name', 'si'), asked('a', 5.43), asked('a', 5.4)]).toEqual([
        true,
        false,
        true,
        false,
      ])
      expect([asked('zero', -0), asked('name', 5), asked('no', 'Si')]).toEqual([true, false, false])
      expect([asked('vector', 7), asked('name', 'x'.repeat(300))]).toEqual([true, false])
    })

    it('names no more paths than asked, in their order', async () => {
      const collection = newCollection()
      await alices(collection, 'x', { one: 1, two: 2, three: 3 })
      expect(known(collection).paths(2)).toEqual(['one', 'three'])
      expect(known('no such collection').paths(2)).toEqual([])
    })

    it('is not there while segments are made anew, and right afterwards', async () => {
      const collection = newCollection()
      await alices(collection, 'x', { v: 1, list: [] })
      const during: unknown[] = []
      await opened.store.reindex(() => {
        during.push(records.knowledge(collection, ALICE))
      })
      expect(during).toContain(null)
      expect([kinds(collection, 'v'), kinds(collection, 'list')]).toEqual([['number'], ['array']])
      expect(await opened.store.check(() => {})).toEqual([])
    })
  })
}
