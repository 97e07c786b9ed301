import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { knownField } from '../../../page/known-fields.ts'
import type { FieldNote } from '../../../query/warnings/field-knowledge.ts'
import { LATTICE_TYPES } from '../../../structure/lattice.ts'
import type { Bank, RecordKind } from '../../record-kind.ts'
import { COMMON_PROPERTIES } from '../../validate-record.ts'
import { checkMaterial } from './check-material.ts'
import { DERIVED_FIELDS, deriveMaterial } from './derive-material.ts'
import { DERIVED_PATHS, OTHER_NAMES, spellField } from './field-spelling.ts'
import { MATERIAL_PARAMETERS } from './list-parameters.ts'
import { computedItems, reasonOfNoSymmetry, symmetryGaveUpMs } from './symmetry-fields.ts'

const BASIS_FIELDS = ['elements', 'coordinates', 'labels', 'disorder', 'magneticMoments', 'units']
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
    ...pick(document, ['periodicDirections']),
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

/** Most atoms in the cell of a stored material. */
export const MOST_SITES = 10_000

const VECTOR: JsonObject = { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 }
const LENGTH_UNIT: JsonObject = { enum: ['angstrom', 'bohr'], default: 'angstrom' }

/** A list with one value for each atom, or for some; `id` says for which. */
function perSite(value: JsonObject, description: string, minItems = 0): JsonObject {
  return listOfSites({ value }, { description, minItems, required: ['id', 'value'] })
}

function listOfSites(
  properties: JsonObject,
  { description, minItems, required }: { description: string; minItems: number; required: readonly string[] },
): JsonObject {
  const items = { type: 'object', required, properties: { id: { type: 'integer' }, ...properties } }
  return { type: 'array', minItems, maxItems: MOST_SITES, description, items }
}

const BASIS: JsonObject = {
  type: 'object',
  description: 'the atoms of the cell',
  required: ['elements', 'coordinates'],
  properties: {
    elements: listOfSites(
      {
        value: { type: 'string' },
        occurrence: {
          type: 'number',
          exclusiveMinimum: 0,
          maximum: 1,
          description: 'in which share of the cells the atom is there; 1 when it is left out',
        },
        oxidationState: { type: 'number' },
        isotope: { type: 'integer', minimum: 1, description: 'the mass number, where it is not the natural mixture' },
      },
      {
        description: 'symbols of the elements; species that share a site are entries with the same coordinates',
        minItems: 1,
        required: ['id', 'value'],
      },
    ),
    coordinates: perSite(VECTOR, 'positions, for the same ids as the elements', 1),
    labels: perSite(
      { type: ['number', 'string'] },
      'what tells atoms of one element apart, for instance two spins of Fe',
    ),
    constraints: perSite(
      { type: 'array', items: { type: 'boolean' }, minItems: 3, maxItems: 3 },
      'whether the atom may move along each direction',
    ),
    disorder: listOfSites(
      { assembly: { type: 'string' }, group: { type: 'string', minLength: 1 } },
      {
        description: 'atoms of different groups of one assembly are never there at the same time',
        minItems: 0,
        required: ['id', 'group'],
      },
    ),
    magneticMoments: perSite(
      VECTOR,
      'magnetic moments in Bohr magnetons, Cartesian, in the frame of the lattice vectors',
    ),
    units: {
      enum: ['crystal', 'cartesian'],
      default: 'crystal',
      description: 'crystal: fractions of the lattice vectors; cartesian: in the unit of length of the lattice',
    },
    name: { type: 'string' },
    bonds: { type: 'array' },
  },
}

const LATTICE: JsonObject = {
  type: 'object',
  description: 'the cell',
  required: ['a', 'b', 'c', 'alpha', 'beta', 'gamma'],
  properties: {
    a: { type: 'number', exclusiveMinimum: 0 },
    b: { type: 'number', exclusiveMinimum: 0 },
    c: { type: 'number', exclusiveMinimum: 0 },
    alpha: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 180, description: 'between b and c' },
    beta: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 180, description: 'between a and c' },
    gamma: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 180, description: 'between a and b' },
    type: { enum: [...LATTICE_TYPES], description: 'the Bravais lattice; found when it is left out' },
    units: {
      type: 'object',
      properties: { length: LENGTH_UNIT, angle: { enum: ['degree', 'radian'], default: 'degree' } },
    },
    vectors: {
      type: 'object',
      description: 'computed from the lengths and angles unless the given ones agree with these',
      required: ['a', 'b', 'c'],
      properties: {
        a: VECTOR,
        b: VECTOR,
        c: VECTOR,
        alat: { type: 'number', exclusiveMinimum: 0 },
        units: LENGTH_UNIT,
      },
    },
  },
}

/** Schema of a material from a client: a crystal structure with whatever belongs to it. */
export const MATERIAL_SCHEMA: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'material',
  title: 'material',
  type: 'object',
  required: ['basis', 'lattice'],
  properties: {
    ...COMMON_PROPERTIES,
    basis: BASIS,
    lattice: LATTICE,
    isNonPeriodic: { type: 'boolean', default: false, description: 'true for a molecule in a box' },
    periodicDirections: {
      type: 'array',
      items: { type: 'boolean' },
      minItems: 3,
      maxItems: 3,
      description: 'along which lattice vectors the structure repeats, for slabs and wires; all when it is left out',
    },
    derivedProperties: {
      type: 'array',
      description: 'computed, except for those that cannot be: inchi, inchi_key and others of a molecule',
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
  },
}

/** Reads what people call a field of materials, and its unit. */
function noteOf(path: string): FieldNote | null {
  const field = knownField(path)
  return field === null ? null : { title: field.title, unit: field.unit ?? null, description: null }
}

export const materialKind: RecordKind = {
  name: 'material',
  collection: 'materials',
  schema: MATERIAL_SCHEMA,
  check: checkMaterial,
  derivedFields: DERIVED_FIELDS,
  computedItems,
  derivedPaths: DERIVED_PATHS,
  otherNames: OTHER_NAMES,
  noteOf,
  spelling: spellField,
  listParameters: MATERIAL_PARAMETERS,
  derive: deriveMaterial,
  withoutSymmetry: reasonOfNoSymmetry,
  gaveUpMs: symmetryGaveUpMs,
  contentField: 'hash',
  likeness: ['fingerprint', 'formula', 'volumePerAtom'],
  bank: MATERIAL_BANK,
  recognizes: (document) => isJsonObject(ownField(document, 'basis')) && isJsonObject(ownField(document, 'lattice')),
  defaultName: (document) => String(ownField(document, 'formula')),
}
