import type { ExpressionNode } from '../ast/expression.ts'
import { nodesWithin } from './nodes-within.ts'

/**
 * The paths, each once and as its parts, at which an expression looks into a document; null where it takes the whole document for a value.
 * A path that begins at another `CURRENT`, which `$let` can make, is told as if it began at the document: one too many.
 */
export function pathsRead(expression: ExpressionNode): readonly (readonly string[])[] | null {
  const paths = new Map<string, readonly string[]>()
  for (const node of nodesWithin(expression)) {
    if (node.kind !== 'path' || (node.variable !== 'CURRENT' && node.variable !== 'ROOT')) continue
    if (node.parts.length === 0) return null
    paths.set(node.parts.join('.'), node.parts)
  }
  return [...paths.values()]
}
