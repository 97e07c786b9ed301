import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { describeShape } from '../../src/query/ast/list-request.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { logToLines } from '../support/log-lines.ts'
import { insertion, planOf } from '../support/plans.ts'

describe('the shape of a query', () => {
  test.each([
    [{}, {}, 'everything; limit 50'],
    [
      { name: 'a secret' },
      { sort: { name: -1, 'lattice.a': 1 }, limit: 5 },
      'name $eq; sort -name, lattice.a; limit 5',
    ],
    [
      { 'lattice.a': { $gt: 1, $lt: 2 }, $or: [{ name: /x/.source }, { tags: { $in: ['b', 'c', 'd'] } }] },
      { skip: 10, limit: 5, fields: { name: 1 } },
      'lattice.a $gt and lattice.a $lt and (name $eq or tags $in 3); fields; skip 10; limit 5',
    ],
    [{ $nor: [{ a: { $regex: 'secret' } }, { b: null }] }, {}, 'not (a $regex or b $eq); limit 50'],
    [{ a: { $not: { $gte: 7 } }, b: { $all: [1, 2] } }, {}, 'a $not ($gte) and b $all ($eq, $eq); limit 50'],
    [{ a: { $elemMatch: { b: 'secret', c: { $size: 2 } } } }, {}, 'a $elemMatch (b $eq and c $size); limit 50'],
    [{ a: { $elemMatch: { $gt: 5, $lt: 9 } } }, {}, 'a $elemMatch ($gt, $lt); limit 50'],
    [{ $expr: { $eq: ['$a', 'secret'] } }, {}, '$expr; limit 50'],
  ] as const)('of %j with %j is told without its values', (filter, projection, shape) => {
    expect(describeShape(planOf('c', filter as Json, projection as Json))).toBe(shape)
  })

  test('of a very long query is cut off', () => {
    const filter = { $or: Array.from({ length: 500 }, (_, n) => ({ [`field${n}`]: n })) }
    expect(describeShape(planOf('c', filter)).length).toBeLessThan(700)
  })
})

describe('a query that takes long', () => {
  let dataDirectory: string
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-slow-'))
    const store = await openSqliteStore({ dataDirectory })
    const text = 'a long text '.repeat(40)
    const documents = Array.from({ length: 6000 }, (_, n) => insertion('c', String(n), { text: `${text}${n}`, a: n }))
    await store.records.applyEach(documents)
    await store.close()
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  /** Too much for the request thread: every record is read, and compared with a word that is nobody's business. */
  const SLOW = planOf('c', { $expr: { $eq: [{ $toLower: '$text' }, 'private'] } })
  const TERMS = { user: 'u', request: 'r-9' }

  const run = async ({
    terms = TERMS,
    ...options
  }: {
    readonly terms?: typeof TERMS | null
    readonly [name: string]: unknown
  }) => {
    const { log, lines } = logToLines()
    const store = await openSqliteStore({ dataDirectory, log, ...options })
    const survey = { kind: 'fields', budgetMs: 60_000 } as const
    const outcomes = await Promise.allSettled([
      store.records.find(SLOW, terms ?? undefined),
      store.records.count(SLOW, terms ?? undefined),
      store.records.survey(SLOW, survey, terms ?? undefined),
    ])
    await store.close()
    return { outcomes, lines }
  }

  test('is told with what it took and its request, but without what it looked for', async () => {
    const { lines } = await run({ slowQueryMs: 1 })
    expect(lines).toHaveLength(3)
    expect(lines.find(({ task }) => task === 'page')).toMatchObject({
      event: 'query.slow',
      level: 'warn',
      request: 'r-9',
      collection: 'c',
      shape: '$expr; limit 50',
      outcome: 'answered',
      columnsLoaded: expect.any(Number),
      byDocument: 6000,
      milliseconds: expect.any(Number),
    })
    expect(lines.find(({ task }) => task === 'count')).toMatchObject({
      request: 'r-9',
      collection: 'c',
      outcome: 'answered',
      columnsLoaded: null,
    })
    expect(lines.find(({ task }) => task === 'survey')).toMatchObject({ request: 'r-9', outcome: 'answered' })
    expect(JSON.stringify(lines)).not.toContain('private')
  })

  test('is told when it was given up', async () => {
    const { outcomes, lines } = await run({ slowQueryMs: 1, timeBudgetMs: 1 })
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(lines.find(({ task }) => task === 'page')).toMatchObject({
      event: 'query.slow',
      outcome: 'given up',
      byDocument: null,
    })
    expect(lines.map(({ outcome }) => outcome)).toEqual(['given up', 'given up', 'given up'])
  })

  test('is not told where nobody waits for it, unless it was given up', async () => {
    expect((await run({ terms: null, slowQueryMs: 1 })).lines).toEqual([])
    expect((await run({ terms: null, slowQueryMs: 1, timeBudgetMs: 1 })).lines).toHaveLength(3)
  })

  test.each([0, 3_600_000])('is not told where the limit is %i ms', async (slowQueryMs) => {
    expect((await run({ slowQueryMs })).lines).toEqual([])
  })
})
