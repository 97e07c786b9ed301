import { isJsonObject, type JsonObject, ownField } from '../kernel/json.ts'
import { materialKind } from './kinds/material/material-kind.ts'
import { methodKind } from './kinds/method/method-kind.ts'
import type { RecordKind } from './record-kind.ts'
import { entityClass, isEntitySet } from './sets/entity-set.ts'

/** Every kind of record that there is. */
export const RECORD_KINDS: readonly RecordKind[] = [materialKind, methodKind]

/** Tells by its fields what kind of record a document is; null when it could be none of them. */
export function detectKind(document: JsonObject): RecordKind | null {
  if (isEntitySet(document)) return kindOfSet(document)
  if (isJsonObject(ownField(document, 'basis')) && isJsonObject(ownField(document, 'lattice'))) return materialKind
  const isMethod = ['type', 'subtype'].every((key) => typeof ownField(document, key) === 'string')
  return isMethod ? methodKind : null
}

function kindOfSet(document: JsonObject): RecordKind | null {
  return RECORD_KINDS.find((kind) => entityClass(kind) === ownField(document, 'entityCls')) ?? null
}
