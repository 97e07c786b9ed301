import type { JsonObject } from '../../kernel/json.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { API_PREFIX } from '../address.ts'
import { pascalCase, schemaName } from '../openapi/document.ts'
import { reference } from '../openapi/schemas.ts'

/** The names that the routes of one kind of record share: addresses, tag, words for people. */
export interface CollectionNames {
  readonly path: string
  readonly itemPath: string
  readonly tag: string
  /** `material`, within a sentence. */
  readonly one: string
  /** `materials`, within a sentence. */
  readonly many: string
  /** `Material`, at the start of a sentence and in names of operations. */
  readonly One: string
  readonly Many: string
  readonly schema: JsonObject
}

/** Derives them from the kind, so that one more kind needs nothing here. */
export function namesOf(kind: RecordKind): CollectionNames {
  const Many = pascalCase(kind.collection)
  return {
    path: `${API_PREFIX}/${kind.collection}`,
    itemPath: `${API_PREFIX}/${kind.collection}/:id`,
    tag: Many,
    one: kind.name.replaceAll('-', ' '),
    many: kind.collection.replaceAll('-', ' '),
    One: pascalCase(kind.name),
    Many,
    schema: reference(schemaName(kind)),
  }
}
