import { compareBson } from '../query/values/compare-bson.ts'
import type { Working } from './page-question.ts'
import { type PathQuestion, type Scalar, type Tally, tallyValues } from './tally-values.ts'

/** How many records match, how many of them have nothing that is counted, and how many rows were read as documents. */
export type CountedRecords = Omit<Tally<unknown>, 'counts'>

/** The distinct scalars at a path in BSON order, each with the number of records that have it. */
export interface ValueCounts extends CountedRecords {
  readonly values: readonly { readonly value: Scalar; readonly count: number }[]
}

/** Counts the records that match by the scalars that they have at a path (facets). Null: there are more than `most` of these. */
export function* countValues(question: PathQuestion, most: number): Working<ValueCounts | null> {
  const seen = new Set<Scalar>()
  const tooMany = new Error('more values than are counted')
  const classOf = (value: Scalar): Scalar => {
    seen.add(value)
    if (seen.size > most) throw tooMany
    return value
  }
  try {
    const { counts, ...records } = yield* tallyValues(question, classOf)
    const values = [...counts].map(([value, count]) => ({ value, count }))
    return { values: values.sort((a, b) => compareBson(a.value, b.value)), ...records }
  } catch (error) {
    if (error === tooMany) return null
    throw error
  }
}
