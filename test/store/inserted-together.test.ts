import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../../src/store/port/record-store.ts'
import { ENDLESS_EFFORT } from '../../src/store/segments/effort.ts'
import { batchRunner } from '../../src/store/sqlite/write/run-batch.ts'
import { type PlainSqlite, plainSqlite } from '../support/plain-sqlite.ts'
import { documentsOf, insertion, OPERATOR, planOf } from '../support/plans.ts'
import { segmentsOf } from '../support/segments-of.ts'

const SIZES = { tailRows: 100, mergedTogether: 8, takenOver: 100, insertedTogether: 3 }

describe('records that are inserted together', () => {
  let store: PlainSqlite
  beforeEach(() => {
    store = plainSqlite(SIZES)
  })
  afterEach(() => {
    expect(store.check()).toEqual([])
    store.close()
  })

  const named = (id: string, place: { readonly isPublic?: boolean; readonly accountId?: string } = {}): Change => ({
    ...(insertion('c', id, { name: id }) as Extract<Change, { action: 'insert' }>),
    ...place,
  })
  const segments = () => segmentsOf(store.connection)
  const tail = () => store.connection.prepare('SELECT n FROM tail ORDER BY n').pluck().all()
  const names = () => documentsOf(store.find(planOf('c', {}, {}, OPERATOR), ENDLESS_EFFORT)).map(({ name }) => name)

  it('are a segment, and in no tail', () => {
    store.applyEach(['a', 'b', 'c'].map((id) => named(id)))
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 3], dead: [] }])
    expect(tail()).toEqual([])
    expect(names()).toEqual(['a', 'b', 'c'])
  })

  it('are found by who has looked before', () => {
    store.applyEach([named('a')])
    expect(names()).toEqual(['a'])
    store.applyEach(['b', 'c', 'd'].map((id) => named(id)))
    expect(names()).toEqual(['a', 'b', 'c', 'd'])
    store.applyEach(['e', 'f', 'g'].map((id) => named(id)))
    expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    expect(tail()).toEqual([1])
  })

  it('are in the tail when they are few', () => {
    store.applyEach(['a', 'b'].map((id) => named(id)))
    expect(segments()).toEqual([])
    expect(tail()).toEqual([1, 2])
  })

  it('are told apart by their homes', () => {
    const homes = [{ isPublic: true }, { accountId: 'ada' }, {}]
    store.applyEach(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id, at) => named(id, homes[at % 3])))
    expect(segments()).toEqual([{ home: 0, numbers: [1, 4, 7], dead: [] }])
    expect(tail()).toEqual([2, 3, 5, 6])
    expect(names().sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  })

  it('are a segment without those that are there already', () => {
    store.applyEach([named('b')])
    store.applyEach(['a', 'b', 'c', 'd'].map((id) => named(id)))
    expect(segments()).toEqual([{ home: 1, numbers: [2, 3, 4], dead: [] }])
    expect(names()).toEqual(['b', 'a', 'c', 'd'])
  })

  it('change nothing when all of them are there already', () => {
    const change = () => store.connection.prepare('SELECT changes, layout FROM home WHERE number = 1').get()
    store.applyEach(['a', 'b', 'c'].map((id) => named(id)))
    const before = change()
    store.applyEach(['a', 'b', 'c'].map((id) => named(id)))
    expect(change()).toEqual(before)
    expect(segments()).toHaveLength(1)
  })

  it('are as they became by other changes of the same commit', () => {
    const address = { collection: 'c', accountId: 'owner', expectedVersion: 1 }
    store.applyEach([
      ...['a', 'b', 'c', 'd'].map((id) => named(id)),
      { action: 'replace', ...address, id: 'b', isPublic: false, text: '{"name":"other"}' },
      { action: 'erase', ...address, id: 'c' },
    ])
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 3, 4], dead: [] }])
    expect(names()).toEqual(['a', 'other', 'd'])
    expect(store.count(planOf('c', { name: 'other' }), ENDLESS_EFFORT)).toBe(1)
    expect(store.count(planOf('c', { name: { $in: ['b', 'c'] } }), ENDLESS_EFFORT)).toBe(0)
  })

  it.each([
    ['no document, in a segment', '[1]', 2],
    ['no JSON, in a segment', '{"name":', 2],
    ['no document, in the tail', '[1]', 9],
  ])('are refused with one that is %s, and other jobs of the commit are not', (_, text, insertedTogether) => {
    const runBatch = batchRunner(store.connection, { segmentSizes: { ...SIZES, insertedTogether } })
    const wrong = { ...named('wrong'), text } as Change
    const outcomes = runBatch([
      { kind: 'applyEach', changes: [named('a'), wrong] },
      { kind: 'applyEach', changes: [named('b'), named('c')] },
    ])
    expect(outcomes).toMatchObject([{ failure: { cause: 'job' } }, { result: [{}, {}] }])
    expect(names()).toEqual(['b', 'c'])
    expect(runBatch([{ kind: 'applyEach', changes: [named('d'), wrong, named('e')] }])).toMatchObject([
      { failure: { cause: 'job' } },
    ])
    expect(names()).toEqual(['b', 'c'])
  })
})
