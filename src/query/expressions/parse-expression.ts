import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import type { ExpressionNode } from '../ast/expression.ts'
import { countClause, insideOperator, type ParseContext, refusal, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { isSpecialLiteral, readSpecialLiteral } from '../patterns/parse-literal.ts'
import {
  assertVariable,
  type ExpressionContext,
  expressionContext,
  ParseSite,
  toArgument,
} from './language/expression-context.ts'
import { EXPRESSION_OPERATORS, REFUSED_EXPRESSIONS } from './registry.ts'

/** Reads an aggregation expression: literals, `$field.path`, `$$variable`, objects, arrays and operators. */
export function parseExpression(json: Json, context: ParseContext): ExpressionNode {
  return parseNode(json, expressionContext(context))
}

function parseNode(json: Json, context: ExpressionContext): ExpressionNode {
  if (typeof json === 'string') return parseText(json, context)
  if (isJsonArray(json)) return parseArray(json, context)
  return isJsonObject(json) ? parseObject(json, context) : { kind: 'literal', value: json }
}

function parseText(text: string, context: ExpressionContext): ExpressionNode {
  if (!text.startsWith('$')) return { kind: 'literal', value: text }
  const isVariable = text.startsWith('$$')
  const parts = text.slice(isVariable ? 2 : 1).split('.')
  if (parts.some((part) => part === '' || part.startsWith('$')) || parts.length > context.bounds.maxDepth) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidExpression,
      `${show(text)} at ${context.place} is no field path.`,
      'Write "$lattice.a" for a field, "$$name" for a variable, {"$literal":"$5"} for the text itself.',
    )
  }
  const { place } = context
  if (!isVariable) return { kind: 'path', variable: 'CURRENT', parts, place }
  const [variable = '', ...rest] = parts
  assertVariable(variable, context)
  return { kind: 'path', variable, parts: rest, place }
}

function parseArray(items: readonly Json[], context: ExpressionContext): ExpressionNode {
  const nodes = items.map((item, index) => parseNode(item, toArgument(context, index)))
  return { kind: 'array', items: nodes, place: context.place }
}

function parseObject(json: JsonObject, context: ExpressionContext): ExpressionNode {
  if (isSpecialLiteral(json)) return readSpecialLiteral(json, context)
  const keys = Object.keys(json)
  const operator = keys.find((key) => key.startsWith('$'))
  if (operator === undefined) return parseFields(json, context)
  if (keys.length === 1) return parseCall(operator, json[operator] ?? null, context)
  throw refusal(
    context,
    QUERY_ERRORS.invalidExpression,
    `The object at ${context.place} has the operator ${show(operator)} and other keys.`,
    'An operator is the only key of its object.',
  )
}

function parseFields(json: JsonObject, context: ExpressionContext): ExpressionNode {
  const fields = Object.entries(json).map(([name, value]) => {
    const at = toArgument(context, name)
    if (name === '' || name.includes('.')) {
      throw refusal(at, QUERY_ERRORS.invalidExpression, `${show(name)} at ${context.place} is no plain field name.`)
    }
    return [name, parseNode(value, at)] as const
  })
  return { kind: 'object', fields, place: context.place }
}

function parseCall(operator: string, operand: Json, context: ExpressionContext): ExpressionNode {
  const at = insideOperator(toArgument(context, operator))
  countClause(at)
  const known = EXPRESSION_OPERATORS.get(operator)
  if (known === undefined) throw refuseOperator(operator, context, at)
  const { args, constants } = known.parse(operand, new ParseSite(operator, at, parseNode))
  return { kind: 'call', operator, args, constants, place: at.place }
}

function refuseOperator(operator: string, parent: ExpressionContext, at: ExpressionContext): Error {
  const reason = REFUSED_EXPRESSIONS.get(operator)
  if (reason !== undefined) {
    const message = `The expression operator ${operator} at ${parent.place} is not supported.`
    return refusal(at, QUERY_ERRORS.unsupportedExpression, message, reason)
  }
  const nearest = nearestName(operator, EXPRESSION_OPERATORS.keys())
  return refusal(
    at,
    QUERY_ERRORS.unknownExpression,
    `Unknown expression operator ${show(operator)} at ${parent.place}.`,
    nearest === null ? undefined : `Did you mean ${nearest}?`,
  )
}
