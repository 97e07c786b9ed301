import type { StructureLimits, StructureWarning } from '../../structure/formats/crystal.ts'
import type { FormatName } from '../../structure/formats/format.ts'

/** A structure file as it comes in. */
export interface StructureFile {
  readonly text: string
  /** A format's name; without it the format is found from name and content. */
  readonly format?: string | undefined
  readonly fileName?: string | undefined
  /** Which of several structures to take, counted from 0, from the end where negative; the first when left out. */
  readonly frame?: number | undefined
  readonly limits?: StructureLimits | undefined
}

/** A file of any kind whose bytes have been read, with the name by which its sender knows it; it is never a path to follow. */
export interface NamedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What became of one file of an import. `skipped`: the account has its content already. */
export interface FileReport {
  readonly file: string
  readonly outcome: 'stored' | 'skipped' | 'refused'
  readonly format?: FormatName
  readonly _id?: string
  readonly warnings?: readonly StructureWarning[]
  readonly error?: { readonly code: number; readonly message: string; readonly data: object }
}
