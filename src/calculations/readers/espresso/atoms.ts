import type { Crystal, CrystalSite } from '../../../structure/crystal.ts'
import { DEFAULT_LIMITS } from '../../../structure/crystal.ts'
import { crystalOf, type FileAtom, labelled } from '../../../structure/formats/common/file-atoms.ts'
import { elementNamed, readType } from '../../../structure/formats/common/species.ts'
import { SpeciesNames } from '../../../structure/formats/common/species-names.ts'
import type { Matrix3, Vector3 } from '../../../structure/linear-algebra.ts'
import type { OutputLimits } from '../../calculation.ts'

/** An atom in an output of pw.x. */
export interface OutputAtom {
  /** As the input calls its species: `Fe1`. */
  readonly label: string
  /** In Å, or as fractions of the lattice vectors. */
  readonly place: Vector3
  readonly movable?: CrystalSite['movable']
}

/** The atoms of one step. */
export interface OutputAtoms {
  /** In Å. */
  readonly lattice: Matrix3
  readonly atoms: readonly OutputAtom[]
  readonly isFraction: boolean
  /** Where the output lists them, counted from 1. */
  readonly line: number
}

/** What an output says of all its structures. */
export interface PwSpecies {
  readonly title: string
  /** Symbols of elements by the labels of species. */
  readonly elements: ReadonlyMap<string, string>
}

/** Makes the structure of a step. */
export function crystalOfOutput(
  { lattice, atoms, isFraction, line }: OutputAtoms,
  { title, elements }: PwSpecies,
  limits: OutputLimits,
): Crystal {
  const names = new SpeciesNames('A label begins with the symbol of an element: Fe, Fe1, Fe_up.')
  const listed = atoms.map(({ label, place, movable }, index): FileAtom => {
    const element = elementNamed(elements.get(label) ?? '')
    const where = { line: line + index }
    const species = element === undefined ? names.take(label, readType(label), where) : { element }
    const details = { ...labelled(label, species).details, ...(movable?.includes(false) ? { movable } : {}) }
    return { species, place, isFraction, line: line + index, details }
  })
  return crystalOf(
    {
      title,
      vectors: lattice,
      atoms: listed,
      names,
      warnings: [],
      rest: { values: {}, leftOut: [] },
      namesOf: 'kinds',
    },
    { limits: { ...DEFAULT_LIMITS, atoms: limits.atoms } },
  )
}
