import { numberFrom, readUntilNull } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { type OperatorGroup, overArgumentsInTurn } from '../operator.ts'
import { numeric } from './arithmetic.ts'

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
