const OVERLINE = '\u0305'

/** Miller indices as plain text, for drawings: a line above negative ones. */
export function millerText(hkl: readonly number[]): string {
  const gap = hkl.some((index) => Math.abs(index) > 9) ? ' ' : ''
  return hkl
    .map((index) => (index < 0 ? [...String(-index)].map((digit) => `${digit}${OVERLINE}`).join('') : String(index)))
    .join(gap)
}
