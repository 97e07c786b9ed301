import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/query/plan.ts'
import type { FieldKnowledge } from '../../src/query/warnings/field-knowledge.ts'
import type { RecordStore } from '../../src/store/port/record-store.ts'
import { accountScope, insertion, OPERATOR, PUBLIC } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

const ALICE = accountScope('alice')
const BOB = accountScope('bob')

/** What every store knows of fields, and keeps to itself, with all records in the tail, and with all in segments. */
export function fieldKnowledgeContract(target: StoreTarget): void {
  knowledgeOf(target.name, () => target.open())
  knowledgeOf(`${target.name}, in segments`, () => target.openInSegments())
}

function knowledgeOf(name: string, open: () => Promise<OpenTarget>): void {
  describe(`knowledge of fields in ${name}`, () => {
    let opened: OpenTarget
    let records: RecordStore
    let last = 0

    beforeAll(async () => {
      opened = await open()
      records = opened.store.records
    })
    afterAll(() => opened.dispose())

    const newCollection = (): string => `known-${++last}`
    const alices = (collection: string, id: string, document: Parameters<typeof insertion>[2], isPublic = false) =>
      records.apply([insertion(collection, id, document, { accountId: 'alice', isPublic })])

    const ask = <Found>(collection: string, scope: Scope, find: (knowledge: FieldKnowledge) => Found) =>
      records.askKnowledge(collection, scope, (knowledge) => {
        if (knowledge === null) throw new Error('nothing is known')
        return find(knowledge)
      })
    const kinds = (collection: string, path: string, scope = ALICE) =>
      ask(collection, scope, (known) => [...(known.kindsAt(path) ?? ['unknowable'])].sort())

    it('tells whether the requester sees any record', async () => {
      const collection = newCollection()
      const seen = () =>
        Promise.all([ALICE, BOB, PUBLIC].map((scope) => ask(collection, scope, (known) => known.hasRecords())))
      expect(await seen()).toEqual([false, false, false])
      await alices(collection, 'own', { n: 1 })
      expect(await seen()).toEqual([true, false, false])
      await alices(collection, 'public', { n: 2 }, true)
      expect(await seen()).toEqual([true, true, true])
    })

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
      const found = await Promise.all(Object.keys(expected).map(async (path) => [path, await kinds(collection, path)]))
      expect(Object.fromEntries(found)).toEqual(expected)
      expect(await kinds(collection, 'a.'.repeat(100))).toEqual(['unknowable'])
    })

    it('follows every write', async () => {
      const collection = newCollection()
      expect(await kinds(collection, 'v')).toEqual([])
      await alices(collection, 'x', { v: 1 })
      await alices(collection, 'y', { v: 2 })
      expect(await kinds(collection, 'v')).toEqual(['number'])
      const named = { collection, id: 'x', accountId: 'alice' } as const
      await records.apply([
        { action: 'replace', ...named, expectedVersion: 1, isPublic: false, text: '{"v":"two","w":{"u":1}}' },
      ])
      expect([await kinds(collection, 'v'), await kinds(collection, 'w.u')]).toEqual([['number', 'string'], ['number']])
      await records.apply([{ action: 'remove', ...named, expectedVersion: 2 }])
      expect([await kinds(collection, 'v'), await kinds(collection, 'w')]).toEqual([['number'], []])
      const text = '{"v":"two"}'
      await records.apply([{ action: 'restore', ...named, expectedVersion: 2, isPublic: false, text }])
      expect(await kinds(collection, 'v')).toEqual(['number', 'string'])
      await records.apply([{ action: 'erase', ...named, expectedVersion: 3 }])
      expect(await kinds(collection, 'v')).toEqual(['number'])
    })

    it('is of what the asker sees, and tells what only others have from nothing in no way', async () => {
      const collection = newCollection()
      await alices(collection, 'shared', { common: 1, name: 'open' }, true)
      await alices(collection, 'mine', { secret: { field: 'value' }, name: 'hidden' })
      await records.apply([insertion(collection, 'his', { own: 1 }, { accountId: 'bob' })])
      expect([await kinds(collection, 'secret.field'), await kinds(collection, 'own')]).toEqual([['string'], []])
      for (const scope of [BOB, PUBLIC]) {
        expect(await kinds(collection, 'common', scope)).toEqual(['number'])
        for (const path of ['secret', 'secret.field', 'nonsense'])
          expect(await kinds(collection, path, scope)).toEqual([])
        const found = await ask(collection, scope, (known) => [
          known.hasValue('name', 'open'),
          known.hasValue('name', 'hidden'),
          known.hasValue('secret.field', 'value'),
          known.paths(100),
        ])
        expect(found).toEqual([true, false, false, scope === BOB ? ['common', 'name', 'own'] : ['common', 'name']])
      }
      expect(await ask(collection, OPERATOR, (known) => known.paths(100))).toEqual(
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
        seen.push(await kinds(collection, 'v', BOB))
        expect(await kinds(collection, 'v')).toEqual(['number'])
      }
      expect(seen).toEqual([['number'], []])
    })

    it('knows values', async () => {
      const collection = newCollection()
      await alices(collection, 'x', { name: 'Si', a: 5.43, zero: 0, vector: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
      const asked = (...values: (readonly [string, string | number])[]) =>
        ask(collection, ALICE, (known) => values.map(([path, value]) => known.hasValue(path, value)))
      expect(await asked(['name', 'Si'], ['name', 'si'], ['a', 5.43], ['a', 5.4])).toEqual([true, false, true, false])
      expect(await asked(['zero', -0], ['name', 5], ['no', 'Si'])).toEqual([true, false, false])
      expect(await asked(['vector', 7], ['name', 'x'.repeat(300)])).toEqual([true, false])
    })

    it('names no more paths than asked, in their order', async () => {
      const collection = newCollection()
      await alices(collection, 'x', { one: 1, two: 2, three: 3 })
      expect(await ask(collection, ALICE, (known) => known.paths(2))).toEqual(['one', 'three'])
      expect(await ask('no such collection', ALICE, (known) => known.paths(2))).toEqual([])
    })
  })
}
