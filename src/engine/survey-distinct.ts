import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/filter.ts'
import type { DistinctFound, DistinctSurvey } from '../query/ast/survey.ts'
import { childOf, type PathStep, pathSteps, type Root } from '../query/paths.ts'
import { compareBson } from '../query/values/compare-bson.ts'
import type { Kind } from './column-parts.ts'
import { type SurveyQuestion, unclearRows } from './count-records.ts'
import { FirstValues } from './first-values.ts'
import { countOrdinals, scalarOrdinals } from './ordinal-counts.ts'
import { DOCUMENT_STEPS, type EngineWork } from './page-documents.ts'
import { boundOf, type ValueDictionary } from './value-dictionary.ts'
import { takeRecords } from './value-rows.ts'

/** Kinds of values that a column does not have: objects and arrays are values too. */
const WITHOUT_VALUE: readonly Kind[] = ['object', 'nested', 'vector', 'unknown']

/** Lists the different values at a path of all records that match, a page of them: by dictionaries, and by documents where columns do not tell. */
export function* surveyDistinct(question: SurveyQuestion, survey: DistinctSurvey): EngineWork<DistinctFound> {
  const { spend } = question
  const { path, after } = survey
  const values = new FirstValues(survey, spend)
  const valuesOf = distinctValuesAt(path, spend)
  const { records } = yield* takeRecords(question, {
    paths: [path],
    unclearIn: (source) => unclearRows(source, path, WITHOUT_VALUE),
    takeRows(rows, [column]) {
      if (column === null || column === undefined) return
      const { dictionary } = column
      const mask = scalarOrdinals(dictionary)
      const { counts } = countOrdinals(column, rows, mask)
      spend(counts.length)
      // A dictionary is in the order of the page, so that of each only what is next has to be looked at.
      for (let ordinal = ordinalBehind(dictionary, after); ordinal < counts.length; ordinal++) {
        const count = counts[ordinal] as number
        if (count > 0 && mask[ordinal] === 1 && !values.add(dictionary.valueAt(ordinal) as Json, count)) return
      }
    },
    takeDocument(document) {
      for (const value of valuesOf(document)) values.add(value, 1)
    },
  })
  return values.found(records)
}

/** The first ordinal that can come behind a value, or one before it. */
function ordinalBehind(dictionary: ValueDictionary, after: Json | undefined): number {
  if (after === undefined) return 0
  if (typeof after === 'object' && after !== null) return dictionary.ordinalsOf('string')[1]
  return dictionary.ordinalFrom(boundOf(after), true)
}

/**
 * Prepares reading the values that a document has at a path, each once, as MongoDB's `distinct` finds them: an array on the way
 * is searched element by element, or by its index where the path has a number next; one at the end is opened, once.
 * https://www.mongodb.com/docs/manual/reference/command/distinct/
 */
export function distinctValuesAt(
  { parts }: FieldPath,
  spend: (steps: number) => void,
): (document: JsonObject) => readonly Json[] {
  const steps = pathSteps(parts)
  return (document) => {
    const found: Json[] = []
    collect(document, steps, 0, found)
    if (found.length < 2) return found
    spend(found.length * DOCUMENT_STEPS)
    found.sort(compareBson)
    return found.filter((value, at) => at === 0 || compareBson(found[at - 1], value) !== 0)
  }
}

function collect(container: Root, steps: readonly PathStep[], at: number, found: Json[]): void {
  const value = childOf(container, steps[at] as PathStep)
  const next = steps[at + 1]
  if (value === undefined) return
  if (next === undefined) {
    // -0 and 0 are one value.
    for (const one of isJsonArray(value) ? value : [value]) found.push(one === 0 ? 0 : one)
  } else if (isJsonObject(value)) collect(value, steps, at + 1, found)
  else if (!isJsonArray(value)) return
  else if (next.index >= 0) collect(value, steps, at + 1, found)
  else for (const element of value) if (isJsonObject(element)) collect(element, steps, at + 1, found)
}
