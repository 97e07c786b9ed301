import { actorOf, termsOf } from '../../accounts/session.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { remedied } from '../../page/remedies.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import { EVERYTHING } from '../../query/ast/filter.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import type { FieldFound, FieldsFound, Survey, SurveyFound } from '../../query/ast/survey.ts'
import { planQuery } from '../../query/plan.ts'
import type { AccountRow } from '../../store/port/account-store.ts'
import { withDerived } from '../../store/port/derived-text.ts'
import type { Page, ReadTerms, RecordStore, StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { contentId, named } from '../ids.ts'
import type { RecordKind, ScopedCollection } from '../record-kind.ts'
import { guideOf, listWarnings } from '../warnings/field-guide.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import { buildOne } from '../work/record-threads.ts'
import { projectedText } from '../work/stored-text.ts'

const REMEMBERED = 100_000

/** Accounts and collections that are known to have a default; a shortcut, so it may be forgotten. */
const prepared = new WeakMap<RecordStore, BoundedCache<true>>()

/** Makes the record that every account has from the start when it first asks, so that accounts older than the kind have it too. */
export async function ensureStarter(collection: Collection, account: AccountRow): Promise<void> {
  const { deps, kind } = collection
  if (kind.starter === undefined || hasStarter(collection, account)) return
  const scope = { kind: 'account', accountId: account.id } as const
  if ((await deps.store.readDefault(kind.collection, scope, account.id)) === null) {
    await insertStarter(collection, account, kind.starter())
  }
  const known = prepared.get(deps.store) ?? new BoundedCache({ most: REMEMBERED })
  prepared.set(deps.store, known)
  known.set(starterKey(kind, account), true)
}

/** Tells whether `ensureStarter` has nothing to do, as far as that is known. */
export function hasStarter({ deps, kind }: Collection, account: AccountRow): boolean {
  return kind.starter === undefined || prepared.get(deps.store)?.get(starterKey(kind, account)) === true
}

function starterKey({ collection }: RecordKind, { id }: AccountRow): string {
  return `${collection} ${id}`
}

/** The id is fixed, so that of two first requests at a time only one makes the record; that one is as good as this. */
async function insertStarter(collection: Collection, account: AccountRow, document: JsonObject): Promise<void> {
  const { deps, kind, session } = collection
  const { user } = session
  const input = { source: { document }, id: contentId('starter', kind.collection, account.id) }
  const people = { account: named(account), user: named(user) }
  const terms = {
    collection: kind.collection,
    purpose: 'create',
    ...people,
    now: deps.clock(),
    isDefault: true,
  } as const
  const made = await buildOne(deps.work, user.id, input, terms)
  if (!('built' in made)) throw new Error(`the starter of ${kind.collection} names an account`)
  const { collection: name, id, text, isPublic, gaveUpMs } = made.built
  const insert = {
    action: 'insert',
    collection: name,
    id,
    accountId: account.id,
    isPublic,
    isDefault: true,
    text,
    gaveUpMs,
  } as const
  await deps.store.apply([insert], actorOf(session))
}

/** Counts the records that the session can see and the request's filter matches; order, fields and page do not matter. */
export async function countRecords(
  collection: Collection,
  request: ListRequest,
  reading: ReadTerms = termsOf(collection.session),
): Promise<number> {
  const { deps, kind, session } = collection
  await ensureStarter(collection, session.account)
  const counted = { filter: request.filter, sort: [], fields: null, skip: 0, limit: 1 }
  return deps.store.count(planQuery(counted, kind.collection, session.scope), reading)
}

/** Finds one page of the records that the session can see and the request asks for. */
export async function listRecords(collection: Collection, request: ListRequest): Promise<Page> {
  return findPage(collection, request, termsOf(collection.session))
}

async function findPage(collection: Collection, request: ListRequest, reading: ReadTerms): Promise<Page> {
  const { deps, kind, session } = collection
  await ensureStarter(collection, session.account)
  return deps.store.find(planQuery(request, kind.collection, session.scope), reading)
}

/** Request of a list: a page, and with `counts` the number of all that match. */
export interface AskedList {
  readonly listed: ListRequest
  readonly counts: boolean
  /** For whom, and of when, it is read. */
  readonly reading?: ReadTerms
}

/** A page, with the number of all records that the list's filter matches where that was asked for. */
export interface CountedPage {
  readonly page: Page
  readonly total: number | null
}

/** Somebody who writes without pause is not waited for any longer. */
const ATTEMPTS = 3

/** Finds a page, and counts what the filter matches in all where that is asked for: of one state of the data. */
export async function listAndCount(collection: Collection, asked: AskedList): Promise<CountedPage> {
  const { deps, session } = collection
  const { listed, counts, reading = termsOf(session) } = asked
  if (!counts) return { page: await findPage(collection, listed, reading), total: null }
  const stateNow = () => deps.store.readChangeCounter(session.scope, reading.since)
  for (let attempt = 1; ; attempt++) {
    const state = await stateNow()
    const page = await findPage(collection, listed, reading)
    const told = totalToldBy(page, listed)
    if (told !== null) return { page, total: told }
    const total = await countRecords(collection, listed, reading)
    if (attempt === ATTEMPTS || (await stateNow()) === state) return { page, total }
  }
}

/** The last page by number tells the total by itself, unless it lies behind the end; a cursor does not say how much is before it. */
function totalToldBy({ next, count }: Page, { skip, after = null }: ListRequest): number | null {
  return next === null && after === null && (count > 0 || skip === 0) ? skip + count : null
}

/** Reads one record; one that the session cannot see does not exist for it. */
export async function getRecord(collection: Collection, id: string): Promise<StoredRecord> {
  const { deps, kind, session } = collection
  const record = await deps.store.read(kind.collection, session.scope, id)
  if (record === null) throw recordNotFound(kind, id)
  return record
}

/** Fields of one record that are asked for, as they were written and as they are understood. */
export interface AskedFields extends Pick<ListRequest, 'fields' | 'strict'> {
  readonly json: JsonObject
}

/** Leaves of a record the fields that are asked for, as a list does; says which of them no record has. */
export async function withFieldsAsked<Of extends StoredRecord>(
  collection: Collection,
  record: Of,
  { json, fields, strict = false }: AskedFields,
): Promise<Of & { readonly warnings: readonly Warning[] }> {
  const { deps, session } = collection
  const warnings = await listWarnings(collection, { filter: EVERYTHING, sort: [], fields, strict }, false)
  const text = withDerived(record.text, record.derived ?? '')
  return { ...record, text: await projectedText(deps.work, session.user.id, text, json), warnings }
}

/** The one answer for a record that is not there and for one that may not be seen. */
export function recordNotFound(kind: RecordKind, id: string): AppError {
  const shown = JSON.stringify(id.length > 64 ? `${id.slice(0, 64)}…` : id)
  const message = `There is no ${kind.name} ${shown} among those that you can see.`
  return new AppError(RECORD_ERRORS.notFound, message, {
    path: '_id',
    ...remedied('listRecords', { collection: kind.collection }),
  })
}

/** Runs a list and tells how it was run instead of what was found; times are in milliseconds. */
export async function explainRecords(
  collection: Collection,
  request: ListRequest,
): Promise<JsonObject & { readonly count: number }> {
  const { report, count } = await listRecords(collection, request)
  const { stations, ...run } = report
  return { count, ...run, stations: { ...stations } }
}

/** Streams all records that the session can see and the request's filter matches, as NDJSON; its limit does not matter. */
export function exportRecords(collection: ScopedCollection, request: ListRequest): AsyncIterable<Buffer> {
  const { deps, kind, session } = collection
  const terms = session.user === undefined ? undefined : { user: session.user.id }
  return deps.store.stream(planQuery(request, kind.collection, session.scope), terms)
}

const PUBLIC = { kind: 'public' } as const
const ONE_OF_ALL = { filter: EVERYTHING, sort: [], fields: null, skip: 0, limit: 1 }

export interface PublicCount {
  readonly kind: RecordKind
  readonly count: number
}

/** Makes a function that counts the public records of each kind, and counts anew only after one of them has changed. */
export function createPublicCounts(
  deps: Pick<RecordDeps, 'store'>,
  kinds: readonly RecordKind[],
): () => Promise<readonly PublicCount[]> {
  let counted: { readonly change: number; readonly counts: Promise<readonly PublicCount[]> } | null = null
  const countAll = () =>
    Promise.all(
      kinds.map(async (kind) => ({
        kind,
        count: await deps.store.count(planQuery(ONE_OF_ALL, kind.collection, PUBLIC)),
      })),
    )
  return async () => {
    const change = await deps.store.readChangeCounter(PUBLIC)
    if (counted?.change === change) return counted.counts
    const counts = countAll()
    counted = { change, counts }
    // A failure is told once and not remembered.
    counts.catch(() => {
      counted = null
    })
    return counts
  }
}

export interface AskedSurvey<Asked extends Survey> {
  readonly filter: FilterNode
  readonly survey: Asked
}

/** Tells what the records have that the session can see and a filter matches, as far as they can be looked at in the survey's time. */
export async function surveyRecords<Asked extends Survey>(
  collection: Collection,
  { filter, survey }: AskedSurvey<Asked>,
  reading: ReadTerms = termsOf(collection.session),
): Promise<SurveyFound<Asked>> {
  const { deps, kind, session } = collection
  await ensureStarter(collection, session.account)
  const plan = planQuery({ filter, sort: [], fields: null, skip: 0, limit: 1 }, kind.collection, session.scope)
  return deps.store.survey(plan, survey, reading)
}

/** A field with what its kind says of it. */
export interface DescribedField extends FieldFound {
  readonly title: string | null
  readonly unit: string | null
  readonly description: string | null
}

export type DescribedFields = Omit<FieldsFound, 'kind' | 'fields'> & { readonly fields: readonly DescribedField[] }

/** Tells which fields the records have that the session can see, and what their kind says of them. */
export async function describeFields(
  collection: Collection,
  budgetMs: number,
  reading?: ReadTerms,
): Promise<DescribedFields> {
  const { noteOf } = guideOf(collection.kind)
  const survey = { kind: 'fields', budgetMs } as const
  const { fields, records, exact } = await surveyRecords(collection, { filter: EVERYTHING, survey }, reading)
  const described = fields.map((field) => ({ ...field, ...(noteOf(field.path) ?? NO_NOTE) }))
  return { fields: described, records, exact }
}

const NO_NOTE = { title: null, unit: null, description: null }
