import type { Json } from '../../../kernel/json.ts'
import type { ExpressionNode, ExpressionValue } from '../../ast/expression.ts'
import { show } from '../../parse/parse-context.ts'
import { describe } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { CONVERSIONS, type ConversionTarget, conversionTarget } from '../convert.ts'
import { evaluateNode } from '../evaluate.ts'
import { type ExpressionOperator, type OperatorGroup, overOne, readNamed } from '../operator.ts'
import { isNullish, typeName } from '../read-value.ts'
import { spend, stepsToRead } from '../work-meter.ts'

/** Types and conversions. The number types differ in what they let through; all of them are JSON numbers. */
export const TYPE_OPERATORS: OperatorGroup = {
  $convert: parseConvert,
  $isNumber: overOne((value) => typeof value === 'number'),
  $toBool: convertingTo('bool'),
  $toDate: convertingTo('date'),
  $toDecimal: convertingTo('decimal'),
  $toDouble: convertingTo('double'),
  $toInt: convertingTo('int'),
  $toLong: convertingTo('long'),
  $toString: convertingTo('string'),
  $type: overOne((value) => typeName(value)),
}

function convertingTo(target: ConversionTarget): ExpressionOperator {
  return overOne((value, site) => (isNullish(value) ? null : convert(value, target, site)))
}

function convert(value: ExpressionValue, target: ConversionTarget, site: CallSite): ExpressionValue {
  const converted = CONVERSIONS[target](value)
  if (converted !== undefined) return converted
  const given = typeof value === 'string' ? `the string ${show(value)}` : describe(value)
  throw site.fail(`cannot convert ${given} to ${target}`, 'Use $convert with onError to go on without it.')
}

function parseConvert(operand: Json, site: CallSite): ReturnType<ExpressionOperator> {
  const named = readNamed(operand, site, ['input', 'to'], ['onError', 'onNull'])
  const optional = (name: 'onError' | 'onNull') => {
    const json = named[name]
    return json === undefined ? null : site.parse(json, name)
  }
  const input = site.parse(named.input, 'input')
  const to = site.parse(named.to, 'to')
  const [onError, onNull] = [optional('onError'), optional('onNull')]
  if (to.kind === 'literal') readTarget(to.value, site.refuse.bind(site))
  return (environment) => {
    const value = evaluateNode(input, environment)
    spend(environment, 1 + stepsToRead(value), site.place)
    if (isNullish(value)) return orNull(onNull)
    const target = readTarget(evaluateNode(to, environment), site.fail.bind(site))
    if (target === null) return null
    const converted = CONVERSIONS[target](value)
    if (converted !== undefined) return converted
    return onError === null ? convert(value, target, site) : evaluateNode(onError, environment)

    function orNull(node: ExpressionNode | null): ExpressionValue {
      return node === null ? null : evaluateNode(node, environment)
    }
  }
}

function readTarget(value: ExpressionValue, refuse: (problem: string) => Error): ConversionTarget | null {
  if (isNullish(value)) return null
  const target = conversionTarget(value)
  if (target !== null) return target
  throw refuse(`cannot convert to ${show(value)}; it knows ${Object.keys(CONVERSIONS).join(', ')}`)
}
