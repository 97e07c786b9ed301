import { isoInstant } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { EVERYTHING } from '../../query/ast/filter.ts'
import { planQuery, type Scope } from '../../query/plan.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../ids.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import type { RecordKind } from '../record-kind.ts'
import { BANK_ACCOUNT, type BankContribution, bankContributionOf, isBanked } from './bank.ts'
import { SHORT_TEXT } from './client-body.ts'
import { type Contribution, contributionOf, type Transition } from './contribution.ts'
import type { RecordDeps, RecordWork } from './deps.ts'
import type { Followed } from './step.ts'
import { fieldsOf, withFields } from './stored-text.ts'

/** Puts a content into the bank that so many public records share. */
export function firstEntry(deps: RecordDeps, { collection, id, entry }: BankContribution, count: number): Change {
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
export async function bankChanges(deps: RecordDeps, transitions: readonly Transition[]): Promise<Followed> {
  const balance = new Map<string, { readonly contribution: BankContribution; count: number }>()
  const book = (contribution: BankContribution | null, count: number) => {
    if (contribution === null) return
    const booked = balance.get(contribution.id) ?? { contribution, count: 0 }
    booked.count += count
    balance.set(contribution.id, booked)
  }
  for (const { before, after } of transitions) {
    book(before?.bank ?? null, -1)
    book(after?.bank ?? null, 1)
  }
  const changes = await Promise.all(
    [...balance.values()].map(({ contribution, count }) =>
      count === 0 ? null : entryChange(deps, contribution, count),
    ),
  )
  return { changes: changes.filter((change) => change !== null) }
}

async function entryChange(deps: RecordDeps, contribution: BankContribution, more: number): Promise<Change | null> {
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

async function settle(deps: RecordDeps, contribution: BankContribution, count: number): Promise<Change | null> {
  const { collection, id } = contribution
  const entry = await deps.store.read(collection, PUBLIC, id)
  if (entry === null) return firstEntry(deps, contribution, count)
  return (await sharedCount(deps, entry)) === count ? null : recount(deps, collection, entry, count)
}

/** Contributions of all public records of a kind. */
async function* contributions(deps: RecordDeps, kind: RecordKind): AsyncGenerator<BankContribution> {
  for await (const chunk of deps.store.stream(planQuery(ALL_RECORDS, kind.collection, PUBLIC))) {
    for (const text of chunk.toString('utf8').split('\n')) {
      const contribution = text === '' ? null : bankContributionOf(kind, true, JSON.parse(text) as JsonObject)
      if (contribution !== null) yield contribution
    }
  }
}

/** Tells what a stored record contributes to others. */
export async function broughtBy(
  work: RecordWork,
  user: string,
  kind: RecordKind,
  { isPublic, text }: Pick<StoredRecord, 'isPublic' | 'text'>,
): Promise<Contribution | null> {
  const contributes = (kind.bank !== undefined && isPublic) || kind.collection === propertyKind.collection
  if (!contributes) return null
  if (text.length <= SHORT_TEXT) return contributionOf(kind, isPublic, JSON.parse(text) as JsonObject)
  return work.run('contribution', user, { collection: kind.collection, isPublic, text })
}
