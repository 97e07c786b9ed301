import { termsOf } from '../../accounts/session.ts'
import { Pauses } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { remedied } from '../../page/remedies.ts'
import { all, equals, type FilterNode, isOneOf } from '../../query/ast/filter.ts'
import type { FieldsNode } from '../../query/ast/list-request.ts'
import { planQuery, type QueryPlan } from '../../query/plan.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { Collection } from '../work/deps.ts'
import { ensureStarter } from './read-records.ts'

/** Records that one change takes at most: they share a transaction, and everybody else's writes wait for it. */
export const MOST_TOGETHER = 1000
/** Characters of their texts, which are in memory at once. */
export const MOST_CHARACTERS = 32 * 1024 * 1024
/** Records that a change takes at most which is carried out in portions: their ids are stored in one transaction. */
export const MOST_IN_PORTIONS = 1_000_000

/** Records that are meant: those that a query matches, or those that are named. */
export type Meant = { readonly filter: FilterNode } | { readonly ids: readonly string[] }

/** The records that are meant, as far as their account may change them. */
export interface BulkSelection {
  readonly records: readonly StoredRecord[]
  /** Number of public records of other accounts that match; they stay as they are. */
  readonly others: number
  /** Number of named records that do not exist. */
  readonly missing: number
}

const ONLY_ID: FieldsNode = { mode: 'inclusion', tree: new Map([['_id', { kind: 'include' }]]), positional: null }

/** Finds the records that a change means; refuses more than it takes. */
export async function select(
  collection: Collection,
  meant: Meant,
  mostCharacters = MOST_CHARACTERS,
): Promise<BulkSelection> {
  const { kind } = collection
  const { matched, others, missing } = await countMeant(collection, meant)
  if (matched > MOST_TOGETHER) throw tooMany(`${matched} ${kind.collection}`, MOST_TOGETHER)
  const records: StoredRecord[] = []
  let characters = 0
  for await (const record of readEach(collection, await firstIds(collection, meant, MOST_TOGETHER))) {
    characters += record.text.length
    if (characters > mostCharacters) throw tooMany(`more than ${mostCharacters} characters`, mostCharacters)
    records.push(record)
  }
  return { records, others, missing }
}

/** Numbers of records that are meant. */
export interface MeantCounts {
  /** Those of the session's account. */
  readonly matched: number
  readonly others: number
  readonly missing: number
}

/** Counts the records that a change means. */
export async function countMeant(collection: Collection, meant: Meant): Promise<MeantCounts> {
  const { deps, kind, session } = collection
  await ensureStarter(collection, session.account)
  const whosever = { filter: filterOf(meant), sort: [], fields: ONLY_ID, skip: 0, limit: 1 }
  const [matched, seen] = await Promise.all([
    deps.store.count(ownPlan(collection, meant, 1), termsOf(session)),
    deps.store.count(planQuery(whosever, kind.collection, session.scope), termsOf(session)),
  ])
  const missing = 'ids' in meant ? Math.max(0, new Set(meant.ids).size - seen) : 0
  return { matched, others: seen - matched, missing }
}

function filterOf(meant: Meant): FilterNode {
  return 'filter' in meant ? meant.filter : isOneOf('_id', [...new Set(meant.ids)])
}

/** The ids of what is meant of the session's account, in natural order. */
function ownPlan({ kind, session }: Collection, meant: Meant, limit: number): QueryPlan {
  const filter = all(filterOf(meant), equals('owner._id', session.account.id))
  return planQuery({ filter, sort: [], fields: ONLY_ID, skip: 0, limit }, kind.collection, session.scope)
}

async function firstIds(collection: Collection, meant: Meant, limit: number): Promise<readonly string[]> {
  const { deps, session } = collection
  const page = await deps.store.find(ownPlan(collection, meant, limit), termsOf(session))
  return (JSON.parse(page.documents.toString()) as readonly OnlyId[]).map(({ _id }) => _id)
}

interface OnlyId {
  readonly _id: string
}

/** The first records that a change means, in natural order. */
export async function selectFirst(
  collection: Collection,
  meant: Meant,
  limit: number,
): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = []
  for await (const record of readEach(collection, await firstIds(collection, meant, limit))) records.push(record)
  return records
}

/** All ids that a change means of the session's account at this moment, in natural order; refuses more than `most`. */
export async function selectIds(collection: Collection, meant: Meant, most: number): Promise<readonly string[]> {
  const { deps, kind, session } = collection
  const pauses = new Pauses()
  const ids: string[] = []
  let rest = ''
  for await (const chunk of deps.store.stream(ownPlan(collection, meant, 1), termsOf(session))) {
    await pauses.take()
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') ids.push((JSON.parse(line) as OnlyId)._id)
    if (ids.length > most) throw tooMany(`more than ${most} ${kind.collection}`, most)
  }
  if (rest !== '') ids.push((JSON.parse(rest) as OnlyId)._id)
  return ids
}

/** Reads those of some records that are of the session's account, in their order. */
export async function* readEach(
  { deps, kind, session }: Collection,
  ids: readonly string[],
): AsyncGenerator<StoredRecord> {
  const pauses = new Pauses()
  for (const id of ids) {
    await pauses.take()
    const record = await deps.store.read(kind.collection, session.scope, id)
    if (record !== null && record.accountId === session.account.id) yield record
  }
}

function tooMany(meant: string, limit: number): AppError {
  const message = `This means ${meant}; one change takes ${limit} at the most. Nothing was changed.`
  const what =
    limit === MOST_IN_PORTIONS
      ? { hint: 'Narrow the query, and make one change after the other.' }
      : remedied('inPortions')
  return new AppError(RECORD_ERRORS.tooManyTogether, message, { path: 'query', ...what, limit })
}

/** Refuses to go on where it is not as many records as whoever asks has seen. */
export function assertAsMany(matched: number, expectedCount: number | undefined): void {
  if (expectedCount === undefined || expectedCount === matched) return
  const data: Record<string, Json> = { path: 'expectedCount', matched }
  const message = `${matched} of your records match, and ${expectedCount} are expected. Nothing was changed.`
  throw new AppError(RECORD_ERRORS.unexpectedCount, message, { ...data, ...remedied('lookAgain') })
}

/** Things worked on at a time: enough to keep the threads busy. */
const AT_ONCE = 100

/** Works on some things at a time, in their order: until its first wait, each runs on the thread of requests, where others have turns. */
export async function inSlices<In, Out>(all: readonly In[], make: (one: In) => Promise<Out>): Promise<readonly Out[]> {
  const made: Out[] = []
  const pauses = new Pauses()
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const begun: Promise<Out>[] = []
    for (const one of all.slice(start, start + AT_ONCE)) {
      const making = make(one)
      // It counts when all have been begun.
      making.catch(() => {})
      begun.push(making)
      await pauses.take()
    }
    made.push(...(await Promise.all(begun)))
  }
  return made
}
