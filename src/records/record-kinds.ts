import { type JsonObject, ownField } from '../kernel/json.ts'
import { jobKind } from './kinds/job/job-kind.ts'
import { materialKind } from './kinds/material/material-kind.ts'
import { methodKind } from './kinds/method/method-kind.ts'
import { projectKind } from './kinds/project/project-kind.ts'
import { propertyKind } from './kinds/property/property-kind.ts'
import { workflowKind } from './kinds/workflow/workflow-kind.ts'
import type { RecordKind } from './record-kind.ts'
import { entityClass, isEntitySet } from './sets/entity-set.ts'

/** Every kind of record that comes with the program. An operator can add others, which have no code. */
export const RECORD_KINDS: readonly RecordKind[] = [
  materialKind,
  methodKind,
  workflowKind,
  jobKind,
  projectKind,
  propertyKind,
]

/** Tells by its fields what kind of record a document is; null when it could be none of them. */
export function detectKind(document: JsonObject): RecordKind | null {
  if (isEntitySet(document)) return kindOfSet(document)
  return RECORD_KINDS.find((kind) => kind.recognizes?.(document) === true) ?? null
}

function kindOfSet(document: JsonObject): RecordKind | null {
  return RECORD_KINDS.find((kind) => entityClass(kind) === ownField(document, 'entityCls')) ?? null
}
