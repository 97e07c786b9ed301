import type { StructureLimits } from '../../structure/crystal.ts'

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
