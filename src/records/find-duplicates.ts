import { type JsonObject, ownField } from '../kernel/json.ts'
import { parseFilter } from '../query/parse/parse-filter.ts'
import { parseProjection } from '../query/parse/parse-projection.ts'
import { planQuery } from '../query/plan/plan-query.ts'
import type { RecordDeps } from './deps.ts'
import type { RecordKind } from './record-kind.ts'

/** What to do with a new record whose content the account has already: store it, answer with the one there is, or refuse it. */
export type OnDuplicate = 'create' | 'return' | 'fail'

export const ON_DUPLICATE: readonly OnDuplicate[] = ['create', 'return', 'fail']

/** Duplicates that are told, the oldest first. */
const MOST_TOLD = 100

/** What two records of a kind have in common when they are duplicates; null where there are none. */
export function contentOf({ contentField }: RecordKind, document: JsonObject): string | null {
  const value = contentField === undefined ? undefined : ownField(document, contentField)
  return typeof value === 'string' ? value : null
}

/** Finds the records of an account that have a content, as `contentOf` tells it. */
export async function findDuplicates(
  deps: RecordDeps,
  { contentField, collection }: RecordKind,
  accountId: string,
  value: string | null,
): Promise<readonly string[]> {
  if (contentField === undefined || value === null) return []
  const filter = parseFilter({ [contentField]: value, 'owner._id': accountId })
  const projection = parseProjection({ fields: { _id: 1 }, limit: MOST_TOLD })
  const plan = planQuery({ filter, ...projection }, collection, { kind: 'account', accountId })
  const { documents } = await deps.store.find(plan)
  return (JSON.parse(documents.toString()) as readonly { readonly _id: string }[]).map(({ _id }) => _id)
}
