import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { type OpenTarget, TARGET } from '../support/targets.ts'

const SIZE = 9000

interface Material {
  readonly [field: string]: Json
  readonly name: string
  readonly a: number
  readonly type: string
}

const materials: readonly Material[] = Array.from({ length: SIZE }, (_, i) => ({
  name: `m${String((i * 7919) % SIZE).padStart(5, '0')}`,
  a: (i * 37) % 1000,
  type: i % 3 === 0 ? 'FCC' : 'BCC',
}))

/** Public, or private of one account or the other. */
const ownerOf = (i: number) => ({ accountId: i % 4 === 1 ? 'bob' : 'alice', isPublic: i % 4 === 0 })
const isVisible = (i: number): boolean => i % 4 !== 1

type Case = readonly [
  name: string,
  filter: Json,
  projection: { sort?: Json; skip?: number; limit: number },
  expected: {
    readonly selects: (material: Material) => boolean
    readonly compare: ((a: Material, b: Material) => number) | null
  },
]

const byName = (a: Material, b: Material): number => (a.name < b.name ? -1 : 1)

const CASES: readonly Case[] = [
  [
    'a common type by name',
    { type: 'FCC' },
    { sort: { name: 1 }, limit: 20 },
    { selects: ({ type }) => type === 'FCC', compare: byName },
  ],
  [
    'the last page',
    {},
    { sort: { name: -1 }, skip: 6700, limit: 500 },
    { selects: () => true, compare: (a, b) => byName(b, a) },
  ],
  [
    'a wide range by name',
    { a: { $gt: 100, $lte: 900 } },
    { sort: { name: 1 }, skip: 50, limit: 20 },
    { selects: ({ a }) => a > 100 && a <= 900, compare: byName },
  ],
  [
    'a narrow range by name',
    { a: { $gt: 100, $lte: 103 } },
    { sort: { name: 1 }, limit: 20 },
    { selects: ({ a }) => a > 100 && a <= 103, compare: byName },
  ],
  [
    'two keys, the first with many ties',
    {},
    { sort: { type: -1, name: 1 }, skip: 10, limit: 20 },
    { selects: () => true, compare: (a, b) => (a.type === b.type ? byName(a, b) : a.type > b.type ? -1 : 1) },
  ],
  [
    'ties in natural order',
    {},
    { sort: { type: 1 }, skip: 100, limit: 20 },
    { selects: () => true, compare: (a, b) => (a.type === b.type ? 0 : a.type < b.type ? -1 : 1) },
  ],
  [
    'natural order',
    { type: 'BCC' },
    { skip: 3000, limit: 20 },
    { selects: ({ type }) => type === 'BCC', compare: null },
  ],
  [
    'what every document has to be asked for',
    { name: { $not: { $regex: '7$' } } },
    { sort: { missing: 1 }, limit: 20 },
    { selects: ({ name }) => !name.endsWith('7'), compare: null },
  ],
]

describe(`a collection of thousands in ${TARGET.name}`, () => {
  let opened: OpenTarget
  let late = 0

  beforeAll(async () => {
    opened = await TARGET.open()
    await opened.store.records.applyEach(materials.map((material, i) => insertion('m', `${i}`, material, ownerOf(i))))
  })
  afterAll(() => opened.dispose())

  it.each(CASES)('pages through %s', async (_, filter, projection, { selects, compare }) => {
    const plan = planOf('m', filter, projection, accountScope('alice'))
    const page = await opened.store.records.find(plan)
    const visible = materials.filter((material, i) => isVisible(i) && selects(material))
    const ordered = compare === null ? visible : visible.toSorted(compare)
    const skip = projection.skip ?? 0
    expect(documentsOf(page)).toEqual(ordered.slice(skip, skip + projection.limit))
    expect(await opened.store.records.count(plan)).toBe(visible.length)
  })

  it.each(CASES)(
    'gives the same page of %s again and again, until something changes',
    async (_, filter, projection) => {
      const plan = planOf('m', filter, projection, accountScope('alice'))
      const { records } = opened.store
      const first = await records.find(plan)
      for (let time = 0; time < 3; time += 1) expect(documentsOf(await records.find(plan))).toEqual(documentsOf(first))
      const id = `late-${++late}`
      await records.apply([insertion('m', id, { name: 'm', a: 102, type: 'FCC' }, { accountId: 'alice' })])
      const sorted = await records.find({ ...plan, skip: 0, limit: 500 })
      await records.apply([{ action: 'erase', collection: 'm', id, accountId: 'alice', expectedVersion: 1 }])
      const names = documentsOf(sorted).map(({ name }) => name)
      if (plan.sort[0]?.path.text === 'name' && plan.sort[0].direction === 1) expect(names[0]).toBe('m')
      expect(documentsOf(await records.find(plan))).toEqual(documentsOf(first))
    },
  )
})
