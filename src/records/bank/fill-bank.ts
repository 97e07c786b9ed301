import type { JsonObject } from '../../kernel/json.ts'
import { parseFilter } from '../../query/parse/parse-filter.ts'
import { planQuery } from '../../query/plan/plan-query.ts'
import type { Change } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../deps.ts'
import type { RecordKind } from '../record-kind.ts'
import { type Contribution, isBanked } from './bank.ts'
import { contributionOf } from './bank-changes.ts'
import { firstEntry, recount, sharedCount } from './bank-entry.ts'

const PUBLIC = { kind: 'public' } as const
const EVERYTHING = { filter: parseFilter({}), sort: [], fields: null, skip: 0, limit: 1 }
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

/** What each public record of a kind contributes. */
async function* contributions(deps: RecordDeps, kind: RecordKind): AsyncGenerator<Contribution> {
  for await (const chunk of deps.store.stream(planQuery(EVERYTHING, kind.collection, PUBLIC))) {
    for (const text of chunk.toString('utf8').split('\n')) {
      const contribution = text === '' ? null : contributionOf(kind, true, JSON.parse(text) as JsonObject)
      if (contribution !== null) yield contribution
    }
  }
}
