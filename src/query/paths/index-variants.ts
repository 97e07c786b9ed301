import { arrayIndexOf } from '../paths/array-index.ts'

/** The component that stands for an array directly inside an array. */
export const NESTED_ARRAY = '[]'

/** More numeric components than this make too many places to look in. */
const MAX_INDEXES = 3

/**
 * The places in the leaf index at which values of a path may be: a numeric component may be a key, an index of an array that the index
 * passes over, or an index into an array within an array. Null when there are too many.
 */
export function indexVariants(parts: readonly string[]): readonly (readonly string[])[] | null {
  const indexes = parts.filter((part) => arrayIndexOf(part) >= 0).length
  if (indexes === 0) return [parts]
  if (indexes > MAX_INDEXES) return null
  let variants: (readonly string[])[] = [[]]
  for (const part of parts) {
    const choices = arrayIndexOf(part) >= 0 ? [[part], [], [NESTED_ARRAY]] : [[part]]
    variants = variants.flatMap((variant) => choices.map((choice) => [...variant, ...choice]))
  }
  return [...new Map(variants.map((variant) => [variant.join('.'), variant])).values()]
}
