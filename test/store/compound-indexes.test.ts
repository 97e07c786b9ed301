import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { Scope } from '../../src/query/plan/scope.ts'
import type { Change } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect } from '../../src/store/sqlite/database.ts'
import { DATABASE_FILE, openSqliteStore, type SqliteStoreOptions } from '../../src/store/sqlite/open-sqlite-store.ts'
import { batchRunner } from '../../src/store/sqlite/write/run-batch.ts'
import type { CompoundWork, CompoundWorkResult } from '../../src/store/sqlite/write/write-job.ts'
import { accountScope, documentsOf, insertion, OPERATOR, PUBLIC, planOf } from '../support/plans.ts'

const ALICE = accountScope('alice')
const BOB = accountScope('bob')
const BY_NAME: JsonObject = { name: 1 }
/** What other threads do by themselves takes its time on a busy machine. */
const PATIENTLY = { timeout: 30_000 }
const DAY_MS = 86_400_000

describe('an index over a condition and an order', () => {
  let dataDirectory: string
  let store: Store

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-compound-'))
    store = await openSqliteStore({ dataDirectory })
  })
  afterEach(async () => {
    await store.close()
    await rm(dataDirectory, { recursive: true, force: true })
  })

  async function reopen(options: Partial<SqliteStoreOptions> = {}): Promise<void> {
    await store.close()
    store = await openSqliteStore({ dataDirectory, ...options })
  }

  function withFile<T>(use: (connection: ReturnType<typeof connect>) => T): T {
    const connection = connect(join(dataDirectory, DATABASE_FILE), 'write')
    try {
      return use(connection)
    } finally {
      connection.close()
    }
  }

  const work = (...works: CompoundWork[]): CompoundWorkResult[] =>
    withFile((connection) =>
      batchRunner(connection)(works.map((each) => ({ kind: 'compound', work: each }))).map((outcome) => {
        if ('failure' in outcome) throw new Error(outcome.failure.reason)
        return outcome.result as CompoundWorkResult
      }),
    )
  const orderOf = (path: string, sort: JsonObject = BY_NAME, day = 0, most = 12): CompoundWork => {
    return { action: 'order', order: { collection: 'c', path, sort: planOf('c', {}, { sort }).sort, day, most } }
  }
  const WORK: CompoundWork = { action: 'work', milliseconds: 1000 }
  /** Too short for more than the smallest part. */
  const SLICE: CompoundWork = { action: 'work', milliseconds: 1e-6 }

  const states = (): unknown[] =>
    withFile((connection) => connection.prepare('SELECT path, state FROM compound ORDER BY number').raw().all())
  const rowCount = (): unknown =>
    withFile((connection) => connection.prepare('SELECT count(*) FROM compound_row').pluck().get())

  const insert = (id: string, document: JsonObject, accountId = 'alice', isPublic = false): Promise<unknown> =>
    store.records.apply([insertion('c', id, document, { accountId, isPublic })])
  const replace = (id: string, expectedVersion: number, document: JsonObject, isPublic = false): Change => {
    return {
      action: 'replace',
      collection: 'c',
      id,
      accountId: 'alice',
      expectedVersion,
      isPublic,
      text: JSON.stringify(document),
    }
  }
  const applied = async (...changes: Change[]): Promise<void> => {
    const results = await store.records.apply(changes)
    expect(results.map(({ outcome }) => outcome)).toEqual(changes.map(() => 'done'))
  }

  /** The names on a page, by the index; fails when another plan gave it. */
  async function names(query: Json, scope: Scope = ALICE, projection: JsonObject = {}): Promise<unknown[]> {
    const plan = planOf('c', query, { sort: BY_NAME, ...projection }, scope, { force: 'compound' })
    const page = await store.records.find(plan)
    expect(['compound', 'nothing']).toContain(page.report.plan)
    return documentsOf(page).map(({ name }) => name)
  }

  const many = (count: number): Promise<unknown> =>
    store.records.applyEach(
      Array.from({ length: count }, (_, i) =>
        insertion(
          'c',
          `r${i}`,
          { name: `n${(i * 37) % count}`, kind: i % 3, tags: ['t', i % 5] },
          { accountId: 'alice' },
        ),
      ),
    )

  describe('follows what is written:', () => {
    beforeEach(async () => {
      await insert('a', { kind: 1, name: 'b' })
      await insert('b', { kind: 1, name: 'd' }, 'bob', true)
      await insert('c', { kind: 2, name: 'a' }, 'bob')
      expect(work(orderOf('kind'), orderOf(''), WORK)).toEqual(['ordered', 'ordered', 'done'])
    })
    afterEach(async () => {
      expect(await store.check(() => {})).toEqual([])
    })

    it('records that are there before it and after it, each for those who see it', async () => {
      await insert('d', { kind: 1, name: 'c' })
      expect(await names({ kind: 1 })).toEqual(['b', 'c', 'd'])
      expect(await names({ kind: 1 }, PUBLIC)).toEqual(['d'])
      expect(await names({}, BOB)).toEqual(['a', 'd'])
      expect(await names({}, OPERATOR)).toEqual(['a', 'b', 'c', 'd'])
    })

    it('a value and an order that change', async () => {
      await applied(replace('a', 1, { kind: 2, name: 'e' }))
      expect(await names({ kind: 1 })).toEqual(['d'])
      expect(await names({ kind: 2 })).toEqual(['e'])
      await applied(replace('a', 2, { kind: 2, name: 'A' }))
      expect(await names({})).toEqual(['A', 'd'])
    })

    it('a record that becomes public, and private again', async () => {
      await applied(replace('a', 1, { kind: 1, name: 'b' }, true))
      expect(await names({ kind: 1 }, PUBLIC)).toEqual(['b', 'd'])
      await applied(replace('a', 2, { kind: 1, name: 'b' }))
      expect(await names({ kind: 1 }, PUBLIC)).toEqual(['d'])
      expect(await names({ kind: 1 }, ALICE)).toEqual(['b', 'd'])
    })

    it('a record that is removed, restored, removed again and purged', async () => {
      await applied({ action: 'remove', collection: 'c', id: 'a', accountId: 'alice', expectedVersion: 1 })
      expect(await names({ kind: 1 })).toEqual(['d'])
      const restored = { text: JSON.stringify({ kind: 1, name: 'd' }), isPublic: false }
      await applied({
        action: 'restore',
        collection: 'c',
        id: 'a',
        accountId: 'alice',
        expectedVersion: 1,
        ...restored,
      })
      const page = await store.records.find(planOf('c', { kind: 1 }, { sort: BY_NAME }, ALICE, { force: 'compound' }))
      expect(documentsOf(page)).toEqual([
        { kind: 1, name: 'd' },
        { kind: 1, name: 'd' },
      ])
      await applied({ action: 'remove', collection: 'c', id: 'a', accountId: 'alice', expectedVersion: 2 })
      await applied({ action: 'purge', collection: 'c', id: 'a', accountId: 'alice', expectedVersion: 2 })
      expect(await names({ kind: 1 })).toEqual(['d'])
    })

    it('changes of which one fails, so that none is made', async () => {
      const results = await store.records.apply([
        replace('a', 1, { kind: 9, name: 'z' }),
        { ...replace('b', 7, {}), accountId: 'bob' } as Change,
      ])
      expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'changed'])
      expect(await names({ kind: 1 })).toEqual(['b', 'd'])
      expect(await names({ kind: 9 })).toEqual([])
    })
  })

  it('gives records that tie in natural order, at any depth, and page after page', async () => {
    await store.records.applyEach(
      Array.from({ length: 300 }, (_, i) =>
        insertion('c', `r${i}`, { kind: 1, name: `n${i % 3}`, i }, { accountId: 'alice', isPublic: i % 2 === 0 }),
      ),
    )
    work(orderOf('kind', { name: -1 }), WORK)
    const sort = { name: -1 }
    const all = documentsOf(
      await store.records.find(planOf('c', { kind: 1 }, { sort, limit: 500 }, ALICE, { force: 'scan' })),
    )
    const deep = planOf('c', { kind: 1 }, { sort, skip: 150, limit: 20 }, ALICE, { force: 'compound' })
    const page = await store.records.find(deep)
    expect(page.report).toMatchObject({ plan: 'compound', order: 'kind, in the order of -name' })
    expect(documentsOf(page)).toEqual(all.slice(150, 170))
    const walked: JsonObject[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const options = { force: 'compound', ...(after === undefined ? {} : { after }) } as const
      const next = await store.records.find(planOf('c', { kind: 1 }, { sort, limit: 70 }, ALICE, options))
      walked.push(...documentsOf(next))
      after = next.next
    }
    expect(walked).toEqual(all)
  })

  it('gives a record once that has several of the values that are asked for', async () => {
    await insert('a', { tags: ['x', 'y', 'z'], name: 'b' })
    await insert('b', { tags: ['y', 'x'], name: 'a' }, 'alice', true)
    await insert('c', { tags: ['z'], name: 'c' })
    work(orderOf('tags'), WORK)
    expect(await names({ tags: { $in: ['x', 'y'] } })).toEqual(['a', 'b'])
    expect(await names({ tags: 'z' })).toEqual(['b', 'c'])
    expect(await names({ tags: { $in: ['x', 'z'] }, name: { $gte: 'b' } })).toEqual(['b', 'c'])
  })

  it('is made in parts, goes on where it was when the process is gone, and is not used before it is whole', async () => {
    await many(950)
    expect(work(orderOf('kind'), SLICE, SLICE)).toEqual(['ordered', 'more', 'more'])
    expect(rowCount()).not.toBe(950)
    await insert('late', { kind: 1, name: 'late' })
    await applied(replace('r0', 1, { kind: 1, name: 'changed' }))
    const plan = planOf('c', { kind: 1 }, { sort: BY_NAME, limit: 500 }, ALICE, { force: 'compound' })
    const before = await store.records.find(plan)
    expect(before.report.plan).not.toBe('compound')
    expect(await store.check(() => {})).toEqual([])
    await reopen({ tendsIndexes: true })
    await expect.poll(states, PATIENTLY).toEqual([['kind', 'ready']])
    const after = await store.records.find(plan)
    expect(after.report.plan).toBe('compound')
    expect(documentsOf(after)).toEqual(documentsOf(before))
    expect(await store.check(() => {})).toEqual([])
  })

  it('holds what other processes write, change and remove while its rows are gathered', async () => {
    await many(950)
    const connection = connect(join(dataDirectory, DATABASE_FILE), 'write')
    try {
      const run = batchRunner(connection)
      const step = (each: CompoundWork) => run([{ kind: 'compound', work: each }])
      step(orderOf('kind'))
      for (const part of [0, 1, 2]) {
        step(SLICE)
        await insert(`late${part}`, { kind: 1, name: `late${part}` })
        await applied(replace(`r${part}`, 1, { kind: 1, name: `changed${part}` }, part === 1))
        await applied({
          action: 'remove',
          collection: 'c',
          id: `r${part + 10}`,
          accountId: 'alice',
          expectedVersion: 1,
        })
      }
      expect(rowCount()).toBe(0)
      step(WORK)
    } finally {
      connection.close()
    }
    expect(states()).toEqual([['kind', 'ready']])
    expect(await store.check(() => {})).toEqual([])
    const plan = planOf('c', { kind: 1 }, { sort: BY_NAME, limit: 500 }, ALICE)
    const byIndex = await store.records.find({ ...plan, force: 'compound' })
    expect(byIndex.report.plan).toBe('compound')
    expect(documentsOf(byIndex)).toEqual(documentsOf(await store.records.find({ ...plan, force: 'scan' })))
  })

  it('is given up, and never wrong, when a record cannot be in it', async () => {
    await many(50)
    const bad: [path: string, sort: JsonObject, document: JsonObject][] = [
      ['kind', BY_NAME, { kind: 1, name: 'x'.repeat(600) }],
      ['', { a: 1, b: 1 }, { a: [1, 2], b: [1, 2] }],
      ['list', BY_NAME, { list: Array.from({ length: 20 }, (_, i) => i), name: 'vector' }],
    ]
    for (const [path, sort] of bad) work(orderOf(path, sort))
    work(WORK)
    for (const [index, [, , document]] of bad.entries()) await insert(`bad${index}`, document)
    expect(states()).toEqual(bad.map(([path]) => [path, 'unsuitable']))
    expect(work(WORK)).toEqual(['done'])
    expect(rowCount()).toBe(0)
    expect(await store.check(() => {})).toEqual([])
    const page = await store.records.find(
      planOf('c', { kind: 1 }, { sort: BY_NAME, limit: 500 }, ALICE, { force: 'compound' }),
    )
    expect(page.report.plan).not.toBe('compound')
    expect(page.count).toBe(18)
    expect(work(orderOf('kind'))).toEqual(['there'])
  })

  it('gives way to another when it was not used for longest, and not on the day of its last use', async () => {
    await many(20)
    expect(work(orderOf('a', BY_NAME, 1, 2), orderOf('b', BY_NAME, 2, 2), WORK)).toEqual(['ordered', 'ordered', 'done'])
    expect(work(orderOf('c', BY_NAME, 3, 2), WORK)).toEqual(['ordered', 'done'])
    expect(states()).toEqual([
      ['b', 'ready'],
      ['c', 'ready'],
    ])
    work({ action: 'note-use', numbers: [2], day: 3 })
    expect(work(orderOf('d', BY_NAME, 3, 2))).toEqual(['full'])
    expect(work(orderOf('d', BY_NAME, 4, 2), WORK)).toEqual(['ordered', 'done'])
    await reopen({ tendsIndexes: true, compoundIndexes: 0 })
    await expect.poll(states, PATIENTLY).toEqual([])
    expect(rowCount()).toBe(0)
  })

  it('is made by the server for lists that cost much again and again, and its use is noted once a day', async () => {
    await many(4000)
    let now = 5 * DAY_MS
    await reopen({ tendsIndexes: true, pageCacheMb: 0, clock: () => now })
    // The order is over a field that few records lack: no walk gives it.
    await insert('nameless', { kind: 1 })
    const plan = planOf('c', { kind: 1 }, { sort: BY_NAME, limit: 5 }, ALICE)
    const before = documentsOf(await store.records.find({ ...plan, force: 'scan' }))
    await expect
      .poll(async () => (await store.records.find(plan)).report.plan, { timeout: 30_000, interval: 1 })
      .toBe('compound')
    expect(documentsOf(await store.records.find(plan))).toEqual(before)
    now += DAY_MS
    await store.records.find(plan)
    const usedOn = (): unknown =>
      withFile((connection) => connection.prepare('SELECT used_on FROM compound').pluck().all())
    await expect.poll(usedOn, PATIENTLY).toEqual([6])
    expect(await store.check(() => {})).toEqual([])
  })

  it('is made for lists that never end in their time', async () => {
    await many(6000)
    await reopen({ tendsIndexes: true, timeBudgetMs: 4, pageCacheMb: 0 })
    const plan = planOf('c', { kind: { $ne: 7 } }, { sort: { kind: -1, name: 1 }, limit: 5 }, ALICE)
    let timeOuts = 0
    const ask = () =>
      store.records.find(plan).then(
        ({ report }) => report.plan,
        () => {
          timeOuts += 1
          return 'timed out'
        },
      )
    // One after the other: the time of a query is also the longest that it waits for its turn.
    const askAgain = async (times: number): Promise<string> =>
      times > 1 ? ask().then(() => askAgain(times - 1)) : ask()
    await expect.poll(() => askAgain(10), PATIENTLY).toBe('compound')
    expect(timeOuts).toBeGreaterThan(0)
  })

  it('is not made by a store that does not tend indexes, nor used where none may be', async () => {
    await many(50)
    work(orderOf('kind'), WORK)
    const plan = planOf('c', { kind: 1 }, { sort: BY_NAME }, ALICE, { force: 'compound' })
    await reopen({ readOnly: true })
    expect((await store.records.find(plan)).report.plan).toBe('compound')
    await reopen({ compoundIndexes: 0 })
    expect((await store.records.find(plan)).report.plan).toBe('filter-first')
  })

  it('is tried again by reindex when the record that it could not hold is gone', async () => {
    await many(300)
    await insert('long', { kind: 7, name: 'x'.repeat(600) })
    work(orderOf('kind'), WORK)
    expect(states()).toEqual([['kind', 'unsuitable']])
    await applied({ action: 'erase', collection: 'c', id: 'long', accountId: 'alice', expectedVersion: 1 })
    expect(states()).toEqual([['kind', 'unsuitable']])
    await store.reindex(() => {})
    expect(states()).toEqual([['kind', 'ready']])
    expect(await store.check(() => {})).toEqual([])
  })

  it('tells in a check which entries are missing, and which are too many', async () => {
    await many(30)
    work(orderOf('kind'), WORK)
    const connection = new Database(join(dataDirectory, DATABASE_FILE))
    connection.exec(`
      DELETE FROM compound_row WHERE n = 3;
      INSERT INTO compound_row SELECT compound, scope + 1, path_type, value, place, n FROM compound_row WHERE n IN (4, 5);
      INSERT INTO compound_row SELECT 99, scope, path_type, value, place, n FROM compound_row WHERE n = 6;`)
    connection.close()
    expect(await store.check(() => {})).toEqual([
      'Record r2: 1 of its places in orders are missing.',
      'The index over kind, in the order of name has 1 entries that no record has.',
      '1 entries belong to no index over an order.',
    ])
    await store.reindex(() => {})
    expect(await store.check(() => {})).toEqual([])
    expect(states()).toEqual([['kind', 'ready']])
    expect(await names({ kind: 2 })).toHaveLength(10)
  })
})
