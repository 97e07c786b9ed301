import { warning } from '../../kernel/warnings.ts'
import { type ExpressionNode, nodesWithin } from '../ast/expression.ts'
import type { ExprNode } from '../ast/filter.ts'
import type { Inquiry } from './field-knowledge.ts'
import { QUERY_WARNINGS } from './warnings.ts'

/** The operators that compare two values. */
const COMPARISONS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp']

/** Warns of texts that an expression compares and that are paths of fields: `{"$gt":["$lattice.c","lattice.a"]}`. */
export function warnOfForgottenDollars(inquiry: Inquiry, { expression, place }: ExprNode): void {
  for (const node of nodesWithin(expression)) {
    if (node.kind !== 'call' || !COMPARISONS.includes(node.operator)) continue
    const others = node.args.filter(({ kind }) => kind !== 'literal')
    for (const arg of node.args) {
      if (arg.kind !== 'literal' || typeof arg.value !== 'string') continue
      const text = arg.value
      if ((inquiry.knowledge.kindsAt(text)?.size ?? 0) === 0) continue
      if (others.some((other) => mayBeText(inquiry, other, text))) continue
      const message = `"${text}" at ${place} is a text, and is compared as one: the same for every record.`
      inquiry.warnings.add(text, warning(QUERY_WARNINGS.looseOperand, place, message, `The field is "$${text}".`))
    }
  }
}

/** Tells whether what is compared may be that very text. Of what is computed, only a path with dots is taken to be never meant as one. */
function mayBeText({ knowledge }: Inquiry, node: ExpressionNode, text: string): boolean {
  const isField = node.kind === 'path' && ['CURRENT', 'ROOT'].includes(node.variable) && node.parts.length > 0
  return isField ? knowledge.hasValue(node.parts.join('.'), text) : !text.includes('.')
}
