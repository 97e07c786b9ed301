import type { ExpressionValue } from '../../values/expression-value.ts'
import { dateAt, wholeMilliseconds } from '../dates/date-arguments.ts'
import { type CallSite, describe, integerFrom, numberFrom, readUntilNull } from '../language/arguments.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overArgumentsInTurn,
  overOne,
} from '../language/operator.ts'
import { isNullish } from '../language/read-value.ts'

/** The most digits that `Number.toFixed` writes; every double that could be a tie is exact well within them. */
const MAX_DIGITS = 100

/** Rounds the exact value to decimal places (negative: tens, hundreds); a tie goes to the even digit. 1.005 is less than it looks: 1. */
export function roundHalfEven(value: number, place: number): number {
  if (!Number.isFinite(value)) return value
  const rounded = place < 0 ? roundWhole(Math.abs(value), -place) : roundDecimals(Math.abs(value), place)
  return value < 0 ? -rounded : rounded
}

/** Cuts off the digits after a decimal place, or with a negative `place` before the point. */
export function truncateAt(value: number, place: number): number {
  if (!Number.isFinite(value)) return value
  const size = Math.abs(value)
  const cut = place < 0 ? truncateWhole(size, -place) : Number(cutDecimals(size, place))
  return value < 0 ? -cut : cut
}

function roundDecimals(size: number, place: number): number {
  if (Number.isInteger(size)) return size
  const tail = size.toFixed(MAX_DIGITS).split('.')[1]?.slice(place) ?? ''
  const isTie = /^50*$/.test(tail)
  const below = cutDecimals(size, place)
  const lastDigit = Number(below.at(-1))
  return isTie && lastDigit % 2 === 0 ? Number(below) : Number(size.toFixed(place))
}

function cutDecimals(size: number, place: number): string {
  if (Number.isInteger(size)) return String(size)
  const [whole = '0', decimals = ''] = size.toFixed(MAX_DIGITS).split('.')
  return place === 0 ? whole : `${whole}.${decimals.slice(0, place)}`
}

function roundWhole(size: number, zeros: number): number {
  const unit = 10n ** BigInt(zeros)
  const whole = BigInt(Math.trunc(size))
  const below = (whole / unit) * unit
  const twiceRest = (whole - below) * 2n
  const isAboveHalf = twiceRest > unit || (twiceRest === unit && !Number.isInteger(size))
  const isTieToOdd = twiceRest === unit && (below / unit) % 2n === 1n
  return Number(isAboveHalf || isTieToOdd ? below + unit : below)
}

function truncateWhole(size: number, zeros: number): number {
  const unit = 10n ** BigInt(zeros)
  return Number((BigInt(Math.trunc(size)) / unit) * unit)
}

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

export function numeric(compute: (x: number, site: CallSite) => number): ExpressionOperator {
  return overOne((value, site) => (isNullish(value) ? null : compute(numberFrom(value, site), site)))
}

function binary(compute: (a: number, b: number, site: CallSite) => number): ExpressionOperator {
  return overArguments(2, 2, ([a, b], site) => {
    if (isNullish(a) || isNullish(b)) return null
    return compute(numberFrom(a, site, 'first argument'), numberFrom(b, site, 'second argument'), site)
  })
}

/** Adds from left to right, as MongoDB does; only `$sum` keeps account of rounding errors. Beside a date, milliseconds are whole. */
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

const DEGREES_PER_RADIAN = 180 / Math.PI

/** Trigonometry, in radians. */
export const TRIGONOMETRY_OPERATORS: OperatorGroup = {
  $acos: numeric((x, site) => Math.acos(within(x, -1, 1, site))),
  $acosh: numeric((x, site) => Math.acosh(within(x, 1, Number.POSITIVE_INFINITY, site))),
  $asin: numeric((x, site) => Math.asin(within(x, -1, 1, site))),
  $asinh: numeric((x) => Math.asinh(x)),
  $atan: numeric((x) => Math.atan(x)),
  $atan2: overArgumentsInTurn(2, 2, (values, site) => {
    const [y, x] = readUntilNull(values, (value) => numberFrom(value, site)) ?? []
    return y === undefined || x === undefined ? null : Math.atan2(y, x)
  }),
  $atanh: numeric((x, site) => Math.atanh(within(x, -1, 1, site))),
  $cos: numeric((x, site) => Math.cos(finite(x, site))),
  $cosh: numeric((x) => Math.cosh(x)),
  $degreesToRadians: numeric((x) => x / DEGREES_PER_RADIAN),
  $radiansToDegrees: numeric((x) => x * DEGREES_PER_RADIAN),
  $sin: numeric((x, site) => Math.sin(finite(x, site))),
  $sinh: numeric((x) => Math.sinh(x)),
  $tan: numeric((x, site) => Math.tan(finite(x, site))),
  $tanh: numeric((x) => Math.tanh(x)),
}

function within(x: number, least: number, most: number, site: CallSite): number {
  if ((x >= least && x <= most) || Number.isNaN(x)) return x
  throw site.fail(`needs a number from ${least} to ${most}, given the number ${x}`)
}

function finite(x: number, site: CallSite): number {
  if (Number.isFinite(x) || Number.isNaN(x)) return x
  throw site.fail(`needs a finite number, given the number ${x}`)
}

/** The bitwise operators over integers in two's complement; null or a missing field in, null out. */
export const BITS_OPERATORS: OperatorGroup = {
  $bitAnd: bitwise(-1n, (a, b) => a & b),
  $bitNot: overOne((value, site) => (isNullish(value) ? null : -integerFrom(value, site) - 1)),
  $bitOr: bitwise(0n, (a, b) => a | b),
  $bitXor: bitwise(0n, (a, b) => a ^ b),
}

function bitwise(start: bigint, combine: (a: bigint, b: bigint) => bigint): ExpressionOperator {
  return overArgumentsInTurn(0, Number.POSITIVE_INFINITY, (values, site) => {
    const integers = readUntilNull(values, (value) => BigInt(integerFrom(value, site)))
    return integers === null ? null : Number(integers.reduce(combine, start))
  })
}
