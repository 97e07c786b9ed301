import type { AppError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import type { FormatName } from '../../structure/formats/common/format.ts'
import type { FilePart, FileStream, SentFile } from '../kinds/material/structure-files.ts'
import { type CreatedRecord, createFrom } from '../use-cases/create-record.ts'
import type { OnDuplicate, SameAs } from '../use-cases/write.ts'
import { LONGEST_NAME } from '../validate-record.ts'
import type { Collection } from '../work/deps.ts'

/** Line at which a record begins, or the name of a file; `frame` is one of its structures, `frames` tells of its set how many it has. */
export type ImportPlace =
  | { readonly line: number }
  | { readonly file: string; readonly frame?: number; readonly frames?: number }

/** What is known of a structure of a file that becomes a member of a set. */
interface MemberOfFile {
  readonly part?: FilePart
  /** Follows from account, file and number. */
  readonly id?: string
  /** Fields that its record has in any case. */
  readonly fields?: JsonObject
}

/** A record that an earlier run of an import has stored. */
export interface PresentRecord {
  readonly id: string
  readonly collection: string
  readonly format: FormatName
}

/** Record as JSON text, structure file or part of one, a file to be read as a stream, what is there already, record of our own, or a failure. */
export type ImportItem = { readonly place: ImportPlace } & (
  | { readonly json: Uint8Array }
  | ({ readonly file: Uint8Array | string } & MemberOfFile & Pick<SentFile, 'taken'>)
  | { readonly stream: FileStream }
  | { readonly present: PresentRecord }
  | { readonly document: JsonObject; readonly id: string }
  | { readonly refusal: AppError }
)

/** The last part of the name of a file, without the folders or the archive that it is in. */
export function nameOf(place: ImportPlace): string {
  return 'file' in place ? (place.file.split(/[\\/]/).at(-1) ?? '') : ''
}

/** Report on one thing of an import. `skipped`: the account has it already. `updated`: the record with its key is another version now. */
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
  readonly outcome: 'stored' | 'updated' | 'skipped' | 'refused'
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
  /** Only where records have a key. */
  updated?: number
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
  totals[outcome] = (totals[outcome] ?? 0) + 1
  if (withoutSymmetry !== undefined) totals.withoutSymmetry += 1
}

/** Options of a client for the one file that it imports. */
export interface StructureNaming {
  /** Without it the file's title is the name, else the formula. */
  readonly name?: string
  readonly tags?: readonly string[]
  readonly isPublic?: boolean
  /** The account that the material is to belong to; without it, the session's. */
  readonly ownerId?: string
  /** Action when the account has the structure already; left out, an earlier import under the same name is the answer. */
  readonly onDuplicate?: OnDuplicate
  /** Whether a crystal that the account has already is answered with in place of being stored. */
  readonly skipSame?: boolean
}

/** Stores the structure of a file as a new material. */
export function importStructure(
  materials: Collection,
  { text, fileName, format, frame }: SentFile,
  { name, tags, isPublic, ownerId, onDuplicate, skipSame = false }: StructureNaming,
): Promise<CreatedRecord> {
  const overrides: Record<string, Json> = {
    ...(name === undefined ? {} : { name: name.slice(0, LONGEST_NAME) }),
    ...(tags === undefined ? {} : { tags }),
    ...(isPublic === undefined ? {} : { isPublic }),
    ...(ownerId === undefined ? {} : { owner: { _id: ownerId } }),
  }
  const shape = {
    // `create` asks for another material.
    ...(onDuplicate === 'create' ? { overrides } : { imported: overrides }),
    ...(format === undefined ? {} : { format }),
    ...(frame === undefined ? {} : { frame }),
  }
  const settling = onDuplicate === undefined ? { skipSame } : { onDuplicate, skipSame }
  return createFrom(materials, { file: text, fileName }, shape, settling)
}
