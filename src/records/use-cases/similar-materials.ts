import type { JsonObject } from '../../kernel/json.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import { FINGERPRINT_STEP } from '../../structure/matching/fingerprint.ts'
import type { Collection } from '../work/deps.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { fingerprintIn, LIKENESS, nearestTo, withoutFingerprint } from './nearest-materials.ts'
import { getRecord } from './read-records.ts'

const GREATEST = 0xffff

/** Limits and filter of a search. */
export interface SimilarTerms {
  readonly limit: number
  /** In units of the cube root of the volume of an atom; without it, at any distance. */
  readonly within?: number | undefined
  readonly filter: FilterNode
}

export interface SimilarMaterials {
  readonly similar: readonly (JsonObject & { readonly distance: number })[]
  readonly records: number
  readonly exact: boolean
}

/** Finds the materials whose geometry is nearest to that of one, of any elements and any size. */
export async function similarMaterials(
  collection: Collection,
  id: string,
  { limit, within, filter }: SimilarTerms,
  reading?: ReadTerms,
): Promise<SimilarMaterials> {
  const { text } = await getRecord(collection, id)
  const fields = await fieldsOf(collection.deps.work, collection.session.user.id, text, LIKENESS)
  const to = fingerprintIn(fields)
  if (to === null) throw withoutFingerprint(id)
  const steps = within === undefined ? GREATEST : Math.floor(within / FINGERPRINT_STEP + 1e-6)
  const asked = { to, within: steps, limit: limit + 1, filter }
  const { found, records, exact } = await nearestTo({ ...collection, reading }, asked)
  const similar = found
    .filter((one) => one.fields._id !== id)
    .slice(0, limit)
    .map(({ distance, fields: told }) => ({ ...told, distance: Math.round(distance) * FINGERPRINT_STEP }))
    .map((one) => ({ ...one, distance: Number(one.distance.toFixed(4)) }))
  return { similar, records, exact }
}
