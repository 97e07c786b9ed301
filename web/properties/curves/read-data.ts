type Data = Readonly<Record<string, unknown>>

/** Axis that a property names. */
export interface DataAxis {
  readonly label: string
  readonly units: string
}

export function axisIn(data: Data, name: 'xAxis' | 'yAxis', otherwise: DataAxis): DataAxis {
  const axis = data[name]
  if (typeof axis !== 'object' || axis === null) return otherwise
  const { label, units } = axis as Data
  return {
    label: typeof label === 'string' ? label : otherwise.label,
    units: typeof units === 'string' ? units : otherwise.units,
  }
}

/** Series of numbers; what is none in them breaks the line. */
export function seriesIn(value: unknown): readonly (readonly number[])[] {
  return Array.isArray(value) ? value.filter(Array.isArray).map(numbersIn) : []
}

export function numbersIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map((one) => (typeof one === 'number' ? one : Number.NaN)) : []
}

/** Text with a large letter at its beginning. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A number that was read off a curve. */
export function readText(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return 'nothing'
  const size = Math.abs(value)
  const text =
    size !== 0 && (size < 0.5 * 10 ** -digits || size >= 1e6) ? value.toExponential(2) : value.toFixed(digits)
  return text.replace(/^-/, '−')
}

/** Spin of a series: 1 up, -1 down, 0 where it has none. */
export type Spin = -1 | 0 | 1

export function spinOf(value: unknown): Spin {
  return typeof value === 'number' ? (Math.sign(value) as Spin) : 0
}

export const SPIN_WORDS: Readonly<Record<Spin, string>> = { 1: 'spin up', '-1': 'spin down', 0: '' }
