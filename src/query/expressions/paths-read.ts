import type { ExpressionNode } from '../ast/expression.ts'

/** An expression and all that it is made of, each before its own parts. */
export function* nodesWithin(node: ExpressionNode): Generator<ExpressionNode> {
  yield node
  for (const part of partsOf(node)) yield* nodesWithin(part)
}

function partsOf(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.kind) {
    case 'literal':
    case 'pattern':
    case 'path':
      return []
    case 'object':
      return node.fields.map(([, field]) => field)
    case 'array':
      return node.items
    case 'call':
      return node.args
  }
}

/** Paths, each once, at which an expression looks into a document; null: at all of it. Another `CURRENT`, of `$let`, adds one too many. */
export function pathsRead(expression: ExpressionNode): readonly (readonly string[])[] | null {
  const paths = new Map<string, readonly string[]>()
  for (const node of nodesWithin(expression)) {
    if (node.kind !== 'path' || (node.variable !== 'CURRENT' && node.variable !== 'ROOT')) continue
    if (node.parts.length === 0) return null
    paths.set(node.parts.join('.'), node.parts)
  }
  return [...paths.values()]
}
