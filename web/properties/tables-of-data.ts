import { propertyTitle } from '../../src/page/property-words.ts'

type Data = Readonly<Record<string, unknown>>

/** Rows of a tensor. */
export function matrixIn({ value }: Data): readonly (readonly number[])[] {
  return Array.isArray(value) ? value.filter(isRow) : []
}

/** Value of one site; a number is a list of one. */
export interface SiteValue {
  readonly id: number
  readonly value: readonly number[]
}

/** Values of sites, in their order. */
export function sitesIn({ values }: Data): readonly SiteValue[] {
  return listOf(values).flatMap(({ id, value }) => {
    if (typeof id !== 'number') return []
    if (typeof value === 'number') return [{ id, value: [value] }]
    return isRow(value) ? [{ id, value }] : []
  })
}

/** Parts of a sum with their titles. */
export function contributionsIn(data: Data): readonly (readonly [title: string, value: number])[] {
  return Object.entries(data).flatMap(([name, part]) => {
    const value: unknown = typeof part === 'object' && part !== null && 'value' in part ? part.value : part
    return typeof value === 'number' ? [[propertyTitle(name), value] as const] : []
  })
}

interface BandEdge {
  /** Fractions of the reciprocal vectors. */
  readonly point: string
  /** eV. */
  readonly energy: string
}

export interface Gap {
  readonly type: string
  /** eV. */
  readonly value: number
  readonly spin: number | null
  readonly valence: BandEdge
  readonly conduction: BandEdge
}

/** Gaps with the points of the zone that they lie between. */
export function gapsIn({ values }: Data): readonly Gap[] {
  return listOf(values).flatMap((gap) => {
    const { type, value, spin } = gap
    if (typeof value !== 'number') return []
    return [
      {
        type: String(type),
        value,
        spin: typeof spin === 'number' ? spin : null,
        valence: edgeOf(gap, 'Valence'),
        conduction: edgeOf(gap, 'Conduction'),
      },
    ]
  })
}

function edgeOf(gap: Data, band: string): BandEdge {
  const [point, energy] = [gap[`kpoint${band}`], gap[`eigenvalue${band}`]]
  return {
    point: isRow(point) ? point.map((part) => String(Number(part.toFixed(3)))).join(', ') : '',
    energy: typeof energy === 'number' ? energy.toFixed(3) : '',
  }
}

function listOf(value: unknown): readonly Data[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}

function isRow(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number')
}
