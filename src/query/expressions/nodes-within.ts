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
