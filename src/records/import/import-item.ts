import type { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import type { FormatName } from '../../structure/formats/common/format.ts'
import type { FilePart } from '../kinds/material/structure-files.ts'
import type { SameAs } from '../use-cases/write.ts'

/** Line at which a record begins, or the name of a file; `frame` is one of its structures, `frames` tells of its set how many it has. */
export type ImportPlace =
  | { readonly line: number }
  | { readonly file: string; readonly frame?: number; readonly frames?: number }

/** Record as JSON text, structure file or part of one with fields that its record has in any case, record of our own, or a failure. */
export type ImportItem = { readonly place: ImportPlace } & (
  | { readonly json: Uint8Array }
  | { readonly file: Uint8Array | string; readonly part?: FilePart; readonly fields?: JsonObject }
  | { readonly document: JsonObject; readonly id: string }
  | { readonly refusal: AppError }
)

/** The last part of the name of a file, without the folders or the archive that it is in. */
export function nameOf(place: ImportPlace): string {
  return 'file' in place ? (place.file.split(/[\\/]/).at(-1) ?? '') : ''
}

/** Report on one thing of an import. `skipped`: the account has it already. */
export type ImportReport = {
  /** The format of a structure file. */
  readonly format?: FormatName
  /** Warnings from reading a structure file, and warnings about its record. */
  readonly warnings?: readonly (StructureWarning | Warning)[]
  readonly line?: number
  readonly file?: string
  /** Index of the structure, where all of a file are imported. */
  readonly frame?: number
  /** Number of these, reported with the set. */
  readonly frames?: number
  readonly outcome: 'stored' | 'skipped' | 'refused'
  readonly collection?: string
  readonly _id?: string
  /** For which record of the account it was skipped, where it is the same crystal and not the same text. */
  readonly sameAs?: readonly SameAs[]
  /** Reason for storing it without symmetry, where it might have one. */
  readonly withoutSymmetry?: string
  readonly error?: { readonly code: number; readonly message: string; readonly data: object }
}

export interface ImportTotals {
  stored: number
  skipped: number
  refused: number
  /** Part of `stored`. */
  withoutSymmetry: number
}

/** Totals of nothing, to be counted up. */
export function noTotals(): ImportTotals {
  return { stored: 0, skipped: 0, refused: 0, withoutSymmetry: 0 }
}

export function countReport(totals: ImportTotals, { outcome, withoutSymmetry }: ImportReport): void {
  totals[outcome] += 1
  if (withoutSymmetry !== undefined) totals.withoutSymmetry += 1
}
