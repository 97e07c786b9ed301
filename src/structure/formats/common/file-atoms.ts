import { completeCell, fractionsOf, requireCell } from '../../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  NOT_PERIODIC,
  PERIODIC,
  type ReadOptions,
  type Rest,
  type StructureWarning,
} from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Matrix3, Vector3 } from '../../linear-algebra.ts'
import { withSpeciesTags } from './species-labels.ts'
import type { NamedSpecies, SpeciesNames } from './species-names.ts'
import { requireAtoms, requireFewAtoms } from './text.ts'

/** An atom as a file lists it. */
export interface FileAtom {
  /** Null where the name is that of no atom. */
  readonly species: NamedSpecies | null
  /** In Å, or as fractions of the lattice vectors. */
  readonly place: Vector3
  readonly isFraction: boolean
  /** Of the file, counted from 1. */
  readonly line: number
  /** What the file says of the atom beside. */
  readonly details?: Omit<Partial<CrystalSite>, 'element' | 'fraction'>
}

/** What a reader has found in the text of one structure. */
export interface Listing {
  readonly title: string
  /** In Å: three, fewer where it repeats along these alone, none of a molecule. */
  readonly vectors: readonly Vector3[]
  /** Along which vectors it repeats, where that does not follow from their number. */
  readonly periodic?: Crystal['periodic']
  readonly atoms: readonly FileAtom[]
  readonly names: SpeciesNames
  readonly warnings: readonly StructureWarning[]
  readonly rest: Rest
  /** Names that labels are; of species where nothing is said. */
  readonly namesOf?: 'kinds' | 'atoms'
}

/** The name by which a file calls an atom, where it is not plainly that of its element. */
export function labelled(name: string, species: NamedSpecies | null): Pick<FileAtom, 'details'> {
  return species === null || name === '' || name === species.element ? {} : { details: { label: name } }
}

/** Makes the crystal of the atoms that a file lists: all places are fractions, and what is no atom is left out. */
export function crystalOf(listing: Listing, options: ReadOptions): Crystal {
  const { title, vectors, atoms, names, rest } = listing
  requireFewAtoms(atoms.length, options)
  const warnings = [...listing.warnings]
  const cell = cellOfVectors(vectors, placesOf(atoms, vectors.length), warnings)
  const fractions = fractionsOfAtoms(atoms, cell.lattice)
  const sites = atoms.flatMap(({ species, details, line }, index): readonly CrystalSite[] => {
    const fraction = fractions[index] as Vector3
    if (!fraction.every(Number.isFinite)) throw refusal(FORMAT_ERRORS.malformed, 'The atom is nowhere.', { line })
    return species === null ? [] : [{ ...species, ...details, fraction }]
  })
  const tagged = withSpeciesTags(sites, listing.namesOf ?? 'species', warnings)
  warnings.push(...names.warnings)
  return requireAtoms(
    { title, ...cell, periodic: listing.periodic ?? cell.periodic, sites: tagged, warnings, rest },
    names.hint,
  )
}

/** The cell of the vectors that a file gives, in which the structure repeats along these alone; without any it is a molecule in a box. */
export function cellOfVectors(
  vectors: readonly Vector3[],
  places: readonly Vector3[],
  warnings: StructureWarning[],
): Pick<Crystal, 'lattice' | 'periodic'> {
  if (vectors.length === 3) return { lattice: requireCell(vectors as unknown as Matrix3), periodic: PERIODIC }
  if (vectors.length === 0) {
    const message = 'The file gives no lattice: the structure is taken as a molecule in a box.'
    warnings.push({ code: 'no-lattice', message })
    return { lattice: completeCell([], places), periodic: NOT_PERIODIC }
  }
  const [a, b, c] = [0, 1, 2].map((axis) => vectors.length > axis)
  return { lattice: completeCell(vectors, places), periodic: [a === true, b === true, c === true] }
}

/** Places in Å, where the cell has to be made of them. */
function placesOf(atoms: readonly FileAtom[], vectors: number): readonly Vector3[] {
  if (vectors === 3) return []
  const fraction = atoms.find(({ isFraction }) => isFraction)
  if (fraction === undefined) return atoms.map(({ place }) => place)
  const message = 'The place is given in fractions of lattice vectors, and the file does not have three of these.'
  throw refusal(FORMAT_ERRORS.impossibleCell, message, { line: fraction.line })
}

function fractionsOfAtoms(atoms: readonly FileAtom[], lattice: Matrix3): readonly Vector3[] {
  const ofPlaces = fractionsOf(
    atoms.map(({ place }) => place),
    lattice,
  )
  return atoms.map(({ isFraction, place }, index) => (isFraction ? place : (ofPlaces[index] as Vector3)))
}
