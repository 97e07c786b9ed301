import type { Crystal, ReadOptions } from './crystal.ts'

/** The names by which clients ask for a format. */
export type FormatName = 'cif' | 'poscar' | 'xyz' | 'pdb' | 'espresso' | 'pymatgen' | 'ase' | 'optimade' | 'material'

/** A file format for crystals: how to tell it, read it and, where it can be, write it. */
export interface StructureFormat {
  readonly name: FormatName
  /** How people call it. */
  readonly title: string
  /** Extensions of file names, without the dot. */
  readonly extensions: readonly string[]
  /** File names that have no telling extension, such as `POSCAR`. */
  readonly fileNames?: RegExp
  /** Tells by the content whether a text may be of this format; never throws. */
  readonly recognizes: (text: string) => boolean
  /** Whether a file may hold several structures, of which `ReadOptions.frame` names one. */
  readonly hasFrames?: true
  readonly parse: (text: string, options: ReadOptions) => Crystal
  readonly print?: (crystal: Crystal) => string
  /** Whether a file can say that a structure repeats along one or two lattice vectors only. */
  readonly hasDirections?: true
}
