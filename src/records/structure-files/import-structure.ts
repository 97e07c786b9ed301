import type { Session } from '../../accounts/session.ts'
import { type CreatedRecord, createRecord } from '../create-record.ts'
import type { RecordDeps } from '../deps.ts'
import type { OnDuplicate } from '../find-duplicates.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { materialDocument, type StructureImportOptions } from './material-document.ts'
import type { StructureFile } from './structure-file.ts'

/** What a client says about the one file that it imports. */
export interface StructureNaming extends StructureImportOptions {
  /** Without it the file's title is the name, else the formula. */
  readonly name?: string
  /** The account that the material is to belong to; without it, the session's. */
  readonly ownerId?: string
  /** What to do when the account has the structure already; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
}

/** Stores the structure of a file as a new material. */
export function importStructure(
  deps: RecordDeps,
  session: Session,
  file: StructureFile,
  { name, ownerId, onDuplicate = 'create', ...options }: StructureNaming,
): Promise<CreatedRecord> {
  const { document } = materialDocument({ ...file, limits: deps.structureLimits }, options, name)
  const owner = ownerId === undefined ? {} : { owner: { _id: ownerId } }
  return createRecord(deps, materialKind, session, { ...document, ...owner }, { onDuplicate })
}
