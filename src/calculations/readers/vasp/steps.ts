import type { Vector3 } from '../../../structure/linear-algebra.ts'
import { length } from '../../../structure/linear-algebra.ts'
import type { Result } from '../../calculation.ts'

/** Ways of the tag IBRION in which ions are moved until they are at rest; 0 is dynamics, others try displacements (VASP Wiki, IBRION). */
const RELAXATIONS: ReadonlySet<unknown> = new Set([1, 2, 3])

/** Tells whether ions are moved until they are at rest, by the tag IBRION. */
export function isRelaxationBy(way: unknown): boolean {
  return RELAXATIONS.has(way)
}

/** Ionic step: the energies of its electronic steps, its energy, and the largest force; in eV and eV/Å. */
interface ConvergenceStep {
  readonly electronic: readonly number[]
  readonly energy: number | null
  readonly maxForce: number | null
}

/** Steps of a run as they are read. Numbers beyond what is kept are counted only. */
export class IonicSteps {
  readonly #steps: ConvergenceStep[] = []
  readonly #most: number
  #kept = 0
  #count = 0
  #electronic = 0

  /** Takes how many numbers are kept. */
  constructor(most: number) {
    this.#most = most
  }

  /** Number of ionic steps. */
  get count(): number {
    return this.#count
  }

  /** Takes a step. The force is the largest of all atoms, whether they may move or not. */
  add(electronic: readonly number[], energy: number | null, forces: readonly Vector3[] | null): void {
    this.#count++
    this.#electronic += electronic.length
    this.#kept += electronic.length + 2
    if (this.#kept > this.#most) return
    const maxForce = forces === null ? null : forces.reduce((most, force) => Math.max(most, length(force)), 0)
    this.#steps.push({ electronic, energy, maxForce })
  }

  /** Convergence of the electrons: free energies (with that of smearing) by ionic steps; and of the ions where these were moved. */
  results(): readonly Result[] {
    if (this.#steps.length < this.#count) return []
    const data = this.#steps.map(({ electronic }) => electronic)
    const electronic: Result[] = data.some((energies) => energies.length > 0)
      ? [{ name: 'convergence_electronic', data: { data, units: 'eV' } }]
      : []
    const moved = this.#steps.flatMap(({ energy, maxForce }) =>
      energy === null ? [] : [{ energy, ...(maxForce === null ? {} : { maxForce }) }],
    )
    if (moved.length < 2) return electronic
    return [...electronic, { name: 'convergence_ionic', data: { data: moved, units: 'eV' } }]
  }

  get leftOut(): readonly string[] {
    return this.#steps.length < this.#count
      ? [`energies of ${this.#count} ionic and ${this.#electronic} electronic steps`]
      : []
  }
}
