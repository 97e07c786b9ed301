import type { Json } from '../../kernel/json.ts'
import type { SentFile } from '../kinds/material/structure-files.ts'
import { type CreatedRecord, createFrom } from '../use-cases/create-record.ts'
import type { OnDuplicate } from '../use-cases/write-checks.ts'
import { LONGEST_NAME } from '../validate-record.ts'
import type { Collection } from '../work/deps.ts'

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
