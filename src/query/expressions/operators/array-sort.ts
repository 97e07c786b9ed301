import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import type { ExpressionValue } from '../../ast/expression.ts'
import { compareSortKeys } from '../../order/compare-sort-keys.ts'
import { sortKeyOf } from '../../order/sort-key.ts'
import { show } from '../../parse/parse-context.ts'
import { parseSort } from '../../parse/parse-sort.ts'
import { plainValue } from '../../values/extended-json.ts'
import { arrayFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { comparing } from '../compare-values.ts'
import { evaluateNode } from '../evaluate.ts'
import { toArgument } from '../expression-context.ts'
import { type OperatorGroup, readNamed } from '../operator.ts'
import { isNullish, isPlainObject } from '../read-value.ts'
import { spend } from '../work-meter.ts'

type Elements = readonly ExpressionValue[]

/** Sorting within a document. */
export const ARRAY_SORT_OPERATORS: OperatorGroup = {
  $sortArray: (operand, site) => {
    const named = readNamed(operand, site, ['input', 'sortBy'], [])
    const input = site.parse(named.input, 'input')
    const sortBy = plainValue(named.sortBy, site.context)
    const byFields = isJsonObject(sortBy) ? sorterByFields(sortBy, site) : null
    const direction = byFields === null ? directionOf(sortBy, site) : 1
    return (environment) => {
      const value = evaluateNode(input, environment)
      spend(environment, 1, site.place)
      if (isNullish(value)) return null
      const array = arrayFrom(value, site, 'input')
      spend(environment, array.length * Math.ceil(Math.log2(array.length + 1)), site.place)
      if (byFields !== null) return byFields(array)
      const compare = comparing(environment, site.place)
      return array.toSorted((a, b) => compare(a, b) * direction)
    }
  },
}

function directionOf(json: Json, site: CallSite): 1 | -1 {
  if (json === 1 || json === -1) return json
  throw site.refuse(`needs 1, -1 or an object such as {"a":1} as sortBy, given ${show(json)}`)
}

/** Elements that are no objects have none of the fields and sort as null. */
function sorterByFields(json: JsonObject, site: CallSite): (array: Elements) => Elements {
  const context = toArgument(site.context, 'sortBy')
  const sort = parseSort(json, context)
  if (sort.length === 0) throw site.refuse('needs a field to sort by')
  const keyOf = (element: ExpressionValue) =>
    sortKeyOf((isPlainObject(element) ? element : {}) as JsonObject, sort, context.place)
  return (array) =>
    array
      .map((element) => ({ element, key: keyOf(element) }))
      .toSorted((a, b) => compareSortKeys(a.key, b.key, sort))
      .map(({ element }) => element)
}
