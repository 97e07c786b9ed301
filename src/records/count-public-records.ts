import { parseFilter } from '../query/parse/parse-filter.ts'
import { planQuery } from '../query/plan/plan-query.ts'
import type { RecordDeps } from './deps.ts'
import type { RecordKind } from './record-kind.ts'

const PUBLIC = { kind: 'public' } as const
const EVERYTHING = { filter: parseFilter({}), sort: [], fields: null, skip: 0, limit: 1 }

/** How many public records a kind has. */
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
        count: await deps.store.count(planQuery(EVERYTHING, kind.collection, PUBLIC)),
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
