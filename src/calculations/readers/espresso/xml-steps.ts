import { EV_PER_HARTREE } from '../../../page/units.ts'
import { ANGSTROM_PER_BOHR } from '../../../structure/lattice.ts'
import { length, type Vector3 } from '../../../structure/linear-algebra.ts'
import type { OutputLimits, Result } from '../../calculation.ts'
import type { Remainder } from '../../remainder.ts'
import type { OutputAtoms } from './atoms.ts'
import { ionicResult, type RelaxationStep } from './energies.ts'
import { atomsIn, rowsOfThree } from './xml-atoms.ts'
import { termsIn } from './xml-results.ts'
import { countFields, type XmlElement } from './xml-tree.ts'

const EV_PER_ANGSTROM = EV_PER_HARTREE / ANGSTROM_PER_BOHR

/** Steps of a relaxation or of molecular dynamics: elements `step`. Of their structures the first and the last are kept. */
export class XmlSteps {
  /** Number of all steps. */
  count = 0
  first: OutputAtoms | null = null
  last: OutputAtoms | null = null
  /** What is computed for the last structure, in Hartree atomic units. */
  terms: ReadonlyMap<string, number> = new Map()
  forces: readonly Vector3[] | null = null
  readonly #steps: RelaxationStep[] = []
  readonly #most: number
  readonly #remainder: Remainder

  constructor({ numbers }: OutputLimits, remainder: Remainder) {
    this.#most = numbers
    this.#remainder = remainder
  }

  /** Energies and largest forces, step by step. */
  get convergence(): readonly Result[] {
    return ionicResult(this.#steps)
  }

  take(element: XmlElement): true {
    this.count += 1
    element.takeAttribute('n_step')
    const terms = termsIn(element.peek('total_energy'))
    const energy = terms.get('etot')
    if (energy !== undefined) element.take('total_energy')
    const forces = rowsOfThree(element.takeText('forces'))
    if (energy !== undefined) {
      for (const name of this.terms.keys()) if (name !== 'etot') this.#remainder.count(`step.total_energy.${name}`)
      if (this.forces !== null) this.#remainder.count('step.forces')
      this.terms = terms
      this.forces = forces
      if (2 * this.#steps.length < this.#most) this.#steps.push(stepOf(energy, forces))
      const atoms = atomsIn(element.take('atomic_structure'))
      if (atoms !== null) {
        if (this.first !== null && this.last !== this.first) this.#remainder.count('step.atomic_structure')
        this.first ??= atoms
        this.last = atoms
      }
    }
    countFields(this.#remainder, 'step', element.toJson())
    return true
  }
}

function stepOf(energy: number, forces: ReturnType<typeof rowsOfThree>): RelaxationStep {
  if (forces === null) return { energy: energy * EV_PER_HARTREE }
  let most = 0
  for (const force of forces) most = Math.max(most, length(force))
  return { energy: energy * EV_PER_HARTREE, maxForce: most * EV_PER_ANGSTROM }
}
