import type { ExpressionNode } from '../ast/expression.ts'
import { nodesWithin } from '../expressions/nodes-within.ts'

/** The field paths that an expression names as `"$a.b"`, each once. */
export function expressionPaths(expression: ExpressionNode): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const node of nodesWithin(expression)) {
    if (node.kind !== 'path' || node.variable !== 'CURRENT' || node.parts.length === 0) continue
    paths.add(node.parts.join('.'))
  }
  return paths
}

/** The operators that compare two values. */
const COMPARISONS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp']

/** The texts that an expression compares with nothing but constants: `{"$gt":["nSites",2]}` asks nothing of a document. */
export function comparedConstants(expression: ExpressionNode): readonly string[] {
  return [...nodesWithin(expression)].flatMap((node) => {
    if (node.kind !== 'call' || !COMPARISONS.includes(node.operator)) return []
    const constants = node.args.flatMap((arg) => (arg.kind === 'literal' ? [arg.value] : []))
    return constants.length === node.args.length ? constants.filter((value) => typeof value === 'string') : []
  })
}
