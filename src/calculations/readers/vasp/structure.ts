import { type JsonObject, ownField } from '../../../kernel/json.ts'
import { requireCell } from '../../../structure/cell.ts'
import { type Crystal, type CrystalSite, PERIODIC, type StructureWarning } from '../../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import { type NamedSpecies, SpeciesNames } from '../../../structure/formats/common/species-names.ts'
import type { Matrix3, Vector3 } from '../../../structure/linear-algebra.ts'
import type { Potential } from '../../calculation.ts'
import { elementOfTitle } from './potcar.ts'

/** For each lattice vector whether the atom may move. */
export type Movable = readonly [boolean, boolean, boolean]

/** Lattice vectors in Å, as rows, and places of the atoms. */
export interface Positions {
  readonly vectors: Matrix3
  readonly fractions: readonly Vector3[]
  readonly movable?: readonly Movable[]
}

/** Kinds of atoms in the order in which VASP has them: name, potential, and how many there are. */
export interface AtomType {
  /** As the output says it; VASP cuts it to the last two letters of some. */
  readonly name: string
  /** Title of the potential; empty where it is not said. */
  readonly title: string
  readonly count: number
  /** Electrons that an atom brings; what is not said is left out. */
  readonly valence?: number
}

/** Species of the atoms of an output, which are those of all its structures. */
export class Species {
  readonly #sites: readonly (NamedSpecies | null)[]
  readonly potentials: readonly Potential[]
  readonly warnings: readonly StructureWarning[]
  /** Electrons of the neutral atoms; null where the output does not say them of all kinds. */
  readonly electrons: number | null

  /** Takes the kinds; refuses a name of no element. */
  constructor(types: readonly AtomType[]) {
    const names = new SpeciesNames('The titles of the potentials name the elements.')
    const named = types.map(({ name, title }) => names.ofType(elementOfTitle(title) ?? name, {}))
    this.#sites = types.flatMap(({ count }, index) => new Array<NamedSpecies | null>(count).fill(named[index] ?? null))
    this.potentials = types
      .filter(({ title }) => title !== '')
      .map(({ name, title }) => ({ element: elementOfTitle(title) ?? name, title }))
    this.warnings = names.warnings
    const electrons = types.reduce((sum, { count, valence = Number.NaN }) => sum + count * valence, 0)
    this.electrons = Number.isFinite(electrons) ? electrons : null
  }

  /** Elements of the atoms; empty for what is no atom. */
  get elements(): readonly string[] {
    return this.#sites.map((species) => species?.element ?? '')
  }

  get count(): number {
    return this.#sites.length
  }

  /** Puts the atoms at places; refuses another number of places. */
  crystal({ vectors, fractions, movable }: Positions, title: string): Crystal {
    if (fractions.length !== this.count) {
      const message = `${this.count} atoms are announced, and a structure has ${fractions.length}.`
      throw refusal(FORMAT_ERRORS.inconsistentCounts, message)
    }
    const sites = this.#sites.flatMap((species, index): readonly CrystalSite[] => {
      if (species === null) return []
      const flags = movable?.[index]
      const fixed = flags?.includes(false) ? { movable: flags } : {}
      return [{ ...species, fraction: fractions[index] as Vector3, ...fixed }]
    })
    return { title, lattice: requireCell(vectors), periodic: PERIODIC, sites, warnings: [] }
  }
}

/** Takes three rows of three numbers as a matrix; null where there are not three. */
export function matrixOfRows(rows: readonly (readonly number[])[]): Matrix3 | null {
  const vectors = rows.map(([x, y, z]): Vector3 => [x ?? 0, y ?? 0, z ?? 0])
  const [a, b, c] = vectors
  return rows.length === 3 && a && b && c && rows.every((row) => row.length >= 3) ? [a, b, c] : null
}

/** Name that VASP gives to a system without one. */
const NAMELESS = 'unknown system'

/** Title that the input gives, of the tag SYSTEM; empty where it gives none. */
export function titleOf(parameters: JsonObject): string {
  const title = ownField(parameters, 'SYSTEM')
  return typeof title !== 'string' || title === NAMELESS ? '' : title
}

/** Tells whether the places are the same, and the lattice too. */
export function arePlacesEqual(one: Positions, other: Positions): boolean {
  return (
    one.vectors.every((row, index) => areEqual(row, other.vectors[index])) &&
    one.fractions.length === other.fractions.length &&
    one.fractions.every((place, index) => areEqual(place, other.fractions[index]))
  )
}

function areEqual(one: Vector3, other: Vector3 | undefined): boolean {
  return one.every((component, axis) => component === other?.[axis])
}
