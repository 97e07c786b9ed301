import type { Session } from '../../accounts/session.ts'
import { readVectorText } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import type { NearestFound, NearestSurvey } from '../../query/ast/survey.ts'
import { planQuery } from '../../query/plan.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import { FINGERPRINT_LENGTH, FINGERPRINT_STEP } from '../../structure/matching/fingerprint.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { getRecord } from './read-records.ts'

/** Fields that are told of a similar material. */
const SUMMARY = ['_id', 'name', 'formula', 'nSites', 'spaceGroup', 'prototype', 'isPublic', 'owner']
const PATH = { text: 'fingerprint', parts: ['fingerprint'] } as const

/** The fields by which like materials are found. */
export const LIKENESS = materialKind.likeness ?? []
/** Milliseconds on a processor: what looking at records may take, and what comparing candidates may. */
export const BUDGET_MS = 2_000

export interface Looking {
  readonly deps: Pick<RecordDeps, 'store' | 'work'>
  readonly session: Pick<Session, 'scope'> & {
    readonly user: { readonly id: string }
    readonly origin: { readonly request: string | null }
  }
  readonly reading?: ReadTerms | undefined
  readonly budgetMs?: number
}

type NearestTerms = Pick<NearestSurvey, 'to' | 'within' | 'limit'> & { readonly filter: FilterNode }

/** Finds the materials that match a filter and whose fingerprints are nearest to one. */
export function nearestTo(
  { deps, session, reading, budgetMs = BUDGET_MS }: Looking,
  { filter, ...terms }: NearestTerms,
): Promise<NearestFound> {
  const survey: NearestSurvey = { kind: 'nearest', path: PATH, take: SUMMARY, budgetMs, ...terms }
  const plan = planQuery({ filter, sort: [], fields: null, skip: 0, limit: 1 }, materialKind.collection, session.scope)
  return deps.store.survey(plan, survey, reading ?? { user: session.user.id, request: session.origin.request })
}

/** The fingerprint that a material has in its fields. */
export function fingerprintIn(fields: JsonObject): readonly number[] | null {
  const text = ownField(fields, 'fingerprint')
  const numbers = new Uint16Array(FINGERPRINT_LENGTH)
  if (typeof text !== 'string' || !readVectorText(Buffer.from(text), numbers, 0, FINGERPRINT_LENGTH)) return null
  return [...numbers]
}

/** The refusal to look for what is like a material without a fingerprint. */
export function withoutFingerprint(id: string): AppError {
  const hint = 'Molecules have none; records of earlier versions have it after "quarry recompute".'
  const message = `The material ${JSON.stringify(id)} has no fingerprint by which like ones are found. ${hint}`
  return new AppError(RECORD_ERRORS.noFingerprint, message, { path: 'fingerprint', hint })
}

const GREATEST = 0xffff

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
