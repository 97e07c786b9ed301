import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { Scope } from '../../src/query/plan.ts'
import type { Change, Page, RecordStore } from '../../src/store/port/record-store.ts'
import { accountScope, documentsOf, insertion, OPERATOR, PUBLIC, planOf } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

const ALICE = accountScope('alice')
const BOB = accountScope('bob')

/** What every record store does. */
export function recordStoreContract(target: StoreTarget): void {
  describe(`records in ${target.name}`, () => {
    let opened: OpenTarget
    let records: RecordStore
    let last = 0

    beforeAll(async () => {
      opened = await target.open()
      records = opened.store.records
    })
    afterAll(() => opened.dispose())

    /** A collection of its own for each test. */
    const newCollection = (): string => `collection-${++last}`

    const namesOf = async (...plan: Parameters<typeof planOf>): Promise<unknown[]> =>
      documentsOf(await records.find(planOf(plan[0], plan[1], plan[2], plan[3] ?? OPERATOR))).map(
        (document) => document['name'],
      )

    async function fill(collection: string, names: readonly string[], extra: JsonObject = {}): Promise<void> {
      await records.applyEach(names.map((name) => insertion(collection, name, { name, ...extra })))
    }

    describe('reading and writing one record', () => {
      it('gives back the very text that was written', async () => {
        const collection = newCollection()
        const text = '{"b":1,"a":{"z":1e2,"y":[ ]},"é":"\\u0001 \\ud83d\\ude00"}'
        const insert: Change = { action: 'insert', collection, id: 'x', accountId: 'alice', isPublic: false, text }
        const [written] = await records.apply([insert])
        expect(written).toEqual({ outcome: 'done', serial: expect.any(String), version: 1 })
        const serial = written?.outcome === 'done' ? written.serial : ''
        const record = { id: 'x', accountId: 'alice', isPublic: false, serial, version: 1, text }
        expect(await records.read(collection, ALICE, 'x')).toEqual(record)
        expect((await records.find(planOf(collection, {}, {}, ALICE))).documents.toString()).toBe(`[${text}]`)
      })

      it('refuses an id that is taken by the same account, or by a public record', async () => {
        const collection = newCollection()
        const insert = (name: string, accountId: string, isPublic = false) =>
          records.apply([insertion(collection, 'x', { name }, { accountId, isPublic })])
        const outcomes = async (results: ReturnType<typeof insert>) => (await results).map(({ outcome }) => outcome)
        expect(await outcomes(insert('first', 'alice'))).toEqual(['done'])
        expect(await outcomes(insert('second', 'alice'))).toEqual(['exists'])
        // What is private to one account is hidden from another: its id is as free as any.
        expect(await outcomes(insert('hers', 'bob'))).toEqual(['done'])
        expect(await outcomes(insert('everybodys', 'carol', true))).toEqual(['done'])
        expect(await outcomes(insert('late', 'dave'))).toEqual(['exists'])
        expect(await namesOf(collection)).toEqual(['first', 'hers', 'everybodys'])
        const readBy = async (accountId: string) => (await records.read(collection, accountScope(accountId), 'x'))?.text
        expect(await readBy('alice')).toContain('first')
        expect(await readBy('bob')).toContain('hers')
        expect(await readBy('dave')).toContain('everybodys')
      })

      it('refuses to publish a record whose id a public one has', async () => {
        const collection = newCollection()
        await records.apply([insertion(collection, 'x', { name: 'mine' }, { accountId: 'alice' })])
        await records.apply([insertion(collection, 'x', { name: 'public' }, { accountId: 'bob', isPublic: true })])
        const publish = { action: 'replace', collection, id: 'x', accountId: 'alice', expectedVersion: 1 } as const
        expect(await records.apply([{ ...publish, isPublic: true, text: '{"name":"mine"}' }])).toEqual([
          { outcome: 'exists' },
        ])
        expect(await namesOf(collection)).toEqual(['mine', 'public'])
      })

      it('tells a record from one that has its id after it, and not from its next version', async () => {
        const collection = newCollection()
        const serials: (string | undefined)[] = []
        const note = async () => serials.push((await records.read(collection, ALICE, 'x'))?.serial)
        await records.apply([insertion(collection, 'x', { name: 'one' }, { accountId: 'alice' })])
        await note()
        const named = { collection, id: 'x', accountId: 'alice' } as const
        await records.apply([
          { action: 'replace', ...named, expectedVersion: 1, isPublic: true, text: '{"name":"two"}' },
        ])
        await note()
        await records.apply([{ action: 'erase', ...named, expectedVersion: 2 }])
        await records.apply([insertion(collection, 'x', { name: 'three' }, { accountId: 'alice' })])
        await note()
        expect(serials[1]).toBe(serials[0])
        expect(serials[2]).not.toBe(serials[0])
      })

      it('has separate ids in each collection', async () => {
        const [one, other] = [newCollection(), newCollection()]
        await records.apply([insertion(one, 'x', { name: 'one' }), insertion(other, 'x', { name: 'other' })])
        expect(await namesOf(one)).toEqual(['one'])
        expect(await namesOf(other)).toEqual(['other'])
      })

      it('replaces a record whose version is as expected, and no other', async () => {
        const collection = newCollection()
        await records.apply([insertion(collection, 'x', { name: 'old', a: 1 })])
        const replace = {
          action: 'replace',
          collection,
          id: 'x',
          accountId: 'owner',
          isPublic: false,
          text: '{"name":"new","b":2}',
        } as const
        expect(await records.apply([{ ...replace, expectedVersion: 2 }])).toEqual([{ outcome: 'changed' }])
        expect(await records.apply([{ ...replace, expectedVersion: 1 }])).toMatchObject([
          { outcome: 'done', version: 2 },
        ])
        expect(await records.apply([{ ...replace, id: 'y', expectedVersion: 1 }])).toEqual([{ outcome: 'missing' }])
        expect(await records.apply([{ ...replace, expectedVersion: 1 }])).toEqual([{ outcome: 'changed' }])
        expect(await namesOf(collection, { b: 2 })).toEqual(['new'])
        expect(await namesOf(collection, { a: 1 })).toEqual([])
        expect((await records.read(collection, OPERATOR, 'x'))?.version).toBe(2)
      })

      it('removes a record whose version is as expected, and no other', async () => {
        const collection = newCollection()
        await fill(collection, ['x'], { a: 1 })
        const remove = { action: 'remove', collection, id: 'x', accountId: 'owner' } as const
        expect(await records.apply([{ ...remove, expectedVersion: 7 }])).toEqual([{ outcome: 'changed' }])
        expect(await records.apply([{ ...remove, expectedVersion: 1 }])).toMatchObject([{ outcome: 'done' }])
        expect(await records.apply([{ ...remove, expectedVersion: 1 }])).toEqual([{ outcome: 'missing' }])
        expect(await records.read(collection, OPERATOR, 'x')).toBeNull()
        expect(await namesOf(collection, { a: 1 })).toEqual([])
      })

      it.each([
        { action: 'replace', isPublic: true, text: '{"name":"taken over"}', isDefault: true },
        { action: 'remove' },
        { action: 'erase' },
        { action: 'expect' },
      ] as const)('finds nothing to $action where the record is not of the account that is named', async (change) => {
        for (const isPublic of [false, true]) {
          const collection = newCollection()
          await records.apply([insertion(collection, 'x', { name: 'hers' }, { accountId: 'alice', isPublic })])
          await records.apply([insertion(collection, 'y', { name: 'his' }, { accountId: 'bob' })])
          const state = async () => ({
            seen: await Promise.all([ALICE, BOB, PUBLIC].map((scope) => records.read(collection, scope, 'x'))),
            history: await records.history(collection, ALICE, 'x'),
            removed: await records.listRemoved(collection, OPERATOR, 0, 10),
            counters: await Promise.all([ALICE, BOB, PUBLIC].map((scope) => records.readChangeCounter(scope))),
          })
          const before = await state()
          const named = { collection, id: 'x', expectedVersion: 1 } as const
          for (const accountId of ['bob', 'nobody', '']) {
            const changes = [{ ...change, ...named, accountId }]
            expect(await records.apply(changes)).toEqual([{ outcome: 'missing' }])
            expect(await records.applyEach(changes)).toEqual([{ outcome: 'missing' }])
          }
          expect(await state()).toEqual(before)
          expect(await records.apply([{ ...change, ...named, accountId: 'alice' }])).toMatchObject([
            { outcome: 'done' },
          ])
        }
      })

      it('keeps fields that are called like properties of JavaScript objects', async () => {
        const collection = newCollection()
        const text = '{"__proto__":{"a":1},"constructor":"x","name":"odd"}'
        await records.apply([{ action: 'insert', collection, id: 'x', accountId: 'alice', isPublic: false, text }])
        expect(await namesOf(collection, { constructor: 'x' })).toEqual(['odd'])
        expect(await namesOf(collection, JSON.parse('{"__proto__.a":1}') as JsonObject)).toEqual(['odd'])
        expect(await namesOf(collection, { toString: { $exists: true } })).toEqual([])
      })
    })

    describe('several changes', () => {
      it('applies all changes or none', async () => {
        const collection = newCollection()
        await fill(collection, ['taken'])
        const results = await records.apply([
          insertion(collection, 'a', { name: 'a' }),
          insertion(collection, 'taken', { name: 'again' }),
        ])
        expect(results[1]).toEqual({ outcome: 'exists' })
        expect(await namesOf(collection)).toEqual(['taken'])
        expect(await namesOf(collection, { name: 'a' })).toEqual([])
      })

      it('sees earlier changes of the same call', async () => {
        const collection = newCollection()
        const results = await records.apply([
          insertion(collection, 'a', { name: 'a' }),
          {
            action: 'replace',
            collection,
            id: 'a',
            accountId: 'owner',
            expectedVersion: 1,
            isPublic: true,
            text: '{"name":"b"}',
          },
        ])
        expect(results).toMatchObject([
          { outcome: 'done', version: 1 },
          { outcome: 'done', version: 2 },
        ])
        expect(await namesOf(collection, {}, {}, PUBLIC)).toEqual(['b'])
      })

      it('applies each change by itself in bulk, and tells of each', async () => {
        const collection = newCollection()
        const changes = Array.from({ length: 700 }, (_, i) => insertion(collection, `id${i % 600}`, { name: `n${i}` }))
        const results = await records.applyEach(changes)
        expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(600)
        expect(results.slice(600).every(({ outcome }) => outcome === 'exists')).toBe(true)
        expect(await records.count(planOf(collection))).toBe(600)
      })

      it('fails a change whose text is no JSON object, and keeps those that came with it', async () => {
        const collection = newCollection()
        const broken: Change = { action: 'insert', collection, id: 'b', accountId: 'x', isPublic: false, text: '[1' }
        const [good, bad] = await Promise.allSettled([
          records.apply([insertion(collection, 'a', { name: 'a' })]),
          records.apply([broken]),
        ])
        expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected'])
        expect(await namesOf(collection)).toEqual(['a'])
      })

      it('takes many writers at once', async () => {
        const collection = newCollection()
        await Promise.all(Array.from({ length: 300 }, (_, i) => fill(collection, [`n${i}`])))
        expect(await records.count(planOf(collection))).toBe(300)
      })
    })

    describe('scope', () => {
      const collection = 'scoped'
      beforeAll(async () => {
        await records.apply([
          insertion(collection, 'a', { name: 'alice', tag: 't' }, { accountId: 'alice' }),
          insertion(collection, 'ap', { name: 'alice-public', tag: 't' }, { accountId: 'alice', isPublic: true }),
          insertion(collection, 'b', { name: 'bob', tag: 't' }, { accountId: 'bob' }),
          insertion(collection, 'bp', { name: 'bob-public', tag: 't' }, { accountId: 'bob', isPublic: true }),
        ])
      })

      it.each([
        ['an account: its own and public ones', ALICE, ['alice', 'alice-public', 'bob-public']],
        ['another account: other ones', BOB, ['alice-public', 'bob', 'bob-public']],
        ['an account without records: public ones', accountScope('carol'), ['alice-public', 'bob-public']],
        ['the public: public ones', PUBLIC, ['alice-public', 'bob-public']],
        ['the operator: all', OPERATOR, ['alice', 'alice-public', 'bob', 'bob-public']],
      ] as const)('shows %s', async (_, scope, names) => {
        expect(await namesOf(collection, {}, {}, scope)).toEqual(names)
        expect(await namesOf(collection, { tag: 't' }, {}, scope)).toEqual(names)
        expect(await namesOf(collection, { tag: { $gt: 'a' } }, {}, scope)).toEqual(names)
        expect(await namesOf(collection, { $or: [{ tag: 't' }, { name: 'bob' }] }, {}, scope)).toEqual(names)
        expect(await namesOf(collection, { tag: { $ne: 'u' } }, {}, scope)).toEqual(names)
        expect(await namesOf(collection, {}, { sort: { name: 1 } }, scope)).toEqual(names)
        expect(await records.count(planOf(collection, {}, {}, scope))).toBe(names.length)
        expect(await records.count(planOf(collection, { tag: 't' }, {}, scope))).toBe(names.length)
      })

      it('reads a record of somebody else as if there were none', async () => {
        expect(await records.read(collection, ALICE, 'b')).toBeNull()
        expect(await records.read(collection, PUBLIC, 'b')).toBeNull()
        expect(await records.read(collection, BOB, 'b')).toMatchObject({ accountId: 'bob', isPublic: false })
        expect(await records.read(collection, ALICE, 'bp')).toMatchObject({ accountId: 'bob', isPublic: true })
      })

      it('follows a record that is published or withdrawn', async () => {
        const own = newCollection()
        await records.apply([insertion(own, 'x', { name: 'x', a: 1 }, { accountId: 'alice' })])
        const replace = {
          action: 'replace',
          collection: own,
          id: 'x',
          accountId: 'alice',
          text: '{"name":"x","a":1}',
        } as const
        await records.apply([{ ...replace, expectedVersion: 1, isPublic: true }])
        expect(await namesOf(own, { a: 1 }, {}, BOB)).toEqual(['x'])
        await records.apply([{ ...replace, expectedVersion: 2, isPublic: false }])
        expect(await namesOf(own, { a: 1 }, {}, BOB)).toEqual([])
        expect(await namesOf(own, { a: 1 }, {}, ALICE)).toEqual(['x'])
      })
    })

    describe('lists', () => {
      it('are in the order of insertion without a sort', async () => {
        const collection = newCollection()
        await fill(collection, ['c', 'a', 'b'])
        await records.apply([{ action: 'remove', collection, id: 'a', accountId: 'owner', expectedVersion: 1 }])
        await fill(collection, ['a'])
        expect(await namesOf(collection)).toEqual(['c', 'b', 'a'])
      })

      it('break ties of a sort by insertion, in both directions', async () => {
        const collection = newCollection()
        await records.applyEach(
          ['x', 'y', 'z'].flatMap((name) => [0, 1].map((g) => insertion(collection, name + g, { name: name + g, g }))),
        )
        expect(await namesOf(collection, {}, { sort: { g: 1 } })).toEqual(['x0', 'y0', 'z0', 'x1', 'y1', 'z1'])
        expect(await namesOf(collection, {}, { sort: { g: -1 } })).toEqual(['x1', 'y1', 'z1', 'x0', 'y0', 'z0'])
      })

      it.each([{}, { sort: { g: 1 } }, { sort: { g: -1, name: -1 } }])(
        'give consecutive pages with %j',
        async (projection) => {
          const collection = newCollection()
          await records.applyEach(
            Array.from({ length: 57 }, (_, i) => insertion(collection, `n${i}`, { name: `n${i}`, g: (i * 7) % 5 })),
          )
          const whole = await namesOf(collection, {}, { ...projection, limit: 500 })
          const pages: unknown[] = []
          for (let skip = 0; skip < 57; skip += 10) {
            pages.push(...(await namesOf(collection, {}, { ...projection, skip, limit: 10 })))
          }
          expect(whole).toHaveLength(57)
          expect(pages).toEqual(whole)
        },
      )

      it.each([
        ['natural order', {}],
        ['a sort', { sort: { g: 1 } }],
        ['two keys', { sort: { g: -1, name: 1 } }],
        ['a key that some records lack or have several times', { sort: { odd: 1 } }],
      ])('go on behind a cursor in %s, whatever is written meanwhile', async (_, projection) => {
        const collection = newCollection()
        const odd = [undefined, null, 1, [3, 2], 'x', [], { y: 1 }, 'z'.repeat(2000)]
        const documents = Array.from({ length: 57 }, (_, i) => ({ name: `n${i}`, g: (i * 7) % 5, odd: odd[i % 8] }))
        await records.applyEach(
          documents.map((each) => insertion(collection, each.name, JSON.parse(JSON.stringify(each)))),
        )
        const whole = await namesOf(collection, {}, { ...projection, limit: 500 })
        const paged: unknown[] = []
        let after: string | null = null
        do {
          const page: Page = await records.find({
            ...planOf(collection, {}, { ...projection, limit: 10 }, OPERATOR),
            after,
          })
          paged.push(...documentsOf(page).map(({ name }) => name))
          after = page.next
          if (paged.length === 20) {
            await records.apply([
              { action: 'erase', collection, id: String(paged[3]), accountId: 'owner', expectedVersion: 1 },
            ])
          }
        } while (after !== null)
        expect(paged).toEqual(whole)
      })

      const named = { id: 'n3', accountId: 'alice', expectedVersion: 1 } as const
      it.each([
        ['changed', [{ action: 'replace', ...named, isPublic: false, text: '{"name":"n3","long":"~"}' }]],
        [
          'changed and removed',
          [
            { action: 'replace', ...named, isPublic: false, text: '{"name":"n3","long":"!"}' },
            { action: 'remove', ...named, expectedVersion: 2 },
          ],
        ],
        ['removed', [{ action: 'remove', ...named }]],
        ['published', [{ action: 'replace', ...named, isPublic: true, text: '{"name":"n3","long":"~"}' }]],
      ] as const)('go on behind a record with a long key that has been %s', async (_, changes) => {
        for (const scope of [ALICE, OPERATOR]) {
          const collection = newCollection()
          const long = (i: number) => `${'x'.repeat(1200)}${i}`
          const documents = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({ name: `n${i}`, long: long(i) }))
          await records.applyEach(
            documents.map((each) => insertion(collection, each.name, each, { accountId: 'alice' })),
          )
          const plan = planOf(collection, {}, { sort: { long: 1 }, limit: 4 }, scope)
          const first = await records.find(plan)
          for (const change of changes)
            expect(await records.apply([{ ...change, collection }])).toMatchObject([{ outcome: 'done' }])
          const second = await records.find({ ...plan, after: first.next })
          const ahead = documentsOf(second).map(({ name }) => name)
          // Whatever sorts behind its old place is in the list again.
          expect(ahead.filter((name) => name !== 'n3')).toEqual(
            ['n4', 'n5', 'n6', 'n7'].slice(0, ahead.includes('n3') ? 3 : 4),
          )
        }
      })

      it('refuse a cursor with a long key whose record is gone for good', async () => {
        const collection = newCollection()
        const documents = ['a', 'b', 'c'].map((name) => ({ name, long: name.repeat(1200) }))
        await records.applyEach(documents.map((each) => insertion(collection, each.name, each)))
        const plan = planOf(collection, {}, { sort: { long: 1 }, limit: 1 }, OPERATOR)
        const { next: after } = await records.find(plan)
        await records.apply([{ action: 'erase', collection, id: 'a', accountId: 'owner', expectedVersion: 1 }])
        await expect(records.find({ ...plan, after })).rejects.toMatchObject({
          code: 40028,
          data: { path: 'projection.after' },
        })
      })

      it('refuse a cursor of another sort, and what is no cursor', async () => {
        const collection = newCollection()
        await fill(collection, ['a', 'b', 'c'])
        const sorted = await records.find(planOf(collection, {}, { sort: { name: 1 }, limit: 1 }))
        for (const after of [sorted.next, 'x', '', 'W10', 'WyIiLFtdLDEuNV0']) {
          const plan = { ...planOf(collection, {}, { limit: 1 }, OPERATOR), after }
          await expect(records.find(plan)).rejects.toMatchObject({ code: 40028, data: { path: 'projection.after' } })
        }
      })

      it('refuse a cursor of another collection or of another account, and what was made from one', async () => {
        const [collection, other] = [newCollection(), newCollection()]
        const inserted = ['alice', 'bob'].flatMap((accountId) =>
          [collection, other].flatMap((each) =>
            ['a', 'b', 'c'].map((id) => insertion(each, `${accountId}-${id}`, { name: id }, { accountId })),
          ),
        )
        await records.applyEach(inserted)
        const after = (await records.find(planOf(collection, {}, { limit: 1 }, ALICE))).next ?? ''
        const goOn = async (each: string, scope: Scope, cursor = after) =>
          documentsOf(await records.find({ ...planOf(each, {}, {}, scope), after: cursor })).map(({ name }) => name)
        expect(await goOn(collection, ALICE)).toEqual(['b', 'c'])
        for (const [each, scope] of [
          [other, ALICE],
          [collection, BOB],
          [collection, PUBLIC],
          [collection, OPERATOR],
        ] as const)
          await expect(goOn(each, scope)).rejects.toMatchObject({ code: 40028, data: { path: 'projection.after' } })
        for (const at of [8, 20, 30, 40]) {
          const last = after.length - at
          const forged = `${after.slice(0, last)}${after[last] === 'A' ? 'B' : 'A'}${after.slice(last + 1)}`
          await expect(goOn(collection, ALICE, forged)).rejects.toMatchObject({ code: 40028 })
        }
      })

      it('are empty past the end, and for a collection that nobody has written to', async () => {
        const page = await records.find(planOf(newCollection(), { a: 1 }))
        expect([page.documents.toString(), page.count]).toEqual(['[]', 0])
        const collection = newCollection()
        await fill(collection, ['a'])
        expect(await namesOf(collection, {}, { skip: 1 })).toEqual([])
      })

      it('carry only the fields that are asked for', async () => {
        const collection = newCollection()
        await records.apply([insertion(collection, 'a', { _id: 'a', name: 'n', big: [1, 2, 3] })])
        const page = await records.find(planOf(collection, {}, { fields: { name: 1, _id: 0 } }))
        expect(page.documents.toString()).toBe('[{"name":"n"}]')
      })

      it('treat every text as a value, never as SQL', async () => {
        const collection = newCollection()
        const hostile = `'); DROP TABLE record; --`
        await records.apply([insertion(collection, hostile, { name: hostile, [hostile]: hostile })])
        expect(await namesOf(collection, { name: hostile })).toEqual([hostile])
        expect(await namesOf(collection, { [hostile]: { $in: [hostile, 'x'] } }, { sort: { [hostile]: 1 } })).toEqual([
          hostile,
        ])
        expect((await records.read(collection, OPERATOR, hostile))?.id).toBe(hostile)
      })

      it('take hundreds of conditions', async () => {
        const collection = newCollection()
        await fill(collection, ['a', 'b'], { v: 5 })
        const $or = Array.from({ length: 300 }, (_, i) => ({ [`f${i}`]: i, v: { $gte: i } }))
        expect(await namesOf(collection, { $or })).toEqual([])
        expect(await namesOf(collection, { v: { $in: Array.from({ length: 10_000 }, (_, i) => i) } })).toEqual([
          'a',
          'b',
        ])
        const $and = Array.from({ length: 400 }, (_, i) => ({ v: { $gte: 5 - i } }))
        expect(await namesOf(collection, { $and })).toEqual(['a', 'b'])
      })
    })

    describe('streams', () => {
      const collection = 'streamed'
      beforeAll(() => fillStream(collection))

      async function fillStream(name: string): Promise<void> {
        const pad = 'x'.repeat(500)
        await records.applyEach(
          Array.from({ length: 2000 }, (_, i) => insertion(name, `n${i}`, { name: `n${i}`, a: i % 7, pad })),
        )
      }

      async function linesOf(...plan: Parameters<typeof planOf>): Promise<JsonObject[]> {
        const chunks: Buffer[] = []
        for await (const chunk of records.stream(planOf(...plan))) chunks.push(chunk)
        expect(chunks.length).toBeGreaterThan(0)
        const text = Buffer.concat(chunks).toString()
        expect(text.endsWith('\n')).toBe(true)
        return linesIn(text)
      }

      function linesIn(text: string): JsonObject[] {
        return text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as JsonObject)
      }

      it('yield everything that matches as lines, whatever the limit', async () => {
        expect(await linesOf(collection, {}, { limit: 1 })).toHaveLength(2000)
        const some = await linesOf(collection, { a: { $nin: [1, 2] } }, { sort: { a: -1 }, fields: { name: 1, a: 1 } })
        expect(some).toHaveLength(1428)
        expect(some[0]).toEqual({ name: 'n6', a: 6 })
        expect(some.at(-1)).toEqual({ name: 'n1995', a: 0 })
      })

      it.each([
        ['in natural order', {}, {}],
        ['in natural order, of a condition', { a: { $nin: [1, 2] } }, {}],
        ['in an order', {}, { sort: { a: -1, name: 1 } }],
        ['in an order, of a condition', { a: { $gte: 2 } }, { sort: { pad: 1, a: -1 } }],
      ])(
        'have each record once %s that matches from beginning to end, and nothing that came or went meanwhile',
        async (_what, filter, projection) => {
          const own = newCollection()
          await fillStream(own)
          const names = (await linesOf(own, filter, projection)).map(({ name }) => String(name))
          const [changed = '', removed = '', unmatched = ''] = names.slice(-3)
          const stream = records.stream(planOf(own, filter, projection))[Symbol.asyncIterator]()
          const first = String((await stream.next()).value)
          expect(first.split('\n').length).toBeLessThan(names.length - 3)

          const write = (name: string, fields: JsonObject): Change => ({
            action: 'replace',
            collection: own,
            id: name,
            accountId: 'owner',
            expectedVersion: 1,
            isPublic: false,
            text: JSON.stringify({ name, a: 5, pad: 'x', ...fields }),
          })
          await fill(own, ['late'], { a: 5, pad: 'x' })
          await records.apply([write(changed, { isChanged: true })])
          await records.apply([
            { action: 'remove', collection: own, id: removed, accountId: 'owner', expectedVersion: 1 },
          ])
          await records.apply([write(unmatched, { a: 1 })])

          const lines = [...linesIn(first)]
          for (let next = await stream.next(); !next.done; next = await stream.next())
            lines.push(...linesIn(String(next.value)))
          const isLeftOut = (name: string) => name === removed || (name === unmatched && 'a' in filter)
          expect(lines.map(({ name }) => name)).toEqual(names.filter((name) => !isLeftOut(name)))
          expect(lines.find(({ name }) => name === changed)).toMatchObject({ isChanged: true })
        },
      )

      it('can be left before the end', async () => {
        for await (const chunk of records.stream(planOf(collection))) {
          expect(chunk.length).toBeGreaterThan(0)
          break
        }
        expect(await records.count(planOf(collection))).toBe(2000)
      })
    })

    describe('the change counter', () => {
      it('grows for those who can see a change, and for nobody else', async () => {
        const collection = newCollection()
        const counters = (): Promise<number[]> =>
          Promise.all([ALICE, BOB, PUBLIC, OPERATOR].map((scope) => records.readChangeCounter(scope)))
        const grown = async (...changes: Change[]): Promise<boolean[]> => {
          const before = await counters()
          await records.apply(changes)
          return (await counters()).map((after, index) => after > (before[index] ?? 0))
        }
        const mine = insertion(collection, 'a', { name: 'a' }, { accountId: 'alice' })
        expect(await grown(mine)).toEqual([true, false, false, true])
        expect(await grown(mine)).toEqual([false, false, false, false])
        const publish = {
          action: 'replace',
          collection,
          id: 'a',
          accountId: 'alice',
          expectedVersion: 1,
          isPublic: true,
          text: '{}',
        } as const
        expect(await grown(publish)).toEqual([true, true, true, true])
        const withdraw = { ...publish, expectedVersion: 2, isPublic: false }
        expect(await grown(withdraw)).toEqual([true, true, true, true])
        expect(await grown({ action: 'remove', collection, id: 'a', accountId: 'alice', expectedVersion: 3 })).toEqual([
          true,
          false,
          false,
          true,
        ])
      })
    })

    describe('the marks of collections', () => {
      it('are others for the collection that has changed, for those who can see it', async () => {
        const [changed, still] = [newCollection(), newCollection()]
        const marks = () => Promise.all([ALICE, BOB, OPERATOR].map((scope) => records.readCollectionMarks(scope)))
        const moved = async (change: Change): Promise<readonly (readonly boolean[])[]> => {
          const before = await marks()
          await records.apply([change])
          const after = await marks()
          return after.map((now, index) =>
            [changed, still].map((collection) => now.get(collection) !== before[index]?.get(collection)),
          )
        }
        await records.apply([insertion(still, 'b', { name: 'b' }, { accountId: 'alice' })])
        const mine = insertion(changed, 'a', { name: 'a' }, { accountId: 'alice' })
        expect(await moved(mine)).toEqual([
          [true, false],
          [false, false],
          [true, false],
        ])
        const change = { action: 'replace', collection: changed, id: 'a', accountId: 'alice', text: '{}' } as const
        const everybody = [true, true, true].map((isSeen) => [isSeen, false])
        expect(await moved({ ...change, expectedVersion: 1, isPublic: true })).toEqual(everybody)
        expect(await moved({ ...change, expectedVersion: 2, isPublic: true })).toEqual(everybody)
      })
    })
  })
}
