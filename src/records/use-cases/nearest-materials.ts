import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import { readVectorText } from '../../kernel/whole-vector.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import type { NearestFound, NearestSurvey } from '../../query/ast/survey.ts'
import { planQuery } from '../../query/plan.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import { FINGERPRINT_LENGTH } from '../../structure/matching/fingerprint.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import type { RecordDeps } from '../work/deps.ts'

/** Fields that are told of a similar material. */
const SUMMARY = ['_id', 'name', 'formula', 'nSites', 'spaceGroup', 'prototype', 'isPublic', 'owner']
const PATH = { text: 'fingerprint', parts: ['fingerprint'] } as const

/** The fields by which like materials are found. */
export const LIKENESS = materialKind.likeness ?? []
/** Milliseconds on a processor: what looking at records may take, and what comparing candidates may. */
export const BUDGET_MS = 2_000

/** Context of a search. */
export interface Looking {
  readonly deps: Pick<RecordDeps, 'store' | 'work'>
  readonly session: Pick<Session, 'scope'> & {
    readonly user: { readonly id: string }
    readonly origin: { readonly request: string | null }
  }
  readonly reading?: ReadTerms | undefined
  readonly budgetMs?: number
}

type Asked = Pick<NearestSurvey, 'to' | 'within' | 'limit'> & { readonly filter: FilterNode }

/** Finds the materials that match a filter and whose fingerprints are nearest to one. */
export function nearestTo(
  { deps, session, reading, budgetMs = BUDGET_MS }: Looking,
  { filter, ...terms }: Asked,
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
  return new AppError(
    RECORD_ERRORS.noFingerprint,
    `The material ${JSON.stringify(id)} has no fingerprint by which like ones are found. ${hint}`,
    { path: 'fingerprint', hint },
  )
}
