import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../scripts/fuzz/random.ts'
import { MOST_ROWS } from '../../src/engine/column-parts.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { matches } from '../../src/query/filter/match.ts'
import { compareSortKeys, sortKeyOf } from '../../src/query/order/sort-key.ts'
import type { QueryPlan, Scope } from '../../src/query/plan.ts'
import type { Change, Page } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { ENDLESS_EFFORT } from '../../src/store/segments/effort.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { DATABASE_FILE, openSqliteStore, type SqliteStoreOptions } from '../../src/store/sqlite/open-sqlite-store.ts'
import { batchRunner } from '../../src/store/sqlite/write/run-batch.ts'
import { type PlainSqlite, plainSqlite } from '../support/plain-sqlite.ts'
import { accountScope, documentsOf, insertion, OPERATOR, PUBLIC, planOf } from '../support/plans.ts'
import { segmentsOf } from '../support/segments-of.ts'
import { shapesOf } from '../support/shapes-of.ts'
import { triesOf } from '../support/study.ts'

const ACCOUNTS = ['ada', 'bob', 'eve']
const SCOPES: readonly Scope[] = [OPERATOR, PUBLIC, ...ACCOUNTS.map(accountScope)]
const COLLECTION = 'c'

/** What a record is, as far as it has been acknowledged. */
interface Kept {
  readonly id: string
  readonly account: string
  /** Its place in natural order, as the file has it. */
  number: number
  version: number
  isPublic: boolean
  isRemoved: boolean
  text: string
}

/** Writes at random, and knows what has to be there. */
class RandomWriter {
  readonly records: Kept[] = []
  readonly #random: Random
  readonly #name: string
  readonly #file: string
  #inserted = 0

  constructor(random: Random, name: string, file: string) {
    this.#random = random
    this.#name = name
    this.#file = file
  }

  /** One commit of a few changes, each of another record. */
  async write({ records }: Pick<Store, 'records'>, most: number): Promise<void> {
    const touched = new Set<Kept>()
    const planned = Array.from({ length: 1 + this.#random.integer(most) }, () => this.#plan(touched))
    const results = await records.applyEach(planned.map(({ change }) => change))
    for (const [at, { kept, becomes }] of planned.entries()) {
      const result = results[at]
      expect(result?.outcome).toBe('done')
      if (result?.outcome !== 'done') continue
      Object.assign(kept, becomes, { version: result.version })
      if (!this.records.includes(kept)) this.records.push(kept)
    }
    const numbers = numbersIn(this.#file)
    for (const kept of this.records) kept.number = numbers.get(kept.id) ?? kept.number
  }

  #plan(touched: Set<Kept>): { change: Change; kept: Kept; becomes: Partial<Kept> } {
    const random = this.#random
    const known = this.records.length === 0 || random.chance(0.45) ? null : random.pick(this.records)
    const text = JSON.stringify(this.#document())
    const isPublic = random.chance(0.4)
    if (known === null || touched.has(known)) {
      const account = random.pick(ACCOUNTS)
      const id = `${this.#name}-${this.#inserted++}`
      const kept: Kept = { id, account, number: 0, version: 0, isPublic, isRemoved: false, text }
      touched.add(kept)
      const change: Change = { action: 'insert', collection: COLLECTION, id, accountId: account, isPublic, text }
      return { change, kept, becomes: {} }
    }
    touched.add(known)
    const named = { collection: COLLECTION, id: known.id, accountId: known.account, expectedVersion: known.version }
    if (known.isRemoved) {
      return {
        change: { action: 'restore', ...named, isPublic, text },
        kept: known,
        becomes: { isPublic, text, isRemoved: false },
      }
    }
    if (random.chance(0.3)) return { change: { action: 'remove', ...named }, kept: known, becomes: { isRemoved: true } }
    return { change: { action: 'replace', ...named, isPublic, text }, kept: known, becomes: { isPublic, text } }
  }

  #document(): JsonObject {
    const random = this.#random
    return {
      name: `n${random.integer(30)}`,
      a: random.pick<Json>([1, 2, 2.5, null, 'x', [1, 2], { b: 1 }, true]),
      ...(random.chance(0.5) ? { tags: Array.from({ length: random.integer(3) }, () => `t${random.integer(4)}`) } : {}),
      ...(random.chance(0.1) ? { long: 'word '.repeat(60 + random.integer(20)) } : {}),
    }
  }
}

const QUESTIONS: readonly (readonly [filter: JsonObject, projection: JsonObject])[] = [
  [{}, { limit: 7 }],
  [{}, { limit: 9, sort: { name: 1 } }],
  [{ a: 2 }, { limit: 4, sort: { name: -1 } }],
  [
    { tags: 't1', a: { $ne: 'x' } },
    { limit: 6, sort: { a: 1, name: 1 } },
  ],
  [{ long: { $regex: 'word $' } }, { limit: 3 }],
  [{ $or: [{ name: 'n3' }, { tags: { $size: 2 } }] }, { limit: 5, sort: { tags: -1 } }],
]

/** The answer by the definition of the language. */
function expected(kept: readonly Kept[], plan: QueryPlan): readonly string[] {
  return kept
    .filter(({ isRemoved, isPublic, account }) => !isRemoved && sees(plan.scope, account, isPublic))
    .map(({ text, number }) => ({ text, number, document: JSON.parse(text) as JsonObject }))
    .filter(({ document }) => matches(plan.filter, document))
    .map((record) => ({ ...record, key: sortKeyOf(record.document, plan.sort) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, plan.sort) || a.number - b.number)
    .map(({ text }) => text)
}

function sees(scope: Scope, account: string, isPublic: boolean): boolean {
  return isPublic || scope.kind === 'operator' || (scope.kind === 'account' && scope.accountId === account)
}

/** The numbers of all records by their ids. */
function numbersIn(file: string): ReadonlyMap<string, number> {
  const connection = connect(file, 'read')
  try {
    return new Map(connection.prepare<[], [string, number]>('SELECT id, n FROM record').raw().all())
  } finally {
    connection.close()
  }
}

/** Goes through a list page by page. */
async function walk(store: Pick<Store, 'records'>, plan: QueryPlan): Promise<string[]> {
  const texts: string[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<Store['records']['find']>> = await store.records.find({ ...plan, after })
    texts.push(...documentsOf(page).map((document) => JSON.stringify(document)))
    after = page.next
  } while (after !== null)
  return texts
}

async function assertAnswers(store: Store, kept: readonly Kept[]): Promise<void> {
  for (const scope of SCOPES) {
    for (const [filter, projection] of QUESTIONS) {
      const plan = planOf(COLLECTION, filter, projection, scope)
      const right = expected(kept, plan)
      expect(await walk(store, plan), JSON.stringify([scope, filter])).toEqual(right)
      expect(await store.records.count(plan)).toBe(right.length)
    }
  }
}

describe('segments of a store with all its threads', () => {
  let dataDirectory: string
  let file: string
  beforeEach(() => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-segments-'))
    file = join(dataDirectory, DATABASE_FILE)
  })
  afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }))

  const open = (options: Partial<SqliteStoreOptions>) =>
    openSqliteStore({ dataDirectory, readerThreads: 1, ...options })

  const sizes: readonly SegmentSizes[] = [
    { tailRows: 4, mergedTogether: 2, takenOver: 8 },
    { tailRows: 1, mergedTogether: 3, takenOver: 8 },
    { tailRows: 16, mergedTogether: 4, takenOver: 8 },
    { tailRows: 7, mergedTogether: 2, takenOver: 3 },
    { tailRows: 5, mergedTogether: 2, takenOver: 8, insertedTogether: 2 },
  ]

  it.each(Array.from({ length: triesOf('threads') }, (_, at) => at + 1))(
    'answer like the matcher, whatever is written and whatever is merged meanwhile (seed %i)',
    async (seed) => {
      const segmentSizes = sizes[(seed - 1) % sizes.length] as SegmentSizes
      const random = createRandom(seed)
      const writer = new RandomWriter(random, 'r', file)
      const store = await open({ segmentSizes })
      try {
        for (let round = 0; round < 4; round++) {
          for (let commit = 0; commit < 25; commit++) await writer.write(store, 6)
          await assertAnswers(store, writer.records)
          if (round === 1) await store.reindex(() => {})
        }
        expect(await store.check(() => {})).toEqual([])
        // When there is nothing left to merge, segments are few.
        await expect.poll(() => unsettled(file), { timeout: 30_000 }).toEqual([])
        await assertAnswers(store, writer.records)
        expect(await store.check(() => {})).toEqual([])
      } finally {
        await store.close()
      }
      const again = await open({ segmentSizes, tends: false })
      await assertAnswers(again, writer.records)
      await again.close()
    },
  )

  it('are merged by one process while another writes, and neither loses anything', async () => {
    const segmentSizes = { tailRows: 3, mergedTogether: 2, takenOver: 8 }
    const merging = await open({ segmentSizes })
    const other = await open({ segmentSizes, tends: false })
    const writers = [new RandomWriter(createRandom(11), 'm', file), new RandomWriter(createRandom(12), 'o', file)]
    try {
      const writeAll = async (writer: RandomWriter, store: Store) => {
        for (let commit = 0; commit < 60; commit++) await writer.write(store, 4)
      }
      await Promise.all([writeAll(writers[0] as RandomWriter, merging), writeAll(writers[1] as RandomWriter, other)])
      const kept = writers.flatMap(({ records }) => records)
      for (const store of [merging, other]) await assertAnswers(store, kept)
      await expect.poll(() => unsettled(file), { timeout: 30_000 }).toEqual([])
      for (const store of [merging, other]) await assertAnswers(store, kept)
      expect(await other.check(() => {})).toEqual([])
    } finally {
      await merging.close()
      await other.close()
    }
  })

  it('are made anew by one process while another writes', async () => {
    const segmentSizes = { tailRows: 3, mergedTogether: 2, takenOver: 2 }
    const [one, other] = [await open({ segmentSizes }), await open({ segmentSizes })]
    const writer = new RandomWriter(createRandom(21), 'x', file)
    try {
      for (let commit = 0; commit < 20; commit++) await writer.write(one, 6)
      let isOver = false
      const making = one
        .reindex(() => {})
        .then(() => {
          isOver = true
        })
      for (let commit = 0; commit < 20 || !isOver; commit++) {
        await writer.write(other, 6)
        const plan = planOf(COLLECTION, { a: 2 }, { limit: 50 }, OPERATOR)
        expect(await walk(commit % 2 === 0 ? one : other, plan)).toEqual(expected(writer.records, plan))
      }
      await making
      for (const store of [one, other]) await assertAnswers(store, writer.records)
      expect(await one.check(() => {})).toEqual([])
    } finally {
      await one.close()
      await other.close()
    }
  })
})

/** Shelves whose segments are more than there are when there is nothing left to merge: each has more than twice the rows of all smaller ones, and few dead. */
function unsettled(file: string): readonly string[] {
  const connection = connect(file, 'read')
  try {
    const segments = connection
      .prepare<[], { shelf: string; rows: number; dead: number }>(
        `SELECT home || '/' || collection AS shelf, rows, dead_rows AS dead FROM segment ORDER BY shelf, rows`,
      )
      .all()
    const smaller = new Map<string, number>()
    const found = new Set<string>()
    for (const { shelf, rows, dead } of segments) {
      const before = smaller.get(shelf) ?? 0
      if (dead > 0.3 * rows || (before > 0 && 2 * before >= rows)) found.add(shelf)
      smaller.set(shelf, before + rows)
    }
    return [...found]
  } finally {
    connection.close()
  }
}

describe('a segment', () => {
  let store: PlainSqlite
  const open = (sizes: Partial<SegmentSizes> = {}) => {
    store = plainSqlite({ tailRows: 4, mergedTogether: 2, takenOver: 4, ...sizes })
  }
  afterEach(() => {
    expect(store.check()).toEqual([])
    store.close()
  })

  const texts = (plan: QueryPlan) =>
    documentsOf(store.find(plan, ENDLESS_EFFORT)).map((document) => JSON.stringify(document))
  const names = (scope: Scope = OPERATOR, filter: JsonObject = {}) =>
    documentsOf(store.find(planOf('c', filter, {}, scope), ENDLESS_EFFORT)).map(({ name }) => name)
  const insert = (...ids: string[]) => store.applyEach(ids.map((id) => insertion('c', id, { name: id, v: 1 })))
  const addressed = (id: string, expectedVersion = 1) =>
    ({ collection: 'c', id, accountId: 'owner', expectedVersion }) as const
  const replacement = (id: string, document: JsonObject, { version = 1, isPublic = false } = {}): Change => ({
    action: 'replace',
    ...addressed(id, version),
    isPublic,
    text: JSON.stringify(document),
  })
  const segments = () => segmentsOf(store.connection)

  it('is made when the tail is full, and not before', () => {
    open()
    insert('a', 'b', 'c')
    expect(segments()).toEqual([])
    insert('d')
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 3, 4], dead: [] }])
    expect(names()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('has the text that a record has by now, though it was read before and has been changed and sealed in one commit', () => {
    open({ tailRows: 1 })
    insert('a')
    expect(texts(planOf('c'))).toEqual(['{"name":"a","v":1}'])
    store.applyEach([replacement('a', { name: 'a', v: 2 })])
    expect(texts(planOf('c'))).toEqual(['{"name":"a","v":2}'])
  })

  it('has the text that a record has by now, though it has been changed, sealed and merged before it was asked for again', () => {
    open({ tailRows: 2 })
    insert('a', 'b')
    expect(texts(planOf('c', { v: 1 }))).toHaveLength(2)
    store.applyEach([replacement('a', { name: 'a', v: 2 }), insertion('c', 'd', { name: 'd', v: 1 })])
    store.merge({ inQuiet: true })
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 3], dead: [] }])
    expect(texts(planOf('c'))).toEqual(['{"name":"a","v":2}', '{"name":"b","v":1}', '{"name":"d","v":1}'])
  })

  it('has the text that a record has by now, though a tail that was looked at had an older one', () => {
    open({ tailRows: 8 })
    insert('a', 'b')
    expect(texts(planOf('c', { name: 'a' }))).toEqual(['{"name":"a","v":1}'])
    store.applyEach([replacement('a', { name: 'a', v: 2 })])
    expect(texts(planOf('c', { name: 'a' }))).toEqual(['{"name":"a","v":2}'])
    store.applyEach([replacement('a', { name: 'a', v: 3 }, { version: 2 })])
    expect(texts(planOf('c', { name: 'a' }))).toEqual(['{"name":"a","v":3}'])
  })

  it('has what records became in the commit that made them', () => {
    open()
    store.applyEach([
      insertion('c', 'a', { name: 'a', v: 1 }),
      insertion('c', 'b', { name: 'b', v: 1 }),
      replacement('a', { name: 'a', v: 2 }),
      { action: 'erase', ...addressed('b') },
      insertion('c', 'd', { name: 'd', v: 1 }),
      insertion('c', 'e', { name: 'e', v: 1 }),
    ])
    expect(segments()).toEqual([{ home: 1, numbers: [1, 3, 4], dead: [] }])
    expect(names(OPERATOR, { v: 2 })).toEqual(['a'])
    expect(names(OPERATOR, { v: 1 })).toEqual(['d', 'e'])
  })

  it('has nothing of records that were taken back', () => {
    open({ tailRows: 2 })
    const broken: Change = {
      action: 'insert',
      collection: 'c',
      id: 'b',
      accountId: 'owner',
      isPublic: false,
      text: '{',
    }
    expect(() => store.applyEach([insertion('c', 'a', { name: 'a', v: 1 }), broken])).toThrow()
    insert('d', 'e')
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2], dead: [] }])
    expect(names(OPERATOR, { name: { $in: ['a', 'd', 'e'] } })).toEqual(['d', 'e'])
  })

  it('has what another process made of records that this one has written, sealed or not', () => {
    open({ tailRows: 3 })
    const otherWith = (tailRows: number) =>
      batchRunner(store.connection, { segmentSizes: { tailRows, mergedTogether: 2, takenOver: 4 } })
    const change = (version: number) =>
      ['a', 'b'].map((id) => replacement(id, { name: id, v: version + 1 }, { version }))
    insert('a', 'b')
    otherWith(2)([{ kind: 'applyEach', changes: change(1) }])
    otherWith(9)([{ kind: 'applyEach', changes: change(2) }])
    insert('d')
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 3], dead: [] }])
    expect(names(OPERATOR, { v: 3 })).toEqual(['a', 'b'])
    expect(names(OPERATOR, { v: 1 })).toEqual(['d'])
  })

  it('does not count a row of which a later segment has a newer version, in the middle, first or last', () => {
    open()
    insert('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    store.applyEach(['a', 'c', 'd', 'h'].map((id) => replacement(id, { name: `${id}2` })))
    expect(segments()).toEqual([
      { home: 1, numbers: [1, 2, 3, 4, 5, 6, 7, 8], dead: [1, 3, 4, 8] },
      { home: 1, numbers: [1, 3, 4, 8], dead: [] },
    ])
    expect(names()).toEqual(['a2', 'b', 'c2', 'd2', 'e', 'f', 'g', 'h2'])
  })

  it('does not count a row whose record is in the tail, or gone', () => {
    open()
    insert('a', 'b', 'c', 'd')
    store.applyEach([replacement('b', { name: 'b2' }), { action: 'remove', ...addressed('c') }])
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 3, 4], dead: [] }])
    expect(names()).toEqual(['a', 'b2', 'd'])
    expect(store.count(planOf('c', { v: 1 }), ENDLESS_EFFORT)).toBe(2)
  })

  it('goes when all its rows are dead', () => {
    open()
    insert('a', 'b', 'c', 'd')
    store.applyEach(['a', 'b', 'c', 'd'].map((id) => ({ action: 'remove', ...addressed(id) })))
    expect(segments()).toEqual([])
    expect(names()).toEqual([])
  })

  it('is made of what is left where many rows are dead', () => {
    open({ tailRows: 2, mergedTogether: 100 })
    insert('a', 'b', 'c', 'd', 'e')
    store.applyEach([
      { action: 'remove', ...addressed('b') },
      { action: 'remove', ...addressed('d') },
    ])
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 3, 4, 5], dead: [2, 4] }])
    store.merge()
    expect(segments()).toEqual([{ home: 1, numbers: [1, 3, 5], dead: [] }])
    expect(names()).toEqual(['a', 'c', 'e'])
  })

  it('knows the orders of fields of the records that are left in it, each once, when it has been merged', () => {
    open({ tailRows: 3 })
    const inserted = (...records: JsonObject[]) =>
      store.applyEach(records.map((record) => insertion('c', String(record.name), record)))
    inserted({ name: 'a' }, { name: 'b', v: 1 }, { v: 1, name: 'c' })
    inserted({ name: 'd', v: 1 }, { name: 'e', v: 1 }, { name: 'f', w: { x: 1 } })
    store.applyEach([{ action: 'remove', ...addressed('c') }])
    insert('g', 'h')
    store.merge()
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 4, 5, 6, 7, 8], dead: [] }])
    expect(shapesOf(store.connection)).toEqual([['name', 'v'], ['name', ['w', ['x']]], ['name']])
    expect(names()).toEqual(['a', 'b', 'd', 'e', 'f', 'g', 'h'])
  })

  it('is merged with others in the order of numbers, whichever of them a record came from', () => {
    open()
    insert('a', 'b', 'c', 'd')
    insert('e', 'f', 'g', 'h')
    store.applyEach(['a', 'e', 'g', 'h'].map((id) => replacement(id, { name: `${id}2` })))
    store.merge()
    expect(segments()).toEqual([{ home: 1, numbers: [1, 2, 3, 4, 5, 6, 7, 8], dead: [] }])
    expect(names()).toEqual(['a2', 'b', 'c', 'd', 'e2', 'f', 'g2', 'h2'])
  })

  it('is merged with rows that have died since it was read', () => {
    open()
    insert('a', 'b', 'c', 'd')
    insert('e', 'f', 'g', 'h')
    const write = store.beginMerge()
    store.applyEach(['b', 'e', 'f'].map((id) => replacement(id, { name: `${id}2` })))
    insert('i')
    expect(write()).toBe(true)
    expect(segments()).toEqual([
      { home: 1, numbers: [2, 5, 6, 9], dead: [] },
      { home: 1, numbers: [1, 2, 3, 4, 5, 6, 7, 8], dead: [2, 5, 6] },
    ])
    expect(names()).toEqual(['a', 'b2', 'c', 'd', 'e2', 'f2', 'g', 'h', 'i'])
  })

  it('is not merged when another process has taken it away since it was read', () => {
    open()
    insert('a', 'b', 'c', 'd')
    insert('e', 'f', 'g', 'h')
    const write = store.beginMerge()
    store.merge()
    expect(write()).toBe(false)
    expect(names()).toHaveLength(8)
  })

  it('is not merged when all that one of the others had has died since it was read', () => {
    open()
    insert('a', 'b', 'c', 'd')
    insert('e', 'f', 'g', 'h')
    const write = store.beginMerge()
    store.applyEach(['a', 'b', 'c', 'd'].map((id) => ({ action: 'remove', ...addressed(id) })))
    expect(write()).toBe(false)
    expect(segments()).toEqual([{ home: 1, numbers: [5, 6, 7, 8], dead: [] }])
    expect(names()).toEqual(['e', 'f', 'g', 'h'])
  })

  it('is asked no more when it has been merged, though it is known and nothing else has changed', () => {
    open()
    insert('a', 'b', 'c', 'd')
    insert('e', 'f', 'g', 'h')
    expect(names()).toHaveLength(8)
    store.merge()
    expect(names(OPERATOR, { v: 1, name: { $gt: 'c' } })).toEqual(['d', 'e', 'f', 'g', 'h'])
  })

  it('gives the fields that are wanted, and after them all others', () => {
    open()
    insert('a', 'b', 'c', 'd')
    const withFields = (fields: JsonObject) => texts(planOf('c', { name: 'b' }, { fields }))
    for (let time = 0; time < 2; time++) {
      expect(withFields({ name: 1 })).toEqual(['{"name":"b"}'])
      expect(withFields({ name: 0 })).toEqual(['{"v":1}'])
    }
  })

  it('is merged with those of its own collection alone', () => {
    open({ tailRows: 2 })
    for (const collection of ['c', 'd', 'c', 'd']) {
      const ids = [1, 2].map((n) => `${collection}${segments().length}${n}`)
      store.applyEach(ids.map((id) => insertion(collection, id, { name: id, v: 1 })))
    }
    store.merge({ inQuiet: true })
    expect(segments().map(({ numbers }) => numbers)).toEqual([
      [1, 2, 5, 6],
      [3, 4, 7, 8],
    ])
    expect(names()).toEqual(['c01', 'c02', 'c21', 'c22'])
  })

  it('has no larger column than it may, whatever it is merged of', () => {
    const bytes = () =>
      store.connection.prepare('SELECT MAX(length(bytes)) FROM chunk GROUP BY segment ORDER BY segment').pluck().all()
    open({ tailRows: 2, mergedTogether: 100, mergedColumn: 6000 })
    const long = (id: string, at: number) =>
      insertion('c', id, { name: id, list: Array.from({ length: 150 }, (_, n) => `${at}-${n}`) })
    for (let at = 0; at < 10; at += 2) store.applyEach([long(`n${at}`, at), long(`n${at + 1}`, at + 1)])
    expect(bytes().every((each) => Number(each) > 2500)).toBe(true)
    store.merge({ inQuiet: true })
    expect(segments().map(({ numbers }) => numbers.length)).toEqual([2, 4, 4])
    expect(bytes().every((each) => Number(each) < 6000)).toBe(true)
    expect(names()).toHaveLength(10)
  })

  it('has less and less rows that live, whenever it is asked the same', () => {
    open()
    insert('a', 'b', 'c', 'd')
    const living = () => names(OPERATOR, { v: 1 })
    expect(living()).toEqual(['a', 'b', 'c', 'd'])
    store.applyEach([{ action: 'remove', ...addressed('b') }])
    expect(living()).toEqual(['a', 'c', 'd'])
    store.applyEach([replacement('d', { name: 'd', v: 2 })])
    expect(living()).toEqual(['a', 'c'])
    expect(store.count(planOf('c', { v: 1 }), ENDLESS_EFFORT)).toBe(2)
  })

  it('tells infinite bounds from each other', () => {
    open()
    insert('a', 'b', 'c', 'd')
    const below = (bound: string) => names(OPERATOR, { v: { $lt: { $numberDouble: bound } } })
    expect(below('Infinity')).toHaveLength(4)
    expect(below('-Infinity')).toEqual([])
    expect(below('NaN')).toEqual([])
  })

  it('is merged with as many others as fit, and no more', () => {
    open({ tailRows: 1, mergedTogether: 300 })
    for (let i = 0; i < 310; i++) insert(`r${i}`)
    store.merge()
    expect(segments().map(({ numbers }) => numbers.length)).toEqual([...Array<number>(54).fill(1), 256])
    expect(store.count(planOf('c', { v: 1 }), ENDLESS_EFFORT)).toBe(310)
  })

  it('becomes two when it is merged with more than one has room for', () => {
    open({ tailRows: 50_000, mergedTogether: 2 })
    const ids = Array.from({ length: 100_000 }, (_, i) => `r${i}`)
    for (const some of [ids.slice(0, ids.length / 2), ids.slice(ids.length / 2)]) insert(...some)
    const rows = () => segments().map(({ numbers }) => numbers.length)
    const before = rows()
    store.merge()
    expect(rows()).toEqual(before)
    store.merge({ inQuiet: true })
    expect(rows()).toEqual([MOST_ROWS, ids.length - MOST_ROWS])
    expect(segments().flatMap(({ numbers }) => numbers)).toEqual(ids.map((_, i) => i + 1))
    expect(store.check()).toEqual([])
  })

  it('is left alone in quiet while all smaller ones have less than half of its rows', () => {
    open({ tailRows: 1, mergedTogether: 1e9 })
    insert(...Array.from({ length: 8 }, (_, i) => `r${i}`))
    insert('a')
    insert('b')
    insert('c')
    store.merge({ inQuiet: true })
    expect(segments().map(({ numbers }) => numbers.length)).toEqual([8, 3])
    insert('d')
    store.merge({ inQuiet: true })
    expect(segments().map(({ numbers }) => numbers.length)).toEqual([12])
  })

  it('says what its filter says, not what that of another said that had its place', () => {
    open({ tailRows: 2 })
    const filter = { v: { $gte: 1 } }
    insert('a', 'b')
    expect(names(OPERATOR, filter)).toEqual(['a', 'b'])
    store.applyEach([insertion('c', 'd', { v: 0, name: 'd' }), insertion('c', 'e', { v: 2, name: 'e' })])
    expect(names(OPERATOR, filter)).toEqual(['a', 'b', 'e'])
    store.merge()
    expect(names(OPERATOR, filter)).toEqual(['a', 'b', 'e'])
    store.beginAnew()
    expect(names(OPERATOR, filter)).toEqual(['a', 'b', 'e'])
    store.goOn()
    expect(names(OPERATOR, filter)).toEqual(['a', 'b', 'e'])
  })

  it('holds back, while all are made anew, what is changed among the records that none has yet', () => {
    open({ tailRows: 2, takenOver: 2, mergedTogether: 100 })
    insert('a', 'b', 'c', 'd', 'e', 'f')
    store.beginAnew()
    store.goOn()
    store.applyEach([
      replacement('a', { name: 'a2' }),
      replacement('d', { name: 'd2' }),
      { action: 'remove', ...addressed('f') },
    ])
    insert('g')
    expect(segments().flatMap(({ numbers }) => numbers)).toEqual([1, 2, 1, 7])
    expect(names()).toEqual(['a2', 'b', 'c', 'd2', 'e', 'g'])
    for (let step = 0; step < 3; step++) {
      store.goOn()
      expect(names()).toEqual(['a2', 'b', 'c', 'd2', 'e', 'g'])
      expect(store.check()).toEqual([])
    }
    insert('h')
    expect(names()).toEqual(['a2', 'b', 'c', 'd2', 'e', 'g', 'h'])
  })

  it.each([1, 2, 3, 4, 5, 6])(
    'has one row of a record that was changed while all are made anew, wherever they have come to: number %i',
    (number) => {
      open({ tailRows: 1, takenOver: 2, mergedTogether: 100 })
      const ids = ['a', 'b', 'c', 'd', 'e', 'f']
      insert(...ids)
      const id = ids[number - 1] as string
      const right = () => names().toSorted()
      store.beginAnew()
      for (let version = 1; version <= 4; version++) {
        store.applyEach([replacement(id, { name: id, v: version + 1 }, { version })])
        expect(right()).toEqual(ids)
        expect(names(OPERATOR, { v: { $gt: 1 } })).toEqual([id])
        expect(store.check()).toEqual([])
        store.goOn()
      }
      expect(
        segments()
          .flatMap(({ numbers, dead }) => numbers.filter((n) => !dead.includes(n)))
          .toSorted(),
      ).toEqual([1, 2, 3, 4, 5, 6])
    },
  )

  it.each([{}, { sort: { v: 1 } }, { sort: { name: -1 } }])(
    'is one of few while others are made anew, and a list is whole page by page (%j)',
    (projection) => {
      open({ tailRows: 2, takenOver: 2, mergedTogether: 100 })
      insert('a', 'b', 'c', 'd', 'e', 'f')
      store.beginAnew()
      for (let step = 0; step < 4; step++) {
        for (const limit of [1, 2, 3]) {
          const found: unknown[] = []
          let after: string | null = null
          do {
            const page: Page = store.find({ ...planOf('c', {}, { limit, ...projection }), after }, ENDLESS_EFFORT)
            found.push(...documentsOf(page).map(({ name }) => name))
            after = page.next
          } while (after !== null)
          expect(found.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
        }
        store.goOn()
      }
    },
  )

  it('has its own rows alone, though there is a record in the tail that is held back', () => {
    open({ tailRows: 2, takenOver: 2, mergedTogether: 100 })
    insert('a', 'b', 'c', 'd')
    store.applyEach([{ action: 'remove', ...addressed('c') }, insertion('c', 'e', { name: 'e', v: 1 })])
    store.beginAnew()
    const restored: Change = { action: 'restore', ...addressed('c'), isPublic: false, text: '{"name":"c","v":2}' }
    store.applyEach([restored, insertion('c', 'f', { name: 'f', v: 3 })])
    expect(segments()).toEqual([{ home: 1, numbers: [6], dead: [] }])
    expect(names(OPERATOR, { v: 3 })).toEqual(['f'])
    for (let step = 0; step < 3; step++) {
      store.goOn()
      expect(names()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
      expect(names(OPERATOR, { v: 2 })).toEqual(['c'])
      expect(store.check()).toEqual([])
    }
  })
})

describe('a home', () => {
  let store: PlainSqlite
  beforeEach(() => {
    store = plainSqlite({ tailRows: 3, mergedTogether: 2, takenOver: 4 })
  })
  afterEach(() => {
    expect(store.check()).toEqual([])
    store.close()
  })

  const [ADA, BOB] = [accountScope('ada'), accountScope('bob')]
  const own = (id: string, accountId = 'ada', isPublic = false) =>
    insertion('c', id, { name: id, tie: 1 }, { accountId, isPublic })
  const turn = (id: string, version: number, isPublic: boolean): Change => ({
    action: 'replace',
    collection: 'c',
    id,
    accountId: 'ada',
    expectedVersion: version,
    isPublic,
    text: JSON.stringify({ name: id, tie: 1, version: version + 1 }),
  })
  const page = (scope: Scope, projection: JsonObject, after: string | null = null) => {
    const found = store.find({ ...planOf('c', {}, projection, scope), after }, ENDLESS_EFFORT)
    return { names: documentsOf(found).map(({ name }) => name as string), next: found.next }
  }
  const names = (scope: Scope) => page(scope, {}).names

  it.each([
    ['in the tail', []],
    ['in a segment', ['x', 'y', 'z']],
  ])(
    'is left by a record that is published, and got back to by one that is withdrawn, which is in one place: %s',
    (_, more) => {
      store.applyEach(['a', 'b', 'c', ...more].map((id) => own(id)))
      for (const [version, isPublic] of [true, false, true, false].entries()) {
        store.applyEach([
          turn('b', version + 1, isPublic),
          ...more.map((id) => own(`${id}${version}`, 'bob', isPublic)),
        ])
        for (const scope of [OPERATOR, ADA]) expect(names(scope).filter((name) => name === 'b')).toEqual(['b'])
        for (const scope of [PUBLIC, BOB]) expect(names(scope).includes('b')).toBe(isPublic)
        expect(store.check()).toEqual([])
        store.merge()
        for (const scope of [PUBLIC, BOB]) expect(names(scope).includes('b')).toBe(isPublic)
      }
    },
  )

  it.each([
    ['in natural order', { limit: 2 }],
    ['where all are alike', { limit: 2, sort: { tie: 1 } }],
    ['where all are alike, downwards', { limit: 3, sort: { tie: -1, no: 1 } }],
  ])('has its own place in a cursor: a record that gets into it late is not passed over (%s)', (_, projection) => {
    // Numbers 1 to 3 are private, 4 to 7 public, 8 private again.
    store.applyEach(['p1', 'p2', 'p3'].map((id) => own(id, 'ada')))
    store.applyEach(['q4', 'q5', 'q6', 'q7'].map((id) => own(id, 'bob', true)))
    store.applyEach([own('p8')])
    const seen: string[] = []
    let after: string | null = null
    let turned = false
    do {
      const found = page(BOB, projection, after)
      seen.push(...found.names)
      after = found.next
      // What bob did not see before becomes public behind the place at which he is: it has a lower number than what he has seen.
      if (!turned && seen.length >= 2) {
        turned = true
        store.applyEach([turn('p3', 1, true), own('q9', 'bob', true)])
      }
    } while (after !== null)
    // In the public home, place and number go together.
    expect(seen.filter((name) => name.startsWith('q'))).toEqual(['q4', 'q5', 'q6', 'q7', 'q9'])
  })

  it('has its own place in a cursor: one home can be further than another', () => {
    store.applyEach([own('a1'), own('a2'), own('a3', 'ada', true), own('a4'), own('a5', 'ada', true), own('a6')])
    const first = page(ADA, { limit: 3, sort: { tie: 1 } })
    expect(first.names).toEqual(['a1', 'a2', 'a3'])
    // Number 2 leaves the home that has been read up to it for one that has been read up to 3.
    store.applyEach([own('a7', 'ada', true)])
    const second = page(ADA, { limit: 3, sort: { tie: 1 } }, first.next)
    expect(second.names).toEqual(['a4', 'a5', 'a6'])
    expect(page(ADA, { limit: 3, sort: { tie: 1 } }, second.next)).toEqual({ names: ['a7'], next: null })
  })

  it.each([{}, { sort: { tie: 1 } }])(
    'gets a record that was not seen before, though another home is further (%j)',
    (sort) => {
      store.applyEach([
        own('q1', 'bob', true),
        own('q2', 'bob', true),
        own('b3', 'bob'),
        own('a4'),
        own('a5'),
        own('a6'),
      ])
      const first = page(ADA, { limit: 4, ...sort })
      expect(first.names).toEqual(['q1', 'q2', 'a4', 'a5'])
      // Of the public home, ada has seen number 2; of her own, 5.
      store.applyEach([{ ...turn('b3', 1, true), accountId: 'bob' }])
      expect(page(ADA, { limit: 4, ...sort }, first.next)).toEqual({ names: ['b3', 'a6'], next: null })
    },
  )

  it('is one of many for who sees all: those that come while a list is read change nothing of what has been read', () => {
    store.applyEach(['b1', 'b2', 'b3'].map((id) => own(id, 'bob')))
    const first = page(OPERATOR, { limit: 2 })
    // The home of what is public comes before that of bob.
    store.applyEach([own('q4', 'bob', true), own('a5', 'ada')])
    const second = page(OPERATOR, { limit: 2 }, first.next)
    expect([first.names, second.names, page(OPERATOR, { limit: 2 }, second.next)]).toEqual([
      ['b1', 'b2'],
      ['b3', 'q4'],
      { names: ['a5'], next: null },
    ])
  })

  it('is there for an account as soon as it has a record, though it was asked for before', () => {
    store.applyEach([own('q1', 'bob', true)])
    expect(names(ADA)).toEqual(['q1'])
    store.applyEach([own('a2')])
    expect(names(ADA)).toEqual(['q1', 'a2'])
  })

  it('is gone through by a cursor whose record has left it, or was changed there, and by none that has another key', () => {
    const long = 'q'.repeat(2000)
    store.applyEach(['1', '2'].map((n) => own(`${long}${n}`, 'ada', true)))
    const sort = { name: 1 } as const
    const first = page(BOB, { limit: 1, sort })
    expect(page(BOB, { limit: 1, sort }, first.next).names).toEqual([`${long}2`])
    store.applyEach([turn(`${long}1`, 1, false)])
    expect(page(BOB, { limit: 1, sort }, first.next).names).toEqual([`${long}2`])
    const forged = Buffer.from(first.next ?? '', 'base64url')
      .toString()
      .replace(/,"[\w-]{22}",/, `,"${'A'.repeat(22)}",`)
    expect(() => page(BOB, { limit: 1, sort }, Buffer.from(forged).toString('base64url'))).toThrow('is gone')
    expect(page(ADA, { limit: 1, sort }).names).toEqual([`${long}1`])
  })

  it('is where a cursor finds the record that it leans on', () => {
    const long = 'a'.repeat(2000)
    store.applyEach([own(`${long}1`), own(`${long}2`, 'bob', true), own(`${long}3`), own(`${long}4`)])
    const found: string[] = []
    let after: string | null = null
    do {
      const one: ReturnType<typeof page> = page(ADA, { limit: 1, sort: { name: 1 } }, after)
      found.push(...one.names.map((name) => name.slice(-1)))
      after = one.next
    } while (after !== null)
    expect(found).toEqual(['1', '2', '3', '4'])
  })

  it('has its place among those of who asks, whoever has asked before', () => {
    store.applyEach([
      own('a1'),
      own('b2', 'bob'),
      own('a3'),
      own('b4', 'bob'),
      own('b5', 'bob'),
      own('q6', 'bob', true),
    ])
    expect(names(OPERATOR)).toHaveLength(6)
    const found: string[] = []
    let after: string | null = null
    do {
      const one: ReturnType<typeof page> = page(BOB, { limit: 1, sort: { tie: 1 } }, after)
      found.push(...one.names)
      after = one.next
    } while (after !== null && found.length < 10)
    expect(found).toEqual(['b2', 'b4', 'b5', 'q6'])
  })

  it('is one of thousands for who sees all, whose cursor stays short', () => {
    store.applyEach(Array.from({ length: 6000 }, (_, i) => own(`r${i}`, `account-${i}`)))
    const first = page(OPERATOR, { limit: 500, sort: { tie: 1 } })
    expect(first.next?.length).toBeLessThan(100)
    expect(page(OPERATOR, { limit: 2, sort: { tie: 1 } }, first.next).names).toEqual(['r500', 'r501'])
  })
})
