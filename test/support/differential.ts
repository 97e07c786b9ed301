import fc from 'fast-check'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { projectDocument } from '../../src/query/fields/project-document.ts'
import { matches } from '../../src/query/filter/match.ts'
import { compareSortKeys, sortKeyOf } from '../../src/query/order/sort-key.ts'
import type { QueryPlan, Scope } from '../../src/query/plan.ts'
import type { Change, Page } from '../../src/store/port/record-store.ts'
import { documents, paths } from './arbitraries.ts'
import { filters, pointedFilters } from './arbitrary-filters.ts'
import { fields, sorts } from './arbitrary-projections.ts'
import { naiveDistinct } from './naive-distinct.ts'
import { planOf } from './plans.ts'
import type { Soon, StoreUnderTest, Way } from './store-under-test.ts'

/** A record, what it was, and whose it is. */
export interface Entry {
  readonly document: JsonObject
  /** What the record was before it was replaced; null when it was not. */
  readonly before: JsonObject | null
  readonly owner: 'alice' | 'bob'
  readonly isPublic: boolean
  readonly isRemoved: boolean
}

interface Question {
  readonly filter: JsonObject
  readonly sort: Json
  readonly fields: JsonObject
  readonly skip: number
  readonly limit: number
  readonly scope: Scope
  /** Of which the different values are asked. */
  readonly path: string
}

export const entries: fc.Arbitrary<Entry> = fc.record({
  document: documents,
  before: fc.option(documents, { freq: 3 }),
  owner: fc.constantFrom('alice', 'bob'),
  isPublic: fc.boolean(),
  isRemoved: fc.constantFrom(false, false, false, true),
})

const frames = {
  sort: sorts,
  skip: fc.constantFrom(0, 0, 1, 3),
  limit: fc.constantFrom(1, 2, 500),
  path: paths,
  scope: fc.constantFrom<Scope>({ kind: 'operator' }, { kind: 'public' }, { kind: 'account', accountId: 'alice' }),
} as const

/** Any question, and those that ask for the element that matched. */
export const questions: fc.Arbitrary<Question> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ filter: filters, fields, ...frames }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(pointedFilters, fc.record(frames))
      .map(([[filter, positional], frame]) => ({ filter, fields: { [`${positional}.$`]: 1 }, ...frame })),
  },
)

/** Stores of one size stay fast; none is left open after so many sets of documents. */
export const COLLECTIONS_PER_STORE = 50

/** How many questions are asked of the same documents: more where to write them takes longer than to ask. */
export interface Asking {
  readonly mostQuestions: number
  /** Is told how many have been answered alike. */
  readonly onAnswered?: (questions: number) => void
}

/** Asks a store and the matcher the same questions of the same documents; they must answer alike in every way. */
export function storeEqualsMatcher(
  open: () => Soon<StoreUnderTest>,
  { mostQuestions, onAnswered }: Asking = { mostQuestions: 4 },
): fc.IAsyncProperty<[Entry[], Question[], Rests]> {
  let store: StoreUnderTest | null = null
  let collections = 0
  return fc.asyncProperty(
    fc.array(entries, { maxLength: 8 }),
    fc.array(questions, { minLength: 1, maxLength: mostQuestions, size: 'max' }),
    rests,
    async (given, asked, when) => {
      if (store === null) {
        store = await open()
        collections = 0
      }
      const collection = `c${++collections}`
      await write(store, collection, given, when)
      const asking = store
      await Promise.all(asked.map((question) => compareAnswers(asking, collection, given, question)))
      onAnswered?.(asked.length)
      if (collections < COLLECTIONS_PER_STORE) return
      await store.close()
      store = null
    },
  )
}

/** To check a store takes all that is in it, to open one as long as to check several collections. */
const CHECKED_COLLECTIONS_PER_STORE = 8

/** Whatever is written, changed and removed, what the store keeps beside the documents says what they say. */
export function segmentsFollowDocuments(open: () => Soon<StoreUnderTest>): fc.IAsyncProperty<[Entry[], Rests]> {
  let store: StoreUnderTest | null = null
  let collections = 0
  return fc.asyncProperty(fc.array(entries, { maxLength: 8 }), rests, async (given, when) => {
    if (store === null || collections === CHECKED_COLLECTIONS_PER_STORE) {
      await store?.close()
      store = await open()
      collections = 0
    }
    await write(store, `c${++collections}`, given, when)
    const findings = await store.check()
    if (findings.length === 0) return
    // What is wrong stays in it.
    await store.close()
    store = null
    throw new Error(findings.join('\n'))
  })
}

/** Whether the store comes to rest before the records change, and after that. */
export type Rests = readonly [before: boolean, after: boolean]

export const rests: fc.Arbitrary<Rests> = fc.tuple(fc.boolean(), fc.boolean())

/** Writes the records as they are in the end by way of what they were before. */
export async function write(
  store: StoreUnderTest,
  collection: string,
  given: readonly Entry[],
  [before, after]: Rests,
): Promise<void> {
  await store.applyEach(given.map((entry, index) => insertionOf(collection, entry, index)))
  if (before) await store.rest()
  await store.applyEach(given.flatMap((entry, index) => changesOf(collection, entry, index)))
  if (after) await store.rest()
}

function insertionOf(collection: string, { document, before, owner, isPublic }: Entry, index: number): Change {
  const insert = { action: 'insert', collection, id: String(index), accountId: owner } as const
  if (before === null) return { ...insert, isPublic, text: JSON.stringify(document) }
  return { ...insert, isPublic: !isPublic, text: JSON.stringify(before) }
}

function changesOf(
  collection: string,
  { document, before, owner, isPublic, isRemoved }: Entry,
  index: number,
): Change[] {
  const [id, text] = [String(index), JSON.stringify(document)]
  const expectedVersion = before === null ? 1 : 2
  const named = { collection, id, accountId: owner } as const
  const replace: Change = { action: 'replace', ...named, expectedVersion: 1, isPublic, text }
  const remove: Change = { action: 'remove', ...named, expectedVersion }
  return [...(before === null ? [] : [replace]), ...(isRemoved ? [remove] : [])]
}

function planFor(collection: string, { filter, sort, fields, skip, limit, scope }: Question): QueryPlan {
  return planOf(collection, filter, { sort, fields, skip, limit }, scope)
}

/** Where the matcher refuses a document, a store may not have come to it; but it refuses too, or answers, and never fails. */
async function compareAnswers(
  store: StoreUnderTest,
  collection: string,
  given: readonly Entry[],
  question: Question,
): Promise<void> {
  const plan = unlessRefused(() => planFor(collection, question))
  if (plan === null) return
  const expected = unlessRefused(() => answerOf(given, plan))
  const values = unlessRefused(() =>
    naiveDistinct(
      matchesOf(given, plan).map(({ document }) => document),
      question.path,
    ),
  )
  await Promise.all(
    store.ways.map(async (way) => {
      if (values !== null) await compareValues(way, plan, question.path, values)
      if (expected === null) await unlessRefusedLater(() => way.find(plan))
      else await compareWay(way, plan, expected)
    }),
  )
}

/** All different values, page by page. */
async function compareValues(
  way: Way,
  plan: QueryPlan,
  path: string,
  expected: readonly (readonly [Json, number])[],
): Promise<void> {
  const found: (readonly [Json, number])[] = []
  const asked = { kind: 'distinct', path: { text: path, parts: path.split('.') }, limit: plan.limit + 2 } as const
  let after: Json | undefined
  do {
    const page = await way.distinct(plan, { ...asked, after })
    if (page === null) return
    found.push(...page.values.map((value, at) => [value, page.counts[at] as number] as const))
    after = page.hasMore ? page.values.at(-1) : undefined
  } while (after !== undefined)
  assertEqual(JSON.stringify(found), JSON.stringify(expected), `values of ${path}, ${way.name}`)
}

async function compareWay(way: Way, plan: QueryPlan, expected: Answer): Promise<void> {
  const [found, texts, count] = await Promise.all([way.find(plan), textsByCursor(way, plan), way.count(plan)])
  if (found !== null) assertEqual(found.documents.toString(), expected.page, `find, ${way.name}`)
  if (texts !== null) assertEqual(`[${texts.join(',')}]`, `[${expected.all.join(',')}]`, `cursors, ${way.name}`)
  if (count !== null) assertEqual(String(count), String(expected.count), `count, ${way.name}`)
}

/** All documents, page by page: there is neither a gap nor a repetition. Null where the way comes to no answer. */
async function textsByCursor(way: Way, plan: QueryPlan): Promise<string[] | null> {
  const texts: string[] = []
  let after: string | null = null
  do {
    const page: Page | null = await way.find({ ...plan, skip: 0, limit: 2, after })
    if (page === null) return null
    if (page.count > 0) texts.push(page.documents.toString().slice(1, -1))
    after = page.next
  } while (after !== null)
  return texts
}

interface Answer {
  readonly page: string
  readonly all: readonly string[]
  readonly count: number
}

/** The answer by the definition of the language. */
function answerOf(given: readonly Entry[], plan: QueryPlan): Answer {
  const found = matchesOf(given, plan)
    .map((record) => ({ ...record, key: sortKeyOf(record.document, plan.sort) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, plan.sort) || a.n - b.n)
  const { fields, skip, limit } = plan
  const all = found.map(({ text, document }) =>
    fields === null ? text : JSON.stringify(projectDocument(document, fields, plan.filter)),
  )
  return { page: `[${all.slice(skip, skip + limit).join(',')}]`, all, count: found.length }
}

/** The records that are seen and match. */
function matchesOf(given: readonly Entry[], plan: QueryPlan) {
  return given
    .map(({ document, owner, isPublic, isRemoved }, n) => ({
      n,
      owner,
      isPublic,
      isRemoved,
      text: JSON.stringify(document),
    }))
    .filter(({ owner, isPublic, isRemoved }) => !isRemoved && isVisible(plan.scope, owner, isPublic))
    .map((record) => ({ ...record, document: JSON.parse(record.text) as JsonObject }))
    .filter(({ document }) => matches(plan.filter, document))
}

export function isVisible(scope: Scope, owner: string, isPublic: boolean): boolean {
  return isPublic || scope.kind === 'operator' || (scope.kind === 'account' && scope.accountId === owner)
}

export function unlessRefused<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return null
    throw error
  }
}

async function unlessRefusedLater<T>(run: () => T | Promise<T>): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return null
    throw error
  }
}

function assertEqual(actual: string, expected: string, what: string): void {
  if (actual !== expected) throw new Error(`${what}:\n  store   ${actual}\n  matcher ${expected}`)
}
