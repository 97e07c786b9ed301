import { tidy } from '../../../structure/cell.ts'
import { dot, type Matrix3, type Vector3 } from '../../../structure/linear-algebra.ts'
import type { OutputLimits } from '../../calculation.ts'
import { levelsUpTo, type PwBands } from './bands.ts'
import { decimalsIn, threeIn } from './pw-lines.ts'

/** A list of k-points before the levels. */
export interface PointList {
  readonly unit: 'cartesian' | 'crystal'
  readonly points: readonly Vector3[]
  /** Lattice vectors in units of alat. */
  readonly axes: Matrix3 | null
}

/** K-points as fractions of the reciprocal lattice vectors. */
function crystalPoints({ unit, points, axes }: PointList): readonly Vector3[] | null {
  if (unit === 'crystal') return points
  if (axes === null) return null
  const [a, b, c] = axes
  return points.map((point): Vector3 => [tidy(dot(a, point)), tidy(dot(b, point)), tidy(dot(c, point))])
}

/** Up to which levels are occupied: an energy for each spin, or a number of bands. */
export interface Filled {
  readonly energies?: readonly number[]
  readonly bands?: number
}

/** Energies are printed with four decimals. */
const ROUNDING_EV = 5e-5

/** Levels of electrons, k-point after k-point, as one step prints them. */
export class PwLevels {
  /** Energies of the Fermi level, or of the highest occupied one, by spins, where the step says them. */
  filled: readonly number[] | null = null
  /** Number of k-points, those of both spins together, and of all levels. */
  count = 0
  numbers = 0
  isBroken = false
  readonly #most: number
  readonly #spins: { place: Vector3; energies: number[] }[][] = [[]]

  constructor({ numbers }: OutputLimits) {
    this.#most = numbers
  }

  /** Whether up and down have levels of their own. */
  get areOfSpins(): boolean {
    return this.#spins.length > 1
  }

  /** Begins the levels of a spin. */
  spin(index: 0 | 1): void {
    this.#spins[index] ??= []
  }

  /** Begins a k-point: `k = 0.0000 0.6667-0.3333 (   168 PWs)   bands (ev):`. */
  point(text: string): void {
    const place = threeIn(text.slice(0, text.indexOf('(')))
    this.count += 1
    if (place === null) this.isBroken = true
    else if (this.numbers <= this.#most) this.#spins.at(-1)?.push({ place, energies: [] })
  }

  /** Takes a row of energies; false where it is none. */
  row(text: string): boolean {
    if (!/^[-+.\d* ]+$/.test(text)) return false
    const energies = decimalsIn(text)
    if (energies === null || energies.length === 0) this.isBroken = true
    else {
      this.numbers += energies.length
      if (this.numbers <= this.#most)
        this.#spins
          .at(-1)
          ?.at(-1)
          ?.energies.push(...energies)
    }
    return true
  }

  /** All of it; nothing where it is too much, or not whole. */
  bands(list: PointList | null, filled: Filled): PwBands | null {
    const [first = []] = this.#spins
    const width = first[0]?.energies.length ?? 0
    const isWhole = this.#spins.every(
      (points) => points.length === first.length && points.every(({ energies }) => energies.length === width),
    )
    if (this.isBroken || this.numbers > this.#most || width === 0 || !isWhole) return null
    const places = first.map(({ place }) => place)
    const given: PointList = { unit: 'cartesian', points: places, axes: list?.axes ?? null }
    const kpoints = crystalPoints(list?.points.length === first.length ? list : given)
    if (kpoints === null) return null
    return {
      kpoints,
      spins: this.#spins.map((points, spin) => ({
        energies: points.map(({ energies }) => energies),
        occupied: points.map(({ energies }) => occupiedOf(energies, filled, spin)),
      })),
    }
  }
}

function occupiedOf(energies: readonly number[], { energies: levels, bands = 0 }: Filled, spin: number): number {
  const level = levels?.[spin] ?? levels?.[0]
  return level === undefined ? bands : levelsUpTo(energies, level + ROUNDING_EV)
}
