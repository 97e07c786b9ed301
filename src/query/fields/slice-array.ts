import type { Json } from '../../kernel/json.ts'

/**
 * Takes `limit` elements from `skip` on; without `skip`, the first or (negative) the last `limit`. A negative `skip`
 * counts from the end and stops at the start. https://www.mongodb.com/docs/manual/reference/operator/projection/slice/
 */
export function sliceArray<T = Json>(array: readonly T[], skip: number | null, limit: number): readonly T[] {
  if (skip === null) return limit >= 0 ? array.slice(0, limit) : array.slice(Math.max(0, array.length + limit))
  const from = skip >= 0 ? skip : Math.max(0, array.length + skip)
  return array.slice(from, from + limit)
}
