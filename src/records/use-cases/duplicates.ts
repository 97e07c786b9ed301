import { all, equals } from '../../query/ast/filter.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { planQuery } from '../../query/plan.ts'
import type { RecordKind } from '../record-kind.ts'
import type { RecordDeps } from '../work/deps.ts'

/** Action on a new record whose content the account has already: store it, answer with the one there is, or refuse it. */
export type OnDuplicate = 'create' | 'return' | 'fail'

export const ON_DUPLICATE: readonly OnDuplicate[] = ['create', 'return', 'fail']

/** Duplicates that are told, the oldest first. */
const MOST_TOLD = 100

const IDS = parseProjection({ fields: { _id: 1 }, limit: MOST_TOLD })

/** Finds the records of an account that have a content, as `contentOf` tells it. */
export async function findDuplicates(
  deps: RecordDeps,
  { contentField, collection }: RecordKind,
  accountId: string,
  value: string | null,
): Promise<readonly string[]> {
  if (contentField === undefined || value === null) return []
  const filter = all(equals(contentField, value), equals('owner._id', accountId))
  const plan = planQuery({ filter, ...IDS }, collection, { kind: 'account', accountId })
  const { documents } = await deps.store.find(plan)
  return (JSON.parse(documents.toString()) as readonly { readonly _id: string }[]).map(({ _id }) => _id)
}
