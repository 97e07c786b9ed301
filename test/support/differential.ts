import fc from 'fast-check'
import { AppError } from '../../src/kernel/errors.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { projectDocument } from '../../src/query/fields/project-document.ts'
import { matches } from '../../src/query/match/matches.ts'
import { compareSortKeys } from '../../src/query/order/compare-sort-keys.ts'
import { sortKeyOf } from '../../src/query/order/sort-key.ts'
import type { PlanName, QueryPlan } from '../../src/query/plan/query-plan.ts'
import type { Scope } from '../../src/query/plan/scope.ts'
import type { Change, Page } from '../../src/store/port/record-store.ts'
import { type Effort, ENDLESS_EFFORT, TooLongHere } from '../../src/store/sqlite/read/effort.ts'
import { documents, filters, projections, sorts } from './arbitraries.ts'
import { type PlainSqlite, plainSqlite } from './plain-sqlite.ts'
import { planOf } from './plans.ts'

interface Entry {
  readonly document: JsonObject
  /** What the record was before it was replaced; null when it was not. */
  readonly before: JsonObject | null
  readonly owner: 'alice' | 'bob'
  readonly isPublic: boolean
  readonly isRemoved: boolean
}

interface Question {
  readonly filter: JsonObject
  readonly sort: JsonObject
  readonly fields: JsonObject
  readonly skip: number
  readonly limit: number
  readonly scope: Scope
  /** When compound indexes for it are made: before the records change, while they do, after that, or not at all. */
  readonly indexed: 'before' | 'meanwhile' | 'after' | 'never'
}

const entries: fc.Arbitrary<Entry> = fc.record({
  document: documents,
  before: fc.option(documents, { freq: 3 }),
  owner: fc.constantFrom('alice', 'bob'),
  isPublic: fc.boolean(),
  isRemoved: fc.constantFrom(false, false, false, true),
})

const questions: fc.Arbitrary<Question> = fc.record({
  filter: filters,
  sort: sorts,
  fields: fc.oneof(fc.constant({}), projections(1), projections(0)),
  skip: fc.constantFrom(0, 0, 1, 3),
  limit: fc.constantFrom(1, 2, 500),
  scope: fc.constantFrom<Scope>({ kind: 'operator' }, { kind: 'public' }, { kind: 'account', accountId: 'alice' }),
  indexed: fc.constantFrom('before', 'meanwhile', 'after', 'never'),
})

/** Efforts that bring a few documents to every plan that many documents would have. */
const EFFORTS: readonly (readonly [string, Effort])[] = [
  ['everything is fetched', ENDLESS_EFFORT],
  ['all selections are broad', { ...ENDLESS_EFFORT, probeLimit: 1 }],
  ['some selections are broad', { ...ENDLESS_EFFORT, probeLimit: 3 }],
  ['a walk may take three steps', { ...ENDLESS_EFFORT, probeLimit: 2, steps: 3, spendBroad: giveUp }],
]

function giveUp(): void {
  throw new TooLongHere()
}

/** Stores of one size stay fast. */
const COLLECTIONS_PER_STORE = 50

/** Asks the store and the matcher the same questions of the same documents; they must answer alike under every plan. */
export function storeEqualsMatcher(): fc.IProperty<[Entry[], Question[]]> {
  let store: PlainSqlite | null = null
  let collections = 0
  return fc.property(
    fc.array(entries, { maxLength: 8 }),
    fc.array(questions, { minLength: 1, maxLength: 4 }),
    (given, asked) => {
      if (store === null || collections === COLLECTIONS_PER_STORE) {
        store?.close()
        store = plainSqlite()
        collections = 0
      }
      const collection = `c${++collections}`
      writeAndIndex(store, collection, given, asked)
      for (const question of asked) compareAnswers(store, collection, given, question)
    },
  )
}

/** Whatever is written, changed and removed, the index says what the documents say. */
export function indexFollowsDocuments(): fc.IProperty<[Entry[], Question[]]> {
  return fc.property(fc.array(entries, { maxLength: 8 }), fc.array(questions, { maxLength: 3 }), (given, asked) => {
    const store = plainSqlite()
    writeAndIndex(store, 'c', given, asked)
    const findings = store.check()
    store.close()
    if (findings.length > 0) throw new Error(findings.join('\n'))
  })
}

/** Writes the records as they are in the end by way of what they were before, and makes indexes on the way. */
function writeAndIndex(
  store: PlainSqlite,
  collection: string,
  given: readonly Entry[],
  asked: readonly Question[],
): void {
  const order = (when: Question['indexed']): void => {
    for (const question of asked) {
      const plan = question.indexed === when ? unlessRefused(() => planFor(collection, question)) : null
      if (plan !== null) store.orderCompounds(plan)
    }
  }
  store.applyEach(given.map((entry, index) => insertionOf(collection, entry, index)))
  order('before')
  store.makeCompounds()
  order('meanwhile')
  store.applyEach(given.flatMap((entry, index) => changesOf(collection, entry, index)))
  order('after')
  store.makeCompounds()
}

function insertionOf(collection: string, { document, before, owner, isPublic }: Entry, index: number): Change {
  const insert = { action: 'insert', collection, id: String(index), accountId: owner } as const
  if (before === null) return { ...insert, isPublic, text: JSON.stringify(document) }
  return { ...insert, isPublic: !isPublic, text: JSON.stringify(before) }
}

function changesOf(collection: string, { document, before, isPublic, isRemoved }: Entry, index: number): Change[] {
  const [id, text] = [String(index), JSON.stringify(document)]
  const expectedVersion = before === null ? 1 : 2
  const replace: Change = { action: 'replace', collection, id, expectedVersion: 1, isPublic, text }
  const remove: Change = { action: 'remove', collection, id, expectedVersion }
  return [...(before === null ? [] : [replace]), ...(isRemoved ? [remove] : [])]
}

function planFor(collection: string, { filter, sort, fields, skip, limit, scope }: Question): QueryPlan {
  return planOf(collection, filter, { sort, fields, skip, limit }, scope)
}

function compareAnswers(store: PlainSqlite, collection: string, given: readonly Entry[], question: Question): void {
  const plan = unlessRefused(() => planFor(collection, question))
  if (plan === null) return
  const expected = unlessRefused(() => answerOf(given, plan))
  if (expected === null) return
  for (const [name, effort] of EFFORTS) {
    const found = unlessTooLong(() => store.find(plan, effort))
    if (found !== null) {
      assertEqual(found.documents.toString(), expected.page, `find, ${name} (${found.report.plan})`)
    }
    const listed = unlessTooLong(() => store.findByLists(plan, effort))
    if (listed !== null) assertEqual(listed.documents.toString(), expected.page, `find by lists, ${name}`)
    comparePages(store, plan, effort, expected, name)
    const count = unlessTooLong(() => store.count(plan, effort))
    if (count !== null) assertEqual(String(count), String(expected.count), `count, ${name}`)
  }
}

const FORCED = ['filter-first', 'sort-first', 'scan', 'compound'] as const

/** Every plan gives the same page; and pages behind cursors give what there is without a gap or a repetition. */
function comparePages(store: PlainSqlite, plan: QueryPlan, effort: Effort, expected: Answer, name: string): void {
  for (const force of FORCED) {
    const found = unlessTooLong(() => store.find({ ...plan, force }, effort))
    if (found !== null) assertEqual(found.documents.toString(), expected.page, `find, ${name}, forced ${force}`)
  }
  const whole = `[${expected.all.join(',')}]`
  for (const find of [store.find, store.findByLists]) {
    for (const force of [undefined, ...FORCED]) {
      const texts = unlessTooLong(() => textsByCursor((after) => find(pageOf(plan, after, force), effort)))
      if (texts !== null) assertEqual(`[${texts.join(',')}]`, whole, `cursors, ${name}, ${force ?? 'not forced'}`)
    }
  }
}

function pageOf(plan: QueryPlan, after: string | null, force: PlanName | undefined): QueryPlan {
  const page = { ...plan, skip: 0, limit: 2, after }
  return force === undefined ? page : { ...page, force }
}

function textsByCursor(find: (after: string | null) => Page): string[] {
  const texts: string[] = []
  let after: string | null = null
  do {
    const page: Page = find(after)
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
  const found = given
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
    .map((record) => ({ ...record, key: sortKeyOf(record.document, plan.sort) }))
    .sort((a, b) => compareSortKeys(a.key, b.key, plan.sort) || a.n - b.n)
  const { fields, skip, limit } = plan
  const all = found.map(({ text, document }) =>
    fields === null ? text : JSON.stringify(projectDocument(document, fields, plan.filter)),
  )
  return { page: `[${all.slice(skip, skip + limit).join(',')}]`, all, count: found.length }
}

function isVisible(scope: Scope, owner: string, isPublic: boolean): boolean {
  return isPublic || scope.kind === 'operator' || (scope.kind === 'account' && scope.accountId === owner)
}

function unlessRefused<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return null
    throw error
  }
}

function unlessTooLong<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof TooLongHere) return null
    throw error
  }
}

function assertEqual(actual: string, expected: string, what: string): void {
  if (actual !== expected) throw new Error(`${what}:\n  store   ${actual}\n  matcher ${expected}`)
}
