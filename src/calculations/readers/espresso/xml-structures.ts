import type { Crystal } from '../../../structure/crystal.ts'
import type { OutputLimits } from '../../calculation.ts'
import { crystalOfOutput, type OutputAtoms, type PwSpecies } from './atoms.ts'
import { atomsIn, withFreedom } from './xml-atoms.ts'
import type { XmlParts } from './xml-parts.ts'
import type { XmlElement } from './xml-tree.ts'

/** Structures of a document. */
export interface Structures {
  readonly initial: OutputAtoms | null
  readonly final: OutputAtoms | null
  /** Whether the last is that of a step, and the output has another. */
  readonly isOfStep: boolean
}

/** The structures at the beginning, and where the last results are from: programs that end after a number of steps give the places of the next one beside. */
export function structuresOf(root: XmlElement, { steps, remainder }: XmlParts): Structures {
  const free = root.takeText('input', 'free_positions')
  const given = atomsIn(root.peek('input')?.take('atomic_structure'))
  const output = root.peek('output')
  const energy = output?.peek('total_energy', 'etot')?.text.trim()
  const reached = atomsIn(output?.take('atomic_structure'))
  const isOfStep = steps.last !== null && (reached === null || Number(energy) === steps.terms.get('etot'))
  if (isOfStep && reached !== null && steps.last !== null && !isSame(reached, steps.last)) {
    remainder.leaveOut(`places of the next step (${reached.atoms.length} × 3)`)
  }
  const final = isOfStep ? steps.last : reached
  const initial = given ?? steps.first ?? final
  const freed = (atoms: OutputAtoms | null): OutputAtoms | null => (atoms === null ? null : withFreedom(atoms, free))
  const isOne = initial !== null && final !== null && isSame(initial, final)
  const last = freed(final)
  return { initial: isOne ? last : freed(initial), final: last, isOfStep }
}

/** Å by which structures differ that are one. */
const SAME_ANGSTROM = 1e-8

function isSame(one: OutputAtoms, other: OutputAtoms): boolean {
  const numbers = ({ lattice, atoms }: OutputAtoms): readonly number[] => [
    ...lattice.flat(),
    ...atoms.flatMap(({ place }) => place),
  ]
  const others = numbers(other)
  return (
    one.isFraction === other.isFraction &&
    one.atoms.length === other.atoms.length &&
    numbers(one).every((value, index) => Math.abs(value - (others[index] ?? 0)) < SAME_ANGSTROM)
  )
}

/** Makes them; one where nothing has moved. */
export function crystalsOf(
  { initial, final }: Structures,
  species: PwSpecies,
  limits: OutputLimits,
): readonly [Crystal | null, Crystal | null] {
  const last = final === null ? null : crystalOfOutput(final, species, limits)
  if (initial === final) return [last, last]
  return [initial === null ? null : crystalOfOutput(initial, species, limits), last]
}
