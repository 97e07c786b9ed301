import type { ClientBytes } from '../../kernel/bytes.ts'
import type { PackedError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import type { FormatName } from '../../structure/formats/common/format.ts'
import type { AttachedFile } from '../attached-files.ts'
import type { Named } from '../ids.ts'
import type { StructureFile } from '../kinds/material/structure-files.ts'
import type { OriginName } from '../origins.ts'
import type { WriteWarning } from '../warnings/write-warnings.ts'
import type { Transition } from './contribution.ts'
import type { RecordKey } from './record-key.ts'

/** Source of a record: JSON that a client sent, a structure file, the text of a stored record, or a document of our own. */
export type RecordSource =
  | { readonly json: ClientBytes }
  | ({ readonly file: Uint8Array | string; readonly fileName?: string | undefined } & Pick<
      StructureFile,
      'part' | 'taken'
    >)
  | { readonly stored: string }
  | { readonly document: JsonObject }

/** A record that is to be made. Plain data, as all of this file: it goes to another thread. */
export interface RecordInput {
  readonly source: RecordSource
  /** Without it, the record keeps the `_id` that it brings, or gets one that follows from its source. */
  readonly id?: string
  /** Files that it has from the beginning, whose contents are stored. */
  readonly files?: readonly AttachedFile[]
  /** Ids that it brings and that were given out for its account. */
  readonly ownIds?: readonly string[]
  /** Reason for not seeking its symmetry. */
  readonly noSymmetry?: string
  /** Fields that are there whatever the source has: of this record, as the `overrides` of the terms of all. */
  readonly fields?: JsonObject
}

/** Terms of all records that are built at a time. */
export interface BuildTerms {
  /** The collection of all; without it, the kind of each is told by its fields. */
  readonly collection?: string
  /**
   * `import`: a record keeps its id, its time of creation and its sets, and belongs to the account whatever it says. `create`: it
   * gets new ones, and may name another account of the user.
   */
  readonly purpose: 'import' | 'create'
  /** Whether ids in the form of the server's own stay, of a record and of its sets, whoever they were given out for. */
  readonly keepsIds?: boolean
  readonly account: Named
  readonly user: Named
  /** Milliseconds since 1970. */
  readonly now: number
  /** Fields that are left out, that are there where the source has none or null, and that are there whatever the source has. */
  readonly leaveOut?: readonly string[]
  readonly defaults?: JsonObject
  readonly overrides?: JsonObject
  /** The format of structure files, told by name and content when left out; and which of their structures is meant. */
  readonly format?: string
  readonly frame?: number
  readonly isDefault?: boolean
  /** Paths of the key of each, which is told with the outcome. */
  readonly key?: readonly string[]
}

/** A record as it is to be stored, with what others have of it before and after. */
export interface BuiltRecord extends Transition {
  /** Text as stored and served; begins with the `_id`. */
  readonly text: string
  readonly isPublic: boolean
  /** As the store keeps it with the record (`WrittenContent`). */
  readonly gaveUpMs: number | null
  readonly warnings: readonly WriteWarning[]
  /** Records that a client says it was made from; left out, none that have to be looked for. */
  readonly origins?: readonly OriginName[]
}

/** A record that is not there yet. */
export interface NewRecord extends BuiltRecord {
  readonly collection: string
  readonly id: string
  /** Content in common with its duplicates; null where its kind knows no duplicates. */
  readonly content: string | null
  /** Fields by which the same records are found; null where its kind has none. */
  readonly likeness: JsonObject | null
  /** Ids that it brought and in whose place it has others. */
  readonly replacedIds: readonly string[]
  /** Reason why its symmetry is not known, where it might be. */
  readonly withoutSymmetry: string | null
}

/** Findings of reading a structure file. */
export interface FileReading {
  readonly format: FormatName
  readonly warnings: readonly StructureWarning[]
}

/** Outcome of an input. */
export type BuildOutcome = { readonly reading?: FileReading; readonly key?: RecordKey } & (
  | { readonly built: NewRecord }
  /** It is to belong to another account, which has to be looked up first. */
  | { readonly otherAccount: string }
  | { readonly refusal: PackedError }
  /** A fault of the program: what a log should tell of it. */
  | { readonly fault: string }
)
