/** The most digits that `Number.toFixed` writes; every double that could be a tie is exact well within them. */
const MAX_DIGITS = 100

/**
 * Rounds to a number of decimal places, or with a negative `place` to tens, hundreds …; a tie goes to the even digit. It
 * works on the exact value of the number: 1.005 is less than it looks and rounds to 1.
 */
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
