import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { planQuery, type QueryPlan, type RequesterScope, type Scope } from '../../src/query/plan.ts'
import type { Change, Page } from '../../src/store/port/record-store.ts'

export const OPERATOR: Scope = { kind: 'operator' }
export const PUBLIC: RequesterScope = { kind: 'public' }

/** What an account sees. */
export function accountScope(accountId: string): RequesterScope {
  return { kind: 'account', accountId }
}

/** The plan of a query, from what a client would send: the account's whose records `insertion` makes, unless told otherwise. */
export function planOf(
  collection: string,
  query: Json = {},
  projection: Json = {},
  scope: Scope = accountScope('owner'),
): QueryPlan {
  const filter = parseFilter(query)
  const request = { filter, ...parseProjection(projection, undefined, 'projection', filter) }
  return planQuery(request, collection, scope)
}

/** The change that inserts a document, a private one of the account `owner` unless told otherwise. */
export function insertion(
  collection: string,
  id: string,
  document: JsonObject,
  { accountId = 'owner', isPublic = false }: { accountId?: string; isPublic?: boolean } = {},
): Change {
  return { action: 'insert', collection, id, accountId, isPublic, text: JSON.stringify(document) }
}

/** The documents of a page. */
export function documentsOf(page: Page): JsonObject[] {
  return JSON.parse(page.documents.toString()) as JsonObject[]
}
