import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import type { Bank } from '../../record-kind.ts'
import { DERIVED_FIELDS } from './derive-material.ts'

const BASIS_FIELDS = ['elements', 'coordinates', 'labels', 'units']
const LATTICE_FIELDS = ['a', 'b', 'c', 'alpha', 'beta', 'gamma', 'type', 'units', 'vectors']
/** Properties that follow from a structure, and those that name a molecule. */
const PROPERTIES = ['volume', 'density', 'elemental_ratio', 'symmetry', 'inchi', 'inchi_key']

/** Public materials, one of each structure. */
export const MATERIAL_BANK: Bank = {
  name: 'bank-material',
  collection: 'bank-materials',
  keyOf(document) {
    const hash = ownField(document, 'hash')
    return typeof hash === 'string' ? hash : null
  },
  entryOf: (document) => ({
    name: ownField(document, 'formula') ?? '',
    ...pick(document, DERIVED_FIELDS),
    basis: pick(ownField(document, 'basis'), BASIS_FIELDS),
    lattice: pick(ownField(document, 'lattice'), LATTICE_FIELDS),
    isNonPeriodic: ownField(document, 'isNonPeriodic') === true,
    derivedProperties: structuralProperties(ownField(document, 'derivedProperties')),
    consistencyChecks: [],
  }),
}

function pick(object: Json | undefined, fields: readonly string[]): JsonObject {
  if (!isJsonObject(object)) return {}
  return Object.fromEntries(Object.entries(object).filter(([field]) => fields.includes(field)))
}

function structuralProperties(properties: Json | undefined): readonly Json[] {
  if (!isJsonArray(properties)) return []
  return properties.filter((property) => isJsonObject(property) && PROPERTIES.includes(String(property.name)))
}
