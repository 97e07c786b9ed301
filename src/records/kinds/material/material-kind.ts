import { isJsonObject, ownField } from '../../../kernel/json.ts'
import type { RecordKind } from '../../record-kind.ts'
import { MATERIAL_BANK } from './bank-entry.ts'
import { checkMaterial } from './check-material.ts'
import { DERIVED_FIELDS, deriveMaterial } from './derive-material.ts'
import { computedItems } from './derived-properties.ts'
import { DERIVED_PATHS, OTHER_NAMES } from './field-names.ts'
import { spellField } from './field-spelling.ts'
import { MATERIAL_PARAMETERS } from './list-parameters.ts'
import { MATERIAL_SCHEMA } from './material-schema.ts'
import { reasonOfNoSymmetry, symmetryMissed } from './symmetry-fields.ts'

/** A crystal structure. */
export const materialKind: RecordKind = {
  name: 'material',
  collection: 'materials',
  schema: MATERIAL_SCHEMA,
  check: checkMaterial,
  derivedFields: DERIVED_FIELDS,
  computedItems,
  derivedPaths: DERIVED_PATHS,
  otherNames: OTHER_NAMES,
  spelling: spellField,
  listParameters: MATERIAL_PARAMETERS,
  derive: deriveMaterial,
  withoutSymmetry: reasonOfNoSymmetry,
  symmetryMissed,
  contentField: 'hash',
  bank: MATERIAL_BANK,
  recognizes: (document) => isJsonObject(ownField(document, 'basis')) && isJsonObject(ownField(document, 'lattice')),
  defaultName: (document) => String(ownField(document, 'formula')),
}
