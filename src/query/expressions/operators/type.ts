import { show } from '../../parse/parse-context.ts'
import { compilePattern } from '../../patterns/compile-pattern.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { describe } from '../arguments.ts'
import type { NamedInTurn } from '../arguments-in-turn.ts'
import type { CallSite } from '../call-site.ts'
import { CONVERSIONS, type ConversionTarget, conversionTarget } from '../convert.ts'
import { type ExpressionOperator, type OperatorGroup, overNamedInTurn, overOne } from '../operator.ts'
import { isNullish, typeName } from '../read-value.ts'

/** Types and conversions. The number types differ in what they let through; all of them are JSON numbers. */
export const TYPE_OPERATORS: OperatorGroup = {
  $convert: overNamedInTurn(['input', 'to'], ['onError', 'onNull'], convertAsAsked, ({ to }, site) => {
    // A target that is written out is looked at when the query is read.
    if (to?.kind === 'literal') readTarget(to.value, site.refuse.bind(site))
    if (to?.kind === 'pattern') readTarget(compilePattern(to.pattern), site.refuse.bind(site))
  }),
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

function convertAsAsked(given: NamedInTurn<'input' | 'to' | 'onError' | 'onNull'>, site: CallSite): ExpressionValue {
  const [to, value] = [given.value('to'), given.value('input')]
  if (isNullish(value)) return given.gives('onNull') ? given.value('onNull') : null
  const target = readTarget(to, site.fail.bind(site))
  if (target === null) return null
  const converted = CONVERSIONS[target](value)
  if (converted !== undefined) return converted
  return given.gives('onError') ? given.value('onError') : convert(value, target, site)
}

function readTarget(value: ExpressionValue, refuse: (problem: string) => Error): ConversionTarget | null {
  if (isNullish(value)) return null
  const target = conversionTarget(value)
  if (target !== null) return target
  throw refuse(`cannot convert to ${show(value)}; it knows ${Object.keys(CONVERSIONS).join(', ')}`)
}
