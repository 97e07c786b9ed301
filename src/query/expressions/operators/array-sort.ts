import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import { compareSortKeys } from '../../order/compare-sort-keys.ts'
import { sortKeyOf } from '../../order/sort-key.ts'
import { show } from '../../parse/parse-context.ts'
import { parseSort } from '../../parse/parse-sort.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { plainValue } from '../../values/extended-json.ts'
import { arrayFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { comparing } from '../compare-values.ts'
import { toArgument } from '../expression-context.ts'
import { type ExpressionOperator, type One, type OperatorGroup, readNamed } from '../operator.ts'
import type { ParseSite } from '../parse-site.ts'
import { isNullish, isPlainObject } from '../read-value.ts'
import { spend } from '../work-meter.ts'

type Elements = readonly ExpressionValue[]

/** By the elements themselves, in a direction; or by their fields, with keys as those of a list. */
type ElementOrder = 1 | -1 | readonly ElementKey[]
type ElementKey = {
  readonly path: { readonly text: string; readonly parts: readonly string[] }
  readonly direction: 1 | -1
}

const sortArray: ExpressionOperator<One, ElementOrder> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['input', 'sortBy'], [])
    const input = site.parse(named.input, 'input')
    const sortBy = plainValue(named.sortBy, site.context)
    return { args: [input], constants: isJsonObject(sortBy) ? parseKeys(sortBy, site) : directionOf(sortBy, site) }
  },
  compile:
    ([input], order, site) =>
    (environment) => {
      const value = input(environment)
      spend(environment, 1, site.place)
      if (isNullish(value)) return null
      const array = arrayFrom(value, site, 'input')
      spend(environment, array.length * Math.ceil(Math.log2(array.length + 1)), site.place)
      if (typeof order !== 'number') return sortByFields(array, order, site)
      const compare = comparing(environment, site.place)
      return array.toSorted((a, b) => compare(a, b) * order)
    },
}

/** Sorting within a document. */
export const ARRAY_SORT_OPERATORS: OperatorGroup = { $sortArray: sortArray }

function directionOf(json: Json, site: ParseSite): 1 | -1 {
  if (json === 1 || json === -1) return json
  throw site.refuse(`needs 1, -1 or an object such as {"a":1} as sortBy, given ${show(json)}`)
}

function parseKeys(json: JsonObject, site: ParseSite): readonly ElementKey[] {
  const sort = parseSort(json, toArgument(site.context, 'sortBy'))
  if (sort.length === 0) throw site.refuse('needs a field to sort by')
  return sort.map(({ path, direction }) => ({ path: { ...path }, direction }))
}

/** Elements that are no objects have none of the fields and sort as null. */
function sortByFields(array: Elements, sort: readonly ElementKey[], { place }: CallSite): Elements {
  const keyOf = (element: ExpressionValue) =>
    sortKeyOf((isPlainObject(element) ? element : {}) as JsonObject, sort, `${place}.sortBy`)
  return array
    .map((element) => ({ element, key: keyOf(element) }))
    .toSorted((a, b) => compareSortKeys(a.key, b.key, sort))
    .map(({ element }) => element)
}
