import { isoInstant } from '../../kernel/clock.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import { EVERYTHING } from '../../query/ast/filter.ts'
import { planQuery, type Scope } from '../../query/plan.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf, contentId, slugOf } from '../ids.ts'
import { isEntitySet } from '../kinds/entity-set.ts'
import type { Bank, RecordKind } from '../record-kind.ts'
import { SHORT_TEXT } from './client-body.ts'
import type { RecordDeps, RecordWork } from './deps.ts'
import { fieldsOf, withFields } from './stored-text.ts'

/** The account that the bank's records are stored under; nobody can be in it. */
export const BANK_ACCOUNT = contentId('bank', 'account')

/** The `_id` that a content has in the bank: always and everywhere the same. */
export function bankId(bank: Bank, key: string): string {
  return contentId('bank', bank.collection, key)
}

/** The content that a public record shares with everybody; plain data, so that it can come from another thread. */
export interface Contribution {
  /** Collection of the bank. */
  readonly collection: string
  readonly id: string
  /** The entry as JSON text, but for what changes with those who share it: `{"_id":…,…}`. */
  readonly entry: string
}

/** Contributions of a record to the bank before and after a change; null for none. */
export interface BankTransition {
  readonly before: Contribution | null
  readonly after: Contribution | null
}

const kinds = new WeakMap<Bank, RecordKind>()

/** The kind under which the records of a bank are listed and read. */
export function bankKindOf(kind: RecordKind & { readonly bank: Bank }): RecordKind {
  const { bank } = kind
  let bankKind = kinds.get(bank)
  if (bankKind === undefined) {
    const { bank: _bank, contentField: _contentField, ...own } = kind
    bankKind = { ...own, name: bank.name, collection: bank.collection }
    kinds.set(bank, bankKind)
  }
  return bankKind
}

/** Tells whether public records of a kind are gathered in a bank. */
export function isBanked(kind: RecordKind): kind is RecordKind & { readonly bank: Bank } {
  return kind.bank !== undefined
}

/** The banks that there are, as kinds of records. */
export function bankKinds(kinds: readonly RecordKind[]): readonly RecordKind[] {
  return kinds.filter(isBanked).map(bankKindOf)
}

/** Text of a record's entry in its bank. */
export function entryText(bank: Bank, id: string, document: JsonObject): string {
  const entry = bank.entryOf(document)
  return JSON.stringify({
    _id: id,
    ...entry,
    slug: slugOf(String(ownField(entry, 'name') ?? '')),
    tags: [],
    isPublic: true,
    isDefault: false,
    schemaVersion: ownField(document, 'schemaVersion') ?? null,
  })
}

/** Tells what a record contributes to the bank of its kind. */
export function contributionOf({ bank }: RecordKind, isPublic: boolean, document: JsonObject): Contribution | null {
  if (bank === undefined || !isPublic) return null
  const key = isEntitySet(document) ? null : bank.keyOf(document)
  if (key === null) return null
  const id = bankId(bank, key)
  return { collection: bank.collection, id, entry: entryText(bank, id, document) }
}

/** Puts a content into the bank that so many public records share. */
export function firstEntry(deps: RecordDeps, { collection, id, entry }: Contribution, count: number): Change {
  const now = isoInstant(deps.clock())
  const shared = JSON.stringify({ sharedCount: count, createdAt: now, updatedAt: now })
  const text = `${entry.slice(0, -1)},${shared.slice(1)}`
  return { action: 'insert', collection, id, accountId: BANK_ACCOUNT, isPublic: true, text, follows: true }
}

/** Says of an entry how many public records share its content now. */
export async function recount(
  deps: RecordDeps,
  collection: string,
  entry: StoredRecord,
  count: number,
): Promise<Change> {
  const text = await withFields(deps.work, BANK_ACCOUNT, entry.text, {
    sharedCount: count,
    updatedAt: isoInstant(deps.clock()),
  })
  return {
    action: 'replace',
    ...addressOf(collection, entry),
    isPublic: true,
    keepsRevision: false,
    text,
    follows: true,
  }
}

/** Number of public records that share an entry. */
export async function sharedCount(deps: RecordDeps, { text }: Pick<StoredRecord, 'text'>): Promise<number> {
  const { sharedCount: count } = await fieldsOf(deps.work, BANK_ACCOUNT, text, ['sharedCount'])
  return Number(count ?? 1)
}

const PUBLIC: Scope = { kind: 'public' }

/**
 * Makes the changes of the bank that go with changes of records: a content comes with the first public record that has it and goes
 * with the last, as its `sharedCount` tells.
 */
export async function bankChanges(
  deps: RecordDeps,
  transitions: readonly BankTransition[],
): Promise<readonly Change[]> {
  const balance = new Map<string, { readonly contribution: Contribution; count: number }>()
  const book = (contribution: Contribution | null, count: number) => {
    if (contribution === null) return
    const booked = balance.get(contribution.id) ?? { contribution, count: 0 }
    booked.count += count
    balance.set(contribution.id, booked)
  }
  for (const { before, after } of transitions) {
    book(before, -1)
    book(after, 1)
  }
  const changes = await Promise.all(
    [...balance.values()].map(({ contribution, count }) =>
      count === 0 ? null : entryChange(deps, contribution, count),
    ),
  )
  return changes.filter((change) => change !== null)
}

async function entryChange(deps: RecordDeps, contribution: Contribution, more: number): Promise<Change | null> {
  const { collection, id } = contribution
  const entry = await deps.store.read(collection, PUBLIC, id)
  if (entry === null) return more > 0 ? firstEntry(deps, contribution, more) : null
  const count = (await sharedCount(deps, entry)) + more
  if (count > 0) return recount(deps, collection, entry, count)
  return { action: 'erase', ...addressOf(collection, entry), follows: true }
}

const ALL_RECORDS = { filter: EVERYTHING, sort: [], fields: null, skip: 0, limit: 1 }
const MOST_AT_ONCE = 200

/**
 * Makes the bank of a kind what it would be if it had been there from the start: records that were public before have their content in it,
 * and counts are right. For a store that nobody else writes to meanwhile. Gives how many entries were made or counted anew.
 */
export async function fillBank(deps: RecordDeps, kind: RecordKind): Promise<number> {
  if (!isBanked(kind)) return 0
  const counts = new Map<string, number>()
  for await (const { id } of contributions(deps, kind)) counts.set(id, (counts.get(id) ?? 0) + 1)
  let changed = 0
  let batch: Change[] = []
  const write = async () => {
    changed += batch.length
    if (batch.length > 0) await deps.store.applyEach(batch)
    batch = []
  }
  for await (const contribution of contributions(deps, kind)) {
    const count = counts.get(contribution.id)
    if (count === undefined) continue
    counts.delete(contribution.id)
    const change = await settle(deps, contribution, count)
    if (change !== null) batch.push(change)
    if (batch.length >= MOST_AT_ONCE) await write()
  }
  await write()
  return changed
}

async function settle(deps: RecordDeps, contribution: Contribution, count: number): Promise<Change | null> {
  const { collection, id } = contribution
  const entry = await deps.store.read(collection, PUBLIC, id)
  if (entry === null) return firstEntry(deps, contribution, count)
  return (await sharedCount(deps, entry)) === count ? null : recount(deps, collection, entry, count)
}

/** Contributions of all public records of a kind. */
async function* contributions(deps: RecordDeps, kind: RecordKind): AsyncGenerator<Contribution> {
  for await (const chunk of deps.store.stream(planQuery(ALL_RECORDS, kind.collection, PUBLIC))) {
    for (const text of chunk.toString('utf8').split('\n')) {
      const contribution = text === '' ? null : contributionOf(kind, true, JSON.parse(text) as JsonObject)
      if (contribution !== null) yield contribution
    }
  }
}

/** Tells what a stored record brings to the bank of its kind. */
export async function broughtBy(
  work: RecordWork,
  user: string,
  kind: RecordKind,
  { isPublic, text }: Pick<StoredRecord, 'isPublic' | 'text'>,
): Promise<Contribution | null> {
  if (kind.bank === undefined || !isPublic) return null
  if (text.length <= SHORT_TEXT) return contributionOf(kind, isPublic, JSON.parse(text) as JsonObject)
  return work.run('contribution', user, { collection: kind.collection, text })
}
