import { length, type Matrix3, type Vector3 } from '../../../structure/linear-algebra.ts'
import type { OutputLimits, Result } from '../../calculation.ts'
import type { Remainder } from '../../remainder.ts'
import type { OutputAtoms } from './atoms.ts'
import { ionicResult, type RelaxationStep } from './energies.ts'
import { PwLevels } from './pw-levels.ts'

/** What is computed for one structure; energies are in eV, forces in eV/Å, stresses in kbar. */
export interface PwStep {
  readonly atoms: OutputAtoms | null
  /** Whether it repeats the last step of a relaxation with the plane waves of its last cell. */
  readonly isRepeated: boolean
  /** Energies of the iterations that lead to `energy`. */
  readonly iterations: number[]
  readonly contributions: Map<string, number>
  levels: PwLevels
  energy: number | null
  fermi: number | null
  /** Fermi energies of the two spins, or the highest occupied and the lowest empty level: not one Fermi energy. */
  readonly edges: Map<string, number>
  forces: readonly Vector3[] | null
  totalForce: number | null
  stress: Matrix3 | null
  pressure: number | null
  /** One number, or a vector. */
  magnetization: readonly number[]
  absoluteMagnetization: number | null
  moments: (number | Vector3)[]
}

/** Steps of a run. Of what is computed for them that of the last is kept, and their energies. */
export class PwSteps {
  current: PwStep
  /** The last step that has an energy. */
  last: PwStep | null = null
  readonly #limits: OutputLimits
  readonly #remainder: Remainder
  readonly #ionic: RelaxationStep[] = []
  readonly #electronic: number[][] = []
  #numbers = 0
  #isCut = false

  constructor(limits: OutputLimits, remainder: Remainder) {
    this.#limits = limits
    this.#remainder = remainder
    this.current = this.#newStep(null, false)
  }

  /** Begins what is computed for a structure. */
  begin(atoms: OutputAtoms | null, isRepeated = false): void {
    this.#close()
    this.current = this.#newStep(atoms, isRepeated)
  }

  /** Ends the last step: what it has is kept if it has an energy, or levels alone. */
  end(): PwStep {
    this.#close()
    const { current, last } = this
    if (last === null || last === current) return current
    if (current.atoms !== null) this.#remainder.leaveOut(`places of the next step (${current.atoms.atoms.length} × 3)`)
    return last
  }

  /** Takes the energy that the iterations have led to, in eV; with exact exchange they go on from it. */
  converged(energy: number): void {
    if (this.current.energy !== null) this.iteration(this.current.energy)
    this.current.energy = energy
  }

  /** Begins the levels of the current step anew. */
  beginLevels(): void {
    this.current.levels = new PwLevels(this.#limits)
  }

  /** Takes the energy of an iteration, in eV. */
  iteration(energy: number): void {
    this.#numbers += 1
    if (this.#numbers <= this.#limits.numbers) this.current.iterations.push(energy)
    else this.#isCut = true
  }

  /** Energies of iterations and of steps. */
  get convergence(): readonly Result[] {
    if (this.#isCut) {
      this.#remainder.leaveOut(`energies of iterations and steps (${this.#numbers})`)
      return []
    }
    const electronic = { name: 'convergence_electronic', data: { data: this.#electronic, units: 'eV' } }
    return [...(this.#electronic.length === 0 ? [] : [electronic]), ...ionicResult(this.#ionic)]
  }

  #close(): void {
    const step = this.current
    if (step.energy === null || step === this.last) return
    if (this.last?.forces != null) this.#remainder.count('forces of earlier steps')
    if (this.last?.stress != null) this.#remainder.count('stresses of earlier steps')
    if (this.last !== null && this.last.levels.count > 0) this.#remainder.count('levels of earlier steps')
    this.last = step
    this.iteration(step.energy)
    if (this.#isCut) return
    this.#electronic.push(step.iterations)
    if (!step.isRepeated) this.#ionic.push({ energy: step.energy, ...mostOf(step.forces) })
  }

  #newStep(atoms: OutputAtoms | null, isRepeated: boolean): PwStep {
    return {
      atoms,
      isRepeated,
      iterations: [],
      contributions: new Map(),
      levels: new PwLevels(this.#limits),
      energy: null,
      fermi: null,
      edges: new Map(),
      forces: null,
      totalForce: null,
      stress: null,
      pressure: null,
      magnetization: [],
      absoluteMagnetization: null,
      moments: [],
    }
  }
}

function mostOf(forces: readonly Vector3[] | null): Pick<RelaxationStep, 'maxForce'> {
  if (forces === null) return {}
  let most = 0
  for (const force of forces) most = Math.max(most, length(force))
  return { maxForce: most }
}
