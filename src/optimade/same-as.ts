import { AppError } from '../kernel/errors.ts'
import { isJsonObject, type JsonObject } from '../kernel/json.ts'
import { publicSameAs } from '../records/use-cases/same-materials.ts'
import type { RecordDeps } from '../records/work/deps.ts'
import type { ReadTerms } from '../store/port/record-store.ts'
import type { EntryQuery } from './entry-query.ts'
import { OPTIMADE_ERRORS } from './errors.ts'
import { SAME_AS } from './properties.ts'

/** Structures of a page that others are sought for: each takes a search of its own. */
const MOST_STRUCTURES = 20

/** Refuses a page of so many structures that the same ones cannot be sought for each. */
export function assertFewEnough({ fields, limit }: EntryQuery & { readonly limit: number }): void {
  if (fields?.includes(SAME_AS) !== true || limit <= MOST_STRUCTURES) return
  const hint = `Ask for page_limit=${MOST_STRUCTURES} or less, or leave ${SAME_AS} out of response_fields.`
  const message = `${SAME_AS} is given for at most ${MOST_STRUCTURES} structures a page.`
  throw new AppError(OPTIMADE_ERRORS.pageTooLarge, `${message} ${hint}`, { path: 'page_limit', hint })
}

/** Resource objects, and what the client should know of what they say. */
interface Completed {
  readonly entries: readonly JsonObject[]
  readonly warnings: readonly string[]
}

/** Gives resource objects the ids of the public structures that are the same crystal, where they are asked for. */
export async function withSameAs(
  deps: Pick<RecordDeps, 'store' | 'work'>,
  terms: ReadTerms,
  { fields }: EntryQuery,
  entries: readonly JsonObject[],
): Promise<Completed> {
  if (fields?.includes(SAME_AS) !== true) return { entries, warnings: [] }
  const complete: JsonObject[] = []
  const warnings: string[] = []
  for (const entry of entries) {
    const id = String(entry.id)
    const found = await publicSameAs(deps, terms, id)
    const attributes = isJsonObject(entry.attributes) ? entry.attributes : {}
    const same = found === null ? null : found.same.map(({ _id }) => _id)
    complete.push({ ...entry, attributes: { ...attributes, [SAME_AS]: same } })
    if (found?.exact === false) warnings.push(unfinished(id))
  }
  return { entries: complete, warnings }
}

function unfinished(id: string): string {
  return `Not all structures that may be the same crystal as ${id} were compared, so ${SAME_AS} may lack some: they are too many, or it took too long.`
}
