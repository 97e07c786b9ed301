import type { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, ownField } from '../../kernel/json.ts'
import { arrayIndexOf } from '../../query/paths.ts'
import { compareBson } from '../../query/values/compare-bson.ts'

/** Place of an operand: the path it is for, and how something there is refused. */
export interface OperandPlace {
  readonly path: readonly string[]
  /** Makes an error of a sentence about the path, and what to do. */
  readonly refusal: (message: string, hint: string) => AppError
}

const MODIFIERS = ['$each', '$position', '$sort', '$slice']
const EXAMPLE = 'For example {"$push":{"tags":{"$each":["a","b"],"$position":0,"$slice":10}}}.'

type Refuse = OperandPlace['refusal']
type ElementComparison = (one: Json, other: Json) => number

/** Reads what `$push` puts into a list, a value or with `$each` several: at `$position`, then in the order of `$sort`, then cut to `$slice`. */
export function pushedTo(operand: Json, { refusal }: OperandPlace): (list?: readonly Json[]) => readonly Json[] {
  const hasModifiers = isJsonObject(operand) && Object.keys(operand).some((key) => key.startsWith('$'))
  if (!hasModifiers) return (list = []) => [...list, operand]
  const unknown = Object.keys(operand).find((key) => !MODIFIERS.includes(key))
  if (unknown !== undefined) throw refusal(`does not know ${JSON.stringify(unknown)} beside $each`, EXAMPLE)
  const values = ownField(operand, '$each')
  if (!isJsonArray(values)) throw refusal('takes $position, $sort and $slice beside {"$each":[…]} alone', EXAMPLE)
  const position = readWhole(ownField(operand, '$position'), '$position', refusal) ?? Number.POSITIVE_INFINITY
  const slice = readWhole(ownField(operand, '$slice'), '$slice', refusal)
  const order = readOrder(ownField(operand, '$sort'), refusal)
  return (list = []) => {
    const at = Math.min(position < 0 ? Math.max(0, list.length + position) : position, list.length)
    const pushed = [...list.slice(0, at), ...values, ...list.slice(at)]
    if (order !== null) pushed.sort(order)
    if (slice === undefined) return pushed
    return slice < 0 ? pushed.slice(slice) : pushed.slice(0, slice)
  }
}

function readWhole(value: Json | undefined, name: string, refusal: Refuse): number | undefined {
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value))) return value
  throw refusal(`takes a whole number for ${name}`, EXAMPLE)
}

/** Elements as a whole, or by fields of those that are objects; what lacks a field is null there. */
function readOrder(sort: Json | undefined, refusal: Refuse): ElementComparison | null {
  if (sort === undefined) return null
  if (isDirection(sort)) return (one, other) => sort * compareBson(one, other)
  const keys = isJsonObject(sort) ? Object.entries(sort) : []
  const orders = keys.map(([path, direction]): ElementComparison => {
    if (!isDirection(direction) || path.split('.').includes('')) throw refusal(SORTS, EXAMPLE)
    const parts = path.split('.')
    return (one, other) => direction * compareBson(fieldAt(one, parts), fieldAt(other, parts))
  })
  if (orders.length === 0) throw refusal(SORTS, EXAMPLE)
  return (one, other) => orders.reduce((order, next) => order || next(one, other), 0)
}

const SORTS = 'takes for $sort 1 or -1, or {"field":1} for fields of the elements'

function isDirection(value: Json): value is 1 | -1 {
  return value === 1 || value === -1
}

function fieldAt(element: Json, parts: readonly string[]): Json {
  let found: Json | undefined = isJsonArray(element) ? undefined : element
  for (const part of parts) {
    if (isJsonArray(found)) found = found[arrayIndexOf(part)]
    else found = isJsonObject(found) ? ownField(found, part) : undefined
  }
  return found ?? null
}
