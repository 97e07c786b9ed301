import { indexVariants } from '../paths/index-variants.ts'
import type { FieldKind, FieldKnowledge } from './field-knowledge.ts'

const NOTHING: ReadonlySet<FieldKind> = new Set()

/** What visible records have at a path of a query, whatever its numeric components stand for; null when that cannot be known. */
export function pathKinds(knowledge: FieldKnowledge, parts: readonly string[]): ReadonlySet<FieldKind> | null {
  const variants = indexVariants(parts)
  if (variants === null) return null
  if (variants.length === 1) return knowledge.kindsAt(parts.join('.'))
  let all = NOTHING
  for (const variant of variants) {
    // A path of indexes alone, asked within $elemMatch, is about the elements themselves.
    const kinds = variant.length === 0 ? NOTHING : knowledge.kindsAt(variant.join('.'))
    if (kinds === null) return null
    if (kinds.size > 0) all = new Set([...all, ...kinds])
  }
  return all
}
