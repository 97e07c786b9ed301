import { isJsonArray, type Json } from '../../../kernel/json.ts'
import type { Crystal, ReadOptions, StructureLimits } from '../../crystal.ts'
import type { SymmetryReport } from '../../symmetry/symmetry-report.ts'
import type { Quantity } from './quantities.ts'
import type { FrameSplitter } from './splitter.ts'

/** The names by which clients ask for a format. */
export type FormatName =
  | 'aims'
  | 'castep'
  | 'gen'
  | 'cp2k'
  | 'phonopy'
  | 'xsf'
  | 'cube'
  | 'res'
  | 'lammps-data'
  | 'lammps-dump'
  | 'cif'
  | 'poscar'
  | 'xyz'
  | 'pdb'
  | 'espresso'
  | 'siesta'
  | 'gulp'
  | 'abinit'
  | 'pymatgen'
  | 'ase'
  | 'jarvis'
  | 'nomad'
  | 'optimade'
  | 'material'

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
  /** Takes a file apart that may hold several structures; without it a file is one. */
  readonly splitter?: (limits: StructureLimits) => FrameSplitter
  /** Reads the text of one structure, or refuses it with the place and what would be right. */
  readonly parse: (text: string, options: ReadOptions) => Crystal
  /** Writes a file; without it the format is only read. */
  readonly print?: (crystal: Crystal, options: PrintOptions) => string
  /** Whether a file of it can be written with the symmetry of the crystal. */
  readonly hasSymmetry?: true
  /** Quantities that a written file has where the structure has them; others are told. */
  readonly writes?: readonly Quantity[]
}

/** Tells whether a value, or one of those within it, is a number other than 0. */
export function hasNonZero(value: Json | undefined): boolean {
  return isJsonArray(value) ? value.some(hasNonZero) : typeof value === 'number' && value !== 0
}
