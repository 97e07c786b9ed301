import { unitText } from '../../src/page/property-words.ts'

/** Decimals that are worth reading, by the unit. */
const DECIMALS: Readonly<Record<string, number>> = {
  eV: 3,
  'eV/atom': 3,
  'eV/angstrom': 4,
  'eV/A^2': 4,
  kbar: 2,
  GPa: 1,
  uB: 3,
}
const DIGITS = 5
/** Numbers beyond these are written with a power of ten. */
const [TINY, HUGE] = [1e-4, 1e7]

/** A number with its unit, to the decimals that the unit is worth; one that they would make nothing of keeps two digits. */
export function quantityText(value: number, units = ''): string {
  const text = numberOf(value, DECIMALS[units])
  return units === '' ? text : `${text} ${unitText(units)}`
}

function numberOf(value: number, decimals: number | undefined): string {
  const size = Math.abs(value)
  if (value === 0) return '0'
  if (size >= HUGE || size < TINY) return powerText(value)
  if (decimals === undefined) return withMinus(String(Number(value.toPrecision(DIGITS))))
  return withMinus(size < 0.5 * 10 ** -decimals ? String(Number(value.toPrecision(2))) : value.toFixed(decimals))
}

function powerText(value: number): string {
  const [digits = '', power = ''] = value.toExponential(1).split('e')
  return withMinus(`${digits} × 10${raised(Number(power))}`)
}

/** A small number above the line. */
function raised(power: number): string {
  return String(power).replace(/./g, (sign) => (sign === '-' ? '⁻' : ('⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)] ?? '')))
}

function withMinus(text: string): string {
  return text.replace(/^-/, '−')
}
