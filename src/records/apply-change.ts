import type { Actor } from '../store/port/audit.ts'
import type { Change, ChangeResult } from '../store/port/record-store.ts'
import type { Contribution } from './bank/bank.ts'
import { bankChanges } from './bank/bank-changes.ts'
import type { RecordDeps } from './deps.ts'
import { inTurn } from './in-turn.ts'
import { WRITE_ATTEMPTS } from './own-record.ts'

/** What a record brings to the bank before and after a change; null where that is nothing. */
export interface Transition {
  readonly before: Contribution | null
  readonly after: Contribution | null
  /** Who makes the change; nobody, where the program does it by itself. */
  readonly by: Actor | undefined
}

/**
 * Applies a change of one record, with whatever has to happen beside it and what follows from it for the bank, in one transaction. Gives
 * the result of the change itself; `changed` also when something beside it has changed meanwhile.
 */
export async function applyChange(
  deps: RecordDeps,
  change: Change,
  { before, after, by }: Transition,
  beside: readonly Change[] = [],
): Promise<ChangeResult> {
  const attempt = async () => {
    const following = await bankChanges(deps, before, after)
    const results = await deps.store.apply([change, ...beside, ...following], by)
    return summarize(results, 1 + beside.length)
  }
  if (before?.id === after?.id) return (await attempt()).result
  for (let count = 0; count < WRITE_ATTEMPTS; count++) {
    const { result, isBankStale } = await inTurn(deps.store, after?.id ?? before?.id ?? '', attempt)
    if (!isBankStale) return result
  }
  return { outcome: 'changed' }
}

/** Nothing was applied unless all was; only a stale view of the bank is worth another try as it is. */
function summarize(results: readonly ChangeResult[], own: number): { result: ChangeResult; isBankStale: boolean } {
  const result = results[0] ?? { outcome: 'changed' }
  if (results.every(({ outcome }) => outcome === 'done')) return { result, isBankStale: false }
  const isBankStale = results.slice(0, own).every(({ outcome }) => outcome === 'done')
  return { result: result.outcome === 'done' ? { outcome: 'changed' } : result, isBankStale }
}
