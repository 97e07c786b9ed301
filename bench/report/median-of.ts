import { median } from '../load/statistics.ts'

/** The middle of the rounds of a run: numbers are medians, lists go element by element, and the rest is as in the longest and first of them. */
export function medianOf<Value>(values: readonly [Value, ...Value[]]): Value {
  return middleOf(values) as Value
}

function middleOf(values: readonly unknown[]): unknown {
  const [first] = values
  if (values.every((value) => typeof value === 'number')) return median(values)
  if (values.every((value) => Array.isArray(value))) {
    const longest = values.reduce((one, other) => (other.length > one.length ? other : one))
    return longest.map((_, at) => middleOf(values.filter((value) => at < value.length).map((value) => value[at])))
  }
  if (!values.every(isPlainObject)) return first
  return Object.fromEntries(Object.keys(first as object).map((key) => [key, middleOf(values.map((one) => one[key]))]))
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
