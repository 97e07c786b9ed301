/** Round numbers between two values, about as many as asked for. */
export function ticksBetween(least: number, most: number, about: number): readonly number[] {
  const rough = (most - least) / Math.max(1, about)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(least / step - 1e-9)
  const last = Math.floor(most / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}
