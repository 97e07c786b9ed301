import { isJsonArray, type Json } from '../../../kernel/json.ts'
import type { Crystal, ReadOptions, StructureWarning } from '../../crystal.ts'
import { findElement } from '../../elements/element.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { SymmetryReport } from '../../symmetry/symmetry-report.ts'
import { isHydrogenIsotope } from './species.ts'

/** The names by which clients ask for a format. */
export type FormatName = 'cif' | 'poscar' | 'xyz' | 'pdb' | 'espresso' | 'pymatgen' | 'ase' | 'optimade' | 'material'

export interface PrintOptions {
  /** Finds the symmetry to write the crystal with; without it the crystal is written as it is. */
  readonly symmetry?: () => SymmetryReport
}

/** A file format for crystals: how to tell it, read it and, where it can be, write it. */
export interface StructureFormat {
  /** By which clients ask for it. */
  readonly name: FormatName
  /** Name for people. */
  readonly title: string
  /** Extensions of file names, without the dot. */
  readonly extensions: readonly string[]
  /** File names that have no telling extension, such as `POSCAR`. */
  readonly fileNames?: RegExp
  /** Tells by the content whether a text may be of this format; never throws. */
  readonly recognizes: (text: string) => boolean
  /** Gives a text for each of several structures, in one pass: by itself it is the crystal that `ReadOptions.frame` takes of the file. */
  readonly frames?: (text: string, options: ReadOptions) => Iterable<string>
  /** Reads a file, or refuses it with the place and what would be right. */
  readonly parse: (text: string, options: ReadOptions) => Crystal
  /** Writes a file; without it the format is only read. */
  readonly print?: (crystal: Crystal, options: PrintOptions) => string
  /** Whether a file of it can be written with the symmetry of the crystal. */
  readonly hasSymmetry?: true
  /** Whether a file can say that a structure repeats along one or two lattice vectors only. */
  readonly hasDirections?: true
  /** Whether a file can say that atoms are there in some of the cells only. */
  readonly hasOccupancies?: true
}

/** Chooses the structure asked for, from the end where the number is negative; without one the first, with a warning if there are more. */
export function chooseFrame(count: number, { frame }: ReadOptions, warnings: StructureWarning[]): number {
  if (frame === undefined) {
    const message = `The file holds ${structures(count)}; the first, frame 0, is taken. Frame -1 is the last.`
    if (count > 1) warnings.push({ code: 'several-structures', message })
    return 0
  }
  const index = frame < 0 ? count + frame : frame
  if (Number.isInteger(index) && index >= 0 && index < count) return index
  throw refusal(FORMAT_ERRORS.noStructure, `The file holds ${structures(count)}, so there is no frame ${frame}.`, {
    hint: count === 1 ? 'Leave the frame out.' : `Frames are counted from 0 to ${count - 1}; -1 is the last.`,
  })
}

function structures(count: number): string {
  return count === 1 ? 'one structure' : `${count} structures`
}

/** Quantities of some formats that a material does not keep, and what is then not told apart or not right. */
export const DROPPED_QUANTITIES = {
  'Magnetic moments': 'structures that differ in them alone have one hash',
  Charges: 'the structure is taken as neutral',
  'Oxidation states': 'atoms are told by their elements alone',
  Isotopes: 'masses and the density are those of the natural elements',
  'Boundary conditions': 'the structure repeats along all three lattice vectors',
} as const

export type DroppedQuantity = keyof typeof DROPPED_QUANTITIES

/** The code of the warnings about what is not kept. */
const DROPPED = 'dropped'

const MOST_EXAMPLES = 4

/** Collects, while a file is read, what of it is not kept; each quantity is told once, by the names that the file has for it. */
export class DroppedQuantities {
  /** Most files have nothing to note. */
  #examples: Map<DroppedQuantity, Set<string>> | undefined

  note(quantity: DroppedQuantity, name: string): void {
    this.#examples ??= new Map()
    const names = this.#examples.get(quantity) ?? new Set()
    if (names.size <= MOST_EXAMPLES) names.add(name)
    this.#examples.set(quantity, names)
  }

  /** Notes what the declared type of an atom says beside its element: `D`, `Fe3+`. */
  noteType(type: string, element: string): void {
    if (type === element) return
    this.noteIsotope(type, element)
    const [, before, , after] = CHARGE.exec(type) ?? []
    if (CHARGE.test(type) && Number(before ?? after ?? 1) !== 0) this.note('Oxidation states', type)
  }

  /** Notes a name such as `D`, which stands for hydrogen of another mass. */
  noteIsotope(name: string, element: string): void {
    if (element === 'H' && isHydrogenIsotope(name)) this.note('Isotopes', name)
  }

  /** Notes a mass (Da) that is not that of the natural element. */
  noteMass(element: string, mass: number | undefined): void {
    if (isotopeOfMass(element, mass) !== undefined) this.note('Isotopes', `${element} of mass ${mass}`)
  }

  /** Each quantity that was noted, with some of its names and what follows. */
  get told(): readonly {
    readonly quantity: DroppedQuantity
    readonly names: readonly string[]
    readonly consequence: string
  }[] {
    return [...(this.#examples ?? [])].map(([quantity, names]) => {
      const list = [...names]
      const shown = list.length > MOST_EXAMPLES ? [...list.slice(0, MOST_EXAMPLES), 'and more'] : list
      return { quantity, names: shown, consequence: DROPPED_QUANTITIES[quantity] }
    })
  }

  get warnings(): readonly StructureWarning[] {
    if (this.#examples === undefined) return []
    return this.told.map(({ quantity, names, consequence }) => ({
      code: DROPPED,
      message: `${quantity} (${names.join(', ')}) are not kept: ${consequence}.`,
    }))
  }
}

/** `3+`, `+3`, `-`. */
const CHARGE = /(\d+(?:\.\d+)?)?([+-])(\d+(?:\.\d+)?)?/

/** Programs that need no masses write 1 for all elements. */
const SMALLEST_MASS = 1.5
const MASS_TOLERANCE = 0.4

/** The mass number of an atom that weighs (in Da) otherwise than the natural element does. */
export function isotopeOfMass(element: string, mass: Json | undefined): number | undefined {
  const natural = findElement(element)?.mass
  if (typeof mass !== 'number' || natural === undefined || mass < SMALLEST_MASS) return undefined
  const isOther = Math.abs(mass - natural) > MASS_TOLERANCE + natural / 100
  return isOther ? Math.round(mass) : undefined
}

/** Tells whether a value, or one of those within it, is a number other than 0. */
export function hasNonZero(value: Json | undefined): boolean {
  return isJsonArray(value) ? value.some(hasNonZero) : typeof value === 'number' && value !== 0
}
