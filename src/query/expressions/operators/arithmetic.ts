import type { ExpressionValue } from '../../values/expression-value.ts'
import { describe, integerFrom, numberFrom, readUntilNull } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { dateAt, wholeMilliseconds } from '../dates/date-arguments.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overArgumentsInTurn,
  overOne,
} from '../operator.ts'
import { isNullish } from '../read-value.ts'
import { roundHalfEven, truncateAt } from '../round-half-even.ts'

/** Arithmetic; null or a missing field in, null out. */
export const ARITHMETIC_OPERATORS: OperatorGroup = {
  $abs: numeric((x) => Math.abs(x)),
  $add: overArgumentsInTurn(0, Number.POSITIVE_INFINITY, add),
  $ceil: numeric((x) => Math.ceil(x)),
  $divide: binary((a, b, site) => {
    if (b === 0) throw site.fail('cannot divide by zero')
    return a / b
  }),
  $exp: numeric((x) => Math.exp(x)),
  $floor: numeric((x) => Math.floor(x)),
  $ln: numeric((x, site) => Math.log(positive(x, site))),
  $log: binary((x, base, site) => {
    if (!(base > 0) || base === 1) throw site.fail(`needs a positive base other than 1, given the number ${base}`)
    return logarithm(positive(x, site), base)
  }),
  $log10: numeric((x, site) => Math.log10(positive(x, site))),
  $mod: binary((a, b, site) => {
    if (b === 0) throw site.fail('cannot divide by zero')
    return a % b
  }),
  $multiply: overArgumentsInTurn(0, Number.POSITIVE_INFINITY, (values, site) => {
    const factors = readUntilNull(values, (value) => numberFrom(value, site))
    return factors === null ? null : factors.reduce((x, y) => x * y, 1)
  }),
  $pow: binary((base, exponent, site) => {
    if (base === 0 && exponent < 0) throw site.fail('cannot raise 0 to a negative exponent')
    return base ** exponent
  }),
  $round: toPlace(roundHalfEven),
  $sqrt: numeric((x, site) => {
    if (x < 0) throw site.fail(`needs a number that is not negative, given the number ${x}`)
    return Math.sqrt(x)
  }),
  $subtract: overArguments(2, 2, ([a, b], site) => subtract(a, b, site)),
  $trunc: toPlace(truncateAt),
}

/** An operator over one number. */
export function numeric(compute: (x: number, site: CallSite) => number): ExpressionOperator {
  return overOne((value, site) => (isNullish(value) ? null : compute(numberFrom(value, site), site)))
}

/** An operator over two numbers. */
function binary(compute: (a: number, b: number, site: CallSite) => number): ExpressionOperator {
  return overArguments(2, 2, ([a, b], site) => {
    if (isNullish(a) || isNullish(b)) return null
    return compute(numberFrom(a, site, 'first argument'), numberFrom(b, site, 'second argument'), site)
  })
}

/**
 * Adds from left to right, as MongoDB does; only `$sum` keeps account of the rounding errors. What comes before a date is added up
 * and made whole milliseconds, what comes after it is made so number by number.
 */
function add(values: Iterable<ExpressionValue>, site: CallSite): ExpressionValue {
  let sum = 0
  let instant: number | null = null
  for (const value of values) {
    if (isNullish(value)) return null
    if (value instanceof Date) {
      if (instant !== null) throw site.fail('can add one date only')
      instant = value.getTime() + wholeMilliseconds(sum)
    } else if (instant !== null) instant += wholeMilliseconds(numberFrom(value, site))
    else sum += numberFrom(value, site)
  }
  return instant === null ? sum : dateAt(instant, site)
}

function subtract(a: ExpressionValue, b: ExpressionValue, site: CallSite): ExpressionValue {
  if (isNullish(a) || isNullish(b)) return null
  if (a instanceof Date) {
    if (b instanceof Date) return a.getTime() - b.getTime()
    return dateAt(a.getTime() - wholeMilliseconds(numberFrom(b, site)), site)
  }
  if (typeof a === 'string' || typeof b === 'string') {
    throw site.fail(`needs numbers or dates, given ${describe(typeof a === 'string' ? a : b)}`, 'Convert with $toDate.')
  }
  return numberFrom(a, site, 'first argument') - numberFrom(b, site, 'second argument')
}

function positive(x: number, site: CallSite): number {
  if (x > 0 || Number.isNaN(x)) return x
  throw site.fail(`needs a positive number, given the number ${x}`)
}

/** Bases whose logarithms JavaScript knows exactly. */
function logarithm(x: number, base: number): number {
  if (base === 2) return Math.log2(x)
  return base === 10 ? Math.log10(x) : Math.log(x) / Math.log(base)
}

function toPlace(compute: (x: number, place: number) => number): ExpressionOperator {
  return overArgumentsInTurn(1, 2, (values, site) => {
    const x = values.at(0)
    if (isNullish(x)) return null
    const number = numberFrom(x, site)
    if (values.count === 1) return compute(number, 0)
    const place = values.at(1)
    if (isNullish(place)) return null
    const digits = integerFrom(place, site, 'place')
    if (digits < -20 || digits > 100) throw site.fail(`needs a place from -20 to 100, given ${digits}`)
    return compute(number, digits)
  })
}
