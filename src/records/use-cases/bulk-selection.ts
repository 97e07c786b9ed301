import { termsOf } from '../../accounts/session.ts'
import { Pauses } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { all, equals, type FilterNode, isOneOf } from '../../query/ast/filter.ts'
import type { FieldsNode } from '../../query/ast/list-request.ts'
import { planQuery } from '../../query/plan.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { Collection } from '../work/deps.ts'
import { ensureStarter } from './read-records.ts'

/** Records that one change takes at most: they share a transaction, and everybody else's writes wait for it. */
export const MOST_TOGETHER = 1000
/** Characters of their texts, which are in memory at once. */
const MOST_CHARACTERS = 32 * 1024 * 1024

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
  const { deps, kind, session } = collection
  await ensureStarter(collection, session.account)
  const filter = 'filter' in meant ? meant.filter : isOneOf('_id', [...new Set(meant.ids)])
  const own = all(filter, equals('owner._id', session.account.id))
  const counted = { filter: own, sort: [], fields: ONLY_ID, skip: 0, limit: MOST_TOGETHER }
  const plan = planQuery(counted, kind.collection, session.scope)
  const [matched, seen] = await Promise.all([
    deps.store.count(plan, termsOf(session)),
    deps.store.count(planQuery({ ...counted, filter }, kind.collection, session.scope), termsOf(session)),
  ])
  if (matched > MOST_TOGETHER) throw tooMany(`${matched} ${kind.collection}`, `${MOST_TOGETHER}`)
  const page = await deps.store.find(plan, termsOf(session))
  const ids = (JSON.parse(page.documents.toString()) as readonly { readonly _id: string }[]).map(({ _id }) => _id)
  const records = await readAll(collection, ids, mostCharacters)
  const missing = 'ids' in meant ? Math.max(0, new Set(meant.ids).size - seen) : 0
  return { records, others: seen - matched, missing }
}

async function readAll(
  { deps, kind, session }: Collection,
  ids: readonly string[],
  most: number,
): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = []
  const pauses = new Pauses()
  let characters = 0
  for (const id of ids) {
    await pauses.take()
    const record = await deps.store.read(kind.collection, session.scope, id)
    if (record === null || record.accountId !== session.account.id) continue
    characters += record.text.length
    if (characters > most) throw tooMany(`more than ${most} characters`, `${most}`)
    found.push(record)
  }
  return found
}

function tooMany(meant: string, most: string): AppError {
  const message = `This means ${meant}; one change takes ${most} at the most. Nothing was changed.`
  const hint = 'Narrow the query, and send one change after the other.'
  return new AppError(RECORD_ERRORS.tooManyTogether, message, { path: 'query', hint, limit: Number(most) })
}

/** Refuses to go on where it is not as many records as whoever asks has seen. */
export function assertAsMany({ records }: BulkSelection, expectedCount: number | undefined): void {
  if (expectedCount === undefined || expectedCount === records.length) return
  const data: Record<string, Json> = { path: 'expectedCount', matched: records.length }
  const message = `${records.length} of your records match, and ${expectedCount} are expected. Nothing was changed.`
  const hint = 'Look at what matches now (dryRun), and send its number.'
  throw new AppError(RECORD_ERRORS.unexpectedCount, message, { ...data, hint })
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
