/** From numbers to places: the first number of the domain is at the first place. */
export interface Scale {
  readonly isLog: boolean
  readonly at: (value: number) => number
  readonly from: (place: number) => number
}

export type Ends = readonly [number, number]

/** A scale of numbers; by their logarithms where that is asked for and all are positive. */
export function scaleOf([low, high]: Ends, [start, end]: Ends, wantsLog = false): Scale {
  const isLog = wantsLog && low > 0
  const [least, most] = isLog ? [Math.log(low), Math.log(high)] : [low, high]
  const span = most - least || 1
  const at = (value: number) => start + (((isLog ? Math.log(value) : value) - least) / span) * (end - start)
  const from = (place: number) => {
    const value = least + ((place - start) / (end - start || 1)) * span
    return isLog ? Math.exp(value) : value
  }
  return { isLog, at, from }
}

/** Round numbers within a domain, about so many. */
export function ticksOf([low, high]: Ends, about: number, isLog = false): readonly number[] {
  if (isLog) {
    const decades: number[] = []
    for (let power = Math.ceil(Math.log10(low)); power <= Math.floor(Math.log10(high)); power++)
      decades.push(10 ** power)
    if (decades.length >= 2) return decades
  }
  const step = stepOf((high - low) / Math.max(1, about))
  const ticks: number[] = []
  for (let at = Math.ceil(low / step); at * step <= high && ticks.length < 100; at++)
    ticks.push(Number((at * step).toPrecision(12)))
  return ticks
}

function stepOf(rough: number): number {
  if (!(rough > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10)
}

/** A number as an axis says it. */
export function tickText(value: number): string {
  const size = Math.abs(value)
  return value !== 0 && (size >= 1e5 || size < 1e-3) ? value.toExponential(0).replace('e+', 'e') : String(value)
}

/** A number that somebody pointed at, with no more digits than that says. */
export function rounded(value: number, span: number): number {
  const digits = Math.max(0, 3 - Math.floor(Math.log10(span || 1)))
  return Number(value.toFixed(Math.min(digits, 12)))
}
