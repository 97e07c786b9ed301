import { isOf } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { planQuery } from '../../query/plan/plan-query.ts'
import type { QueryPlan } from '../../query/plan/query-plan.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import { STORE_ERRORS } from '../../store/errors.ts'
import type { ReadTerms, RecordStore } from '../../store/port/record-store.ts'
import { allOf } from '../queries/filters.ts'
import type { ListingQuery } from './entry-query.ts'
import { presentStructure } from './present-structure.ts'
import { IS_STRUCTURE } from './properties.ts'

/** One page of structures. */
export interface StructurePage {
  readonly entries: readonly JsonObject[]
  /** How many match, on all pages; null when counting them takes longer than a query may. */
  readonly matching: number | null
  readonly hasMore: boolean
}

/** Finds a page of the public materials that match. */
export async function listStructures(
  store: RecordStore,
  query: ListingQuery,
  terms?: ReadTerms,
): Promise<StructurePage> {
  const { sort, offset, limit, fields } = query
  const filter = allOf([IS_STRUCTURE, query.filter])
  // One more than asked tells whether there is a next page.
  const request = { filter, sort, fields: null, skip: offset, limit: limit + 1 }
  const plan = planQuery(request, materialKind.collection, { kind: 'public' })
  const [page, matching] = await Promise.all([store.find(plan, terms), countWithinBudget(store, plan, terms)])
  const documents = JSON.parse(page.documents.toString('utf8')) as JsonObject[]
  return {
    entries: documents.slice(0, limit).map((document) => presentStructure(document, fields)),
    matching,
    hasMore: documents.length > limit,
  }
}

/** A page can be found without looking at all that match, so it does not fail because they are too many to count. */
async function countWithinBudget(
  store: RecordStore,
  plan: QueryPlan,
  terms: ReadTerms | undefined,
): Promise<number | null> {
  try {
    return await store.count(plan, terms)
  } catch (error) {
    if (isOf(STORE_ERRORS.timeBudget, error)) return null
    throw error
  }
}
