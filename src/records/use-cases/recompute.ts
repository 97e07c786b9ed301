import { setTimeout as wait } from 'node:timers/promises'
import { unpackError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { planQuery, type Scope } from '../../query/plan.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_EVENTS } from '../events.ts'
import { addressOf } from '../ids.ts'
import type { RecordKind } from '../record-kind.ts'
import { bankKindOf, isBanked } from '../work/bank.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { Recomputation, Recomputed, RecomputeOutcome, SymmetryAgain } from '../work/revision.ts'
import { commitOne, isFollowed } from './write-record.ts'

export interface RecomputeOptions {
  readonly symmetry: SymmetryAgain
  /** A query of the records; all when left out. */
  readonly query?: JsonObject
  /** Whether the entries of the bank of the kind are meant in place of its records. */
  readonly isBank?: boolean
  /** `next` of the step to go on after. */
  readonly after?: string | null
  /** Records that are looked at together. */
  readonly atOnce?: number
}

/** Progress of a recomputation. The counts are of the last step alone. */
export interface RecomputeStep {
  readonly seen: number
  readonly changed: number
  /** Records that could not be computed anew; they stay as they were, and the log says why. */
  readonly failed: number
  /** Records whose symmetry is still not known though it might be; the records say why. */
  readonly withoutSymmetry: number
  /** Null after the last step. */
  readonly next: string | null
}

const EVERYTHING = { kind: 'operator' } as const
const PUBLIC = { kind: 'public' } as const
const AT_ONCE = 100

/**
 * Computes anew what follows from stored records, in steps, in the order in which they were created. A record is written only where
 * something has changed, and not when somebody else changed it meanwhile. What people wrote stays, with its times and its history:
 * the new text takes the place of the version, under the next number.
 */
export async function* recomputeRecords(
  deps: RecordDeps,
  kind: RecordKind,
  { symmetry, query = {}, isBank = false, after = null, atOnce = AT_ONCE }: RecomputeOptions,
): AsyncGenerator<RecomputeStep> {
  if (isBank && !isBanked(kind)) return
  const collection = isBank && isBanked(kind) ? bankKindOf(kind).collection : kind.collection
  const what: Recomputation = { collection: kind.collection, isBank, symmetry }
  let next: string | null = after
  do {
    const found = await search(deps, collection, { filter: parseFilter(query), after: next, limit: atOnce })
    next = found.next
    yield { ...(await recomputeFound(deps, kind, what, found.records)), next }
  } while (next !== null)
}

export function countRecomputed(deps: RecordDeps, collection: string, query: JsonObject = {}): Promise<number> {
  const request = { filter: parseFilter(query), sort: [], fields: null, skip: 0, limit: 1 }
  return deps.store.count(planQuery(request, collection, EVERYTHING))
}

interface RecomputationPage {
  readonly filter: FilterNode
  readonly after: string | null
  readonly limit: number
}

async function search(deps: RecordDeps, collection: string, { filter, after, limit }: RecomputationPage) {
  const request = { filter, ...parseProjection({ fields: { _id: 1, 'owner._id': 1 }, limit }), after }
  const { documents, next } = await deps.store.find(planQuery(request, collection, EVERYTHING))
  return { records: JSON.parse(documents.toString()) as readonly Owned[], next }
}

/** Computes records anew that were found. Each is read as its own account does: two accounts may have records of one id. */
async function recomputeFound(
  deps: RecordDeps,
  kind: RecordKind,
  what: Recomputation,
  found: readonly Owned[],
): Promise<Omit<RecomputeStep, 'next'>> {
  const collection = what.isBank && isBanked(kind) ? bankKindOf(kind).collection : kind.collection
  const read = await Promise.all(
    found.map(({ _id, owner }) =>
      deps.store.read(collection, what.isBank || owner === undefined ? PUBLIC : accountScope(owner._id), _id),
    ),
  )
  const records = read.filter((record) => record !== null)
  const { entries, ...changed } = await recomputePage(deps, { collection, what, user: SERVER }, records)
  await recomputeEntries(deps, kind, { ids: entries, symmetry: what.symmetry, user: SERVER })
  return { seen: records.length, ...changed }
}

/** For whom the server works when nobody has asked: it has turns of its own. */
const SERVER = 'server'

interface Owned {
  readonly _id: string
  /** Entries of the bank have none. */
  readonly owner?: { readonly _id: string }
}

const accountScope = (accountId: string): Scope => ({ kind: 'account', accountId })

/** What is done with some records, and in whose turns. */
interface PageTerms {
  readonly collection: string
  readonly what: Recomputation
  readonly user: string
}

async function recomputePage(
  deps: RecordDeps,
  { collection, what, user }: PageTerms,
  records: readonly StoredRecord[],
): Promise<Omit<RecomputeStep, 'seen' | 'next'> & { readonly entries: readonly string[] }> {
  const states = records.map(({ text, isPublic }) => ({ text, isPublic }))
  const outcomes = await deps.work.runEach('recompute', user, states, what)
  const plain: Change[] = []
  const counts = { changed: 0, failed: 0, withoutSymmetry: outcomes.filter(isWithoutSymmetry).length }
  const entries: string[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const record = records[index]
    if (record === undefined || 'unchanged' in outcome) continue
    if (!('recomputed' in outcome)) {
      counts.failed += 1
      deps.log.tell(RECORD_EVENTS.notRecomputed, { collection, record: record.id }, recomputeFailure(outcome))
      continue
    }
    const { recomputed } = outcome
    const change = recomputedChange({ collection, isBank: what.isBank }, record, recomputed)
    const { before, after } = recomputed
    if (after?.bank != null) entries.push(after.bank.id)
    const step = { change, before, after }
    if (!isFollowed(step)) plain.push(change)
    else {
      const { outcome: result } = await commitOne(deps, step, { by: undefined })
      if (result === 'done') counts.changed += 1
    }
  }
  // Records that others changed meanwhile were computed anew by that.
  const results = plain.length === 0 ? [] : await deps.store.applyEach(plain)
  counts.changed += results.filter(({ outcome }) => outcome === 'done').length
  if (what.symmetry === 'passing') await noteUnchanged(deps, collection, records, outcomes)
  return { ...counts, entries }
}

/** Notes of the records that were looked at, and stay as they are, whether they should be looked at again. */
async function noteUnchanged(
  deps: RecordDeps,
  collection: string,
  records: readonly StoredRecord[],
  outcomes: readonly RecomputeOutcome[],
): Promise<void> {
  const looked = records.flatMap((record, index): readonly Change[] => {
    const outcome = outcomes[index]
    if (outcome === undefined || !('unchanged' in outcome)) return []
    return [{ action: 'expect', ...addressOf(collection, record), gaveUpMs: outcome.gaveUpMs }]
  })
  if (looked.length > 0) await deps.store.applyEach(looked)
}

/** Computes anew the entries of the bank that recomputed public records share. */
export async function recomputeEntries(deps: RecordDeps, kind: RecordKind, asked: EntriesAgain): Promise<void> {
  if (!isBanked(kind)) return
  const { collection } = bankKindOf(kind)
  const symmetry = asked.symmetry === 'all' ? 'all' : 'missing'
  const terms = { collection, what: { collection: kind.collection, isBank: true, symmetry }, user: asked.user } as const
  const ids = [...new Set(asked.ids)]
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE)
    const entries = await Promise.all(some.map((id) => deps.store.read(collection, PUBLIC, id)))
    await recomputePage(
      deps,
      terms,
      entries.filter((entry) => entry !== null),
    )
  }
}

/** Entries of the bank that are to be computed anew. */
export interface EntriesAgain {
  readonly ids: readonly string[]
  readonly symmetry: SymmetryAgain
  /** In whose turns. */
  readonly user: string
}

/** The change by which a record becomes what was computed of it: in the place of its version, with the note of that. */
export function recomputedChange(
  { collection, isBank }: { readonly collection: string; readonly isBank: boolean },
  record: StoredRecord,
  { text, isPublic, gaveUpMs }: Recomputed,
): Change {
  return {
    action: 'replace',
    ...addressOf(collection, record),
    isPublic,
    text,
    gaveUpMs,
    keepsRevision: false,
    // An entry of the bank follows from the records that share it.
    ...(isBank ? { follows: true } : { isRecomputed: true }),
  }
}

function isWithoutSymmetry(outcome: RecomputeOutcome): boolean {
  if ('unchanged' in outcome) return outcome.withoutSymmetry !== null
  return 'recomputed' in outcome && outcome.recomputed.withoutSymmetry !== null
}

/** The reason why a record could not be computed anew. */
export function recomputeFailure(
  outcome: Exclude<RecomputeOutcome, { recomputed: unknown } | { unchanged: true }>,
): Error {
  return 'refusal' in outcome ? unpackError(outcome.refusal) : new Error(outcome.fault)
}

export interface FillInOptions {
  /** Time limit of the search for the symmetry of one record: searches given up sooner are tried again. */
  readonly symmetryTimeMs: number
  /** Ends it after the step that is under way. */
  readonly signal: AbortSignal
  /** Asked before each step where there is something to do: whether it is this process that does it. */
  readonly mayGoOn?: () => Promise<boolean>
}

/** Records of one step: some tens of milliseconds for a thread that nobody else needs. */
const FILLED_AT_ONCE = 20
const LOOK_AGAIN_MS = 250

/** Finds symmetry that was not found for a reason that has passed; tries nothing again that cannot be found. Gives how many have it now. */
export async function fillInSymmetry(
  deps: RecordDeps,
  kinds: readonly RecordKind[],
  { symmetryTimeMs, signal, mayGoOn = () => Promise.resolve(true) }: FillInOptions,
): Promise<number> {
  let filledIn = 0
  for (const kind of kinds) {
    if (kind.gaveUpMs === undefined) continue
    let found = await nextGivenUp(deps, kind, symmetryTimeMs, 0)
    while (found.records.length > 0 && !signal.aborted && (await mayGoOn())) {
      await whenIdle(deps, signal)
      filledIn += await fillInFound(deps, kind, found.records)
      found = await nextGivenUp(deps, kind, symmetryTimeMs, found.next)
    }
  }
  if (filledIn > 0) deps.log.tell(RECORD_EVENTS.symmetryFilledIn, { count: filledIn })
  return filledIn
}

function nextGivenUp({ store }: RecordDeps, { collection }: RecordKind, belowMs: number, after: number) {
  return store.readGivenUp(collection, { belowMs, after, limit: FILLED_AT_ONCE })
}

/** Gives how many records were changed. */
async function fillInFound(deps: RecordDeps, kind: RecordKind, found: readonly StoredRecord[]): Promise<number> {
  const what: Recomputation = { collection: kind.collection, isBank: false, symmetry: 'passing' }
  const terms = { collection: kind.collection, what, user: SERVER }
  const { entries, changed } = await recomputePage(deps, terms, found)
  await recomputeEntries(deps, kind, { ids: entries, symmetry: what.symmetry, user: SERVER })
  return changed
}

/** Waits until nobody else has work for the threads. */
async function whenIdle({ work }: RecordDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && work.metrics.busy + work.metrics.waiting > 0) {
    await wait(LOOK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
