import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { matcherOf } from '../../query/filter/match.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { compareBson } from '../../query/values/compare-bson.ts'
import { describeGiven } from '../schema.ts'
import { type OperandPlace, pushedTo } from './push-modifiers.ts'

/** Gives what becomes of the value at a path; undefined is none. */
export type ValueChange = (value: Json | undefined) => Json | undefined

/** Reads the operand of an update operator for one path. */
type UpdateOperator = (operand: Json, place: OperandPlace) => ValueChange

/** What updates do with one field, by MongoDB's names and meaning. `$rename` is about two. */
export const UPDATE_OPERATORS: Readonly<Record<string, UpdateOperator>> = {
  $set: (operand) => () => operand,
  $unset: () => () => undefined,
  $inc: arithmetic('$inc', { calculate: (a, b) => a + b, exactly: (a, b) => a + b }),
  $mul: arithmetic('$mul', { calculate: (a, b) => a * b, exactly: (a, b) => a * b }),
  $min: (operand) => (value) => (value === undefined || compareBson(operand, value) < 0 ? operand : value),
  $max: (operand) => (value) => (value === undefined || compareBson(operand, value) > 0 ? operand : value),
  $push: (operand, place) => onList(place, pushedTo(operand, place)),
  $addToSet: (operand, place) => {
    const values = eachOf(operand, place)
    return onList(place, (list) => withAdded(list ?? [], values))
  },
  $pop: (operand, place) => {
    if (operand !== 1 && operand !== -1) throw place.refusal('takes 1 for the last element or -1 for the first', POP)
    return onList(place, (list) => (operand === 1 ? list?.slice(0, -1) : list?.slice(1)))
  },
  $pull: (operand, place) => {
    const isPulled = pullTest(operand, place)
    return onList(place, (list) => list?.filter((element) => !isPulled(element)))
  },
  $pullAll: (operand, place) => {
    if (!isJsonArray(operand))
      throw place.refusal('takes a list of values', 'For example {"$pullAll":{"tags":["a","b"]}}.')
    return onList(place, (list) => list?.filter((element) => !includesEqual(operand, element)))
  },
}

const POP = 'For example {"$pop":{"tags":1}}.'

type ListChange = (list: readonly Json[] | undefined) => readonly Json[] | undefined

/** What is at the path and no list is refused. */
function onList({ refusal }: OperandPlace, change: ListChange): ValueChange {
  return (value) => {
    if (value === undefined || isJsonArray(value)) return change(value)
    throw refusal(`changes a list, and here is ${describeGiven(value)}`, 'Set it as a whole with $set.')
  }
}

interface Arithmetic {
  readonly calculate: (value: number, operand: number) => number
  /** The same of whole numbers, without bounds. */
  readonly exactly: (value: bigint, operand: bigint) => bigint
}

function arithmetic(name: string, { calculate, exactly }: Arithmetic): UpdateOperator {
  return (operand, { refusal }) => {
    if (typeof operand !== 'number') {
      throw refusal(`takes a number, not ${describeGiven(operand)}`, `For example {"${name}":{"metadata.runs":2}}.`)
    }
    // What is missing counts as 0.
    return (value = 0) => {
      if (typeof value !== 'number') {
        throw refusal(`changes a number, and here is ${describeGiven(value)}`, 'Set it as a whole with $set.')
      }
      const result = calculate(value, operand)
      const isWhole = Number.isInteger(value) && Number.isInteger(operand)
      const isKept = Number.isFinite(result)
      if (isKept && (!isWhole || exactly(BigInt(value), BigInt(operand)) === BigInt(result))) return result
      throw refusal(
        `would make of ${value} and ${operand} a number that cannot be kept exactly`,
        `Whole numbers are exact up to ${Number.MAX_SAFE_INTEGER}.`,
      )
    }
  }
}

/** A value, or with `$each` several. */
function eachOf(operand: Json, { refusal }: OperandPlace): readonly Json[] {
  const [key] = isJsonObject(operand) ? Object.keys(operand) : []
  if (!isJsonObject(operand) || key?.startsWith('$') !== true) return [operand]
  const values = ownField(operand, '$each')
  if (isJsonArray(values) && Object.keys(operand).length === 1) return values
  throw refusal(
    'takes a value, or {"$each":[…]} for several',
    'For example {"$addToSet":{"tags":{"$each":["checked","bulk"]}}}.',
  )
}

function withAdded(list: readonly Json[], values: readonly Json[]): readonly Json[] {
  const added = [...list]
  for (const value of values) if (!includesEqual(added, value)) added.push(value)
  return added
}

function includesEqual(list: readonly Json[], value: Json): boolean {
  return list.some((element) => equalJson(element, value))
}

/** An object is a query: on each element that is an object, or, with operators, on each element. Anything else is a value. */
function pullTest(operand: Json, { path }: OperandPlace): (element: Json) => boolean {
  if (!isJsonObject(operand)) return (element) => equalJson(element, operand)
  const name = path.at(-1) ?? ''
  const isCondition = Object.keys(operand)[0]?.startsWith('$') === true
  const place = `$pull.${path.join('.')}`
  if (!isCondition) {
    const matches = matcherOf(parseFilter(operand, undefined, place))
    return (element) => isJsonObject(element) && matches(element)
  }
  const matches = matcherOf(parseFilter({ [name]: operand }, undefined, '$pull'))
  return (element) => matches(Object.fromEntries([[name, element]]) as JsonObject)
}
