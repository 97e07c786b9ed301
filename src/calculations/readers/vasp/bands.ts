import type { Vector3 } from '../../../structure/linear-algebra.ts'
import type { Result } from '../../calculation.ts'
import { BandEdges, SPINS } from './band-edges.ts'
import type { KPoints } from './k-points.ts'
import { pathOf } from './k-points.ts'

/** Numbers that are kept for each spin and k-point. */
const NUMBERS_OF_EDGES = 4

/** Energies of states by spin and k-point, as they are read: gaps of any, curves of those along lines. */
export class Bands {
  readonly #edges: BandEdges
  readonly #points: readonly Vector3[]
  /** Numbers of the k-points along lines; null where none are. */
  readonly #path: readonly number[] | null
  readonly #isOnPath: ReadonlySet<number>
  readonly #most: number
  /** By spin and k-point of the path; energies in eV. */
  #energies = new Map<string, number[]>()
  #current: number[] | null = null
  #numbers = 0
  #spins = 1

  /** Takes the k-points, and how many numbers are kept. */
  constructor(kPoints: KPoints | null, most: number) {
    this.#edges = new BandEdges(most / NUMBERS_OF_EDGES)
    this.#points = kPoints?.points ?? []
    this.#path = kPoints === null ? null : pathOf(kPoints)
    this.#isOnPath = new Set(this.#path ?? [])
    this.#most = most
  }

  begin(spin: number, point: number): void {
    this.#edges.begin(spin, point)
    this.#spins = Math.max(this.#spins, spin + 1)
    this.#current = null
    if (!this.#isOnPath.has(point)) return
    this.#current = []
    this.#energies.set(keyOf(spin, point), this.#current)
  }

  /** Takes a state: its energy in eV, and its occupation. */
  add(energy: number, occupation: number): void {
    this.#edges.add(energy, occupation)
    this.#numbers++
    if (this.#numbers <= this.#most) this.#current?.push(energy)
    else if (this.#current !== null) this.#energies = new Map()
  }

  gaps(): readonly Result[] {
    return this.#edges.gaps(this.#points)
  }

  /** Name and size of what is not given as curves; null where all is. */
  get leftOut(): string | null {
    const areKept = this.#path !== null && this.#numbers <= this.#most && !this.#edges.isFull
    if (this.#numbers === 0 || areKept) return null
    return `eigenvalues (${this.#numbers} × 2)`
  }

  /** Curves along the lines; null where the k-points are on none, or the curves have more numbers than are kept. */
  curves(): Result | null {
    if (this.#path === null || this.#numbers === 0 || this.#numbers > this.#most) return null
    const path = this.#path
    const series: number[][] = []
    const spins: number[] = []
    for (let spin = 0; spin < this.#spins; spin++) {
      const columns = path.map((point) => this.#energies.get(keyOf(spin, point)) ?? [])
      const bands = columns[0]?.length ?? 0
      if (bands === 0 || columns.some((column) => column.length !== bands)) return null
      for (let band = 0; band < bands; band++) {
        series.push(columns.map((column) => column[band] as number))
        spins.push(SPINS[spin] ?? 0.5)
      }
    }
    return {
      name: 'band_structure',
      data: {
        xAxis: { label: 'kpoints', units: 'crystal' },
        yAxis: { label: 'energy', units: 'eV' },
        xDataArray: path.map((point) => this.#points[point] as Vector3),
        yDataSeries: series,
        spin: spins,
      },
    }
  }
}

function keyOf(spin: number, point: number): string {
  return `${spin} ${point}`
}
