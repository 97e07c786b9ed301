import { termsOf } from '../../accounts/session.ts'
import { EVERYTHING, type FilterNode } from '../../query/ast/filter.ts'
import type { FieldFound, FieldsFound, Survey, SurveyFound } from '../../query/ast/survey.ts'
import { planQuery } from '../../query/plan.ts'
import type { ReadTerms } from '../../store/port/record-store.ts'
import { guideOf } from '../warnings/field-guide.ts'
import type { Collection } from '../work/deps.ts'
import { ensureStarter } from './read-records.ts'

/** A survey, and the records that it is of. */
export interface AskedSurvey<Asked extends Survey> {
  readonly filter: FilterNode
  readonly survey: Asked
}

/** Tells what the records have that the session can see and a filter matches, as far as they can be looked at in the survey's time. */
export async function surveyRecords<Asked extends Survey>(
  collection: Collection,
  { filter, survey }: AskedSurvey<Asked>,
  reading: ReadTerms = termsOf(collection.session),
): Promise<SurveyFound<Asked>> {
  const { deps, kind, session } = collection
  await ensureStarter(collection, session.account)
  const plan = planQuery({ filter, sort: [], fields: null, skip: 0, limit: 1 }, kind.collection, session.scope)
  return deps.store.survey(plan, survey, reading)
}

/** A field with what its kind says of it. */
export interface DescribedField extends FieldFound {
  readonly title: string | null
  readonly unit: string | null
}

export type DescribedFields = Omit<FieldsFound, 'kind' | 'fields'> & { readonly fields: readonly DescribedField[] }

/** Tells which fields the records have that the session can see, and what their kind says of them. */
export async function describeFields(
  collection: Collection,
  budgetMs: number,
  reading?: ReadTerms,
): Promise<DescribedFields> {
  const { notes } = guideOf(collection.kind)
  const survey = { kind: 'fields', budgetMs } as const
  const { fields, records, exact } = await surveyRecords(collection, { filter: EVERYTHING, survey }, reading)
  const described = fields.map((field) => ({ ...field, ...(notes.get(field.path) ?? NO_NOTE) }))
  return { fields: described, records, exact }
}

const NO_NOTE = { title: null, unit: null }
