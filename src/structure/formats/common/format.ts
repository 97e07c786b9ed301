import { isJsonArray, type Json } from '../../../kernel/json.ts'
import type { Crystal, ReadOptions, StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { SymmetryReport } from '../../symmetry/symmetry-report.ts'

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

/** Tells whether a value, or one of those within it, is a number other than 0. */
export function hasNonZero(value: Json | undefined): boolean {
  return isJsonArray(value) ? value.some(hasNonZero) : typeof value === 'number' && value !== 0
}
