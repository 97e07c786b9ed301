import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { RecordKind } from '../record-kind.ts'
import { entityClass, isEntitySet } from './entity-set.ts'
import { materialKind } from './material/material-kind.ts'
import { jobKind, methodKind, projectKind, propertyKind, workflowKind } from './plain-kinds.ts'
import { savedQueryKind } from './saved-query.ts'

/** Every kind of record that comes with the program. An operator can add others, which have no code. */
export const RECORD_KINDS: readonly RecordKind[] = [
  materialKind,
  methodKind,
  workflowKind,
  jobKind,
  projectKind,
  propertyKind,
  savedQueryKind,
]

/** Tells by its fields what kind of record a document is; null when it could be none of them. */
export function detectKind(document: JsonObject): RecordKind | null {
  if (isEntitySet(document)) return kindOfSet(document)
  return RECORD_KINDS.find((kind) => kind.recognizes?.(document) === true) ?? null
}

function kindOfSet(document: JsonObject): RecordKind | null {
  return RECORD_KINDS.find((kind) => entityClass(kind) === ownField(document, 'entityCls')) ?? null
}
