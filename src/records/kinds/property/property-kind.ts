import { isBelowLeast, nearPropertyName, propertyNamed, readPropertyData } from '../../../calculations/property-data.ts'
import { isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { type Warning, warning } from '../../../kernel/warnings.ts'
import { plainKind, schemaOf } from '../../plain-kind.ts'
import { describeGiven, type Violation } from '../../schema.ts'
import { RECORD_WARNINGS } from '../../warnings/warnings.ts'
import { referencesOf } from './references.ts'
import { SHOWN_OF_ALL } from './shown-properties.ts'

const MATERIAL = { type: 'string', minLength: 1, references: 'materials' }

const PROPERTY_SCHEMA = schemaOf('property', 'property', ['data'], {
  data: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, description: 'which property it is, such as `total_energy`' },
      units: { type: 'string', description: 'the unit of its numbers, which are stored in that of the name' },
      given: { type: 'object', description: 'what was sent in another unit' },
    },
    description: 'the value with its unit, or what else the name asks for',
  },
  exabyteId: {
    title: 'Material',
    anyOf: [MATERIAL, { type: 'array', items: MATERIAL, maxItems: 100 }],
    description: 'the `_id` of the material that it is of, or of several',
  },
  source: {
    type: 'object',
    properties: {
      type: { type: 'string' },
      info: {
        type: 'object',
        properties: {
          jobId: { type: 'string', title: 'Job', references: 'jobs' },
          unitId: { type: 'string', title: 'Unit' },
          file: { type: 'string', title: 'File', description: 'name of the file of the job that says it' },
          methodId: { type: 'string', title: 'Method', references: 'methods' },
        },
        description: 'such as `jobId`, `unitId` and `methodId`',
      },
    },
    description: 'what the value comes from',
  },
  group: {
    type: 'string',
    pattern: '^[^$.][^.]*$',
    description:
      'what values are compared with each other: `vasp:dft:gga:pbe`, application, model, subtype, functional',
  },
  precision: { type: 'object', description: 'how exact the value is: `kppra`, `kpoints`, `cutoff` in eV' },
  caveat: {
    type: 'string',
    minLength: 1,
    maxLength: 2_000,
    description:
      'why the value is not to be compared with others: it is kept, and neither the best nor shown by its material',
  },
  repetition: { type: 'integer', minimum: 0, description: 'which of several runs of one unit it is from' },
  isRefined: { type: 'boolean', description: 'whether it is from a calculation that refines another' },
  isPreferred: { type: 'boolean', description: 'whether its account takes it for the best, whatever its precision' },
})

/** A computed or measured value, and where it comes from. */
export const propertyKind = plainKind({
  name: 'property',
  collection: 'properties',
  schema: PROPERTY_SCHEMA,
  derivedFields: ['summary', 'isBest'],
  derivedPaths: ['summary.value', 'summary.units', 'summary.type', 'summary.direct', 'summary.max'],
  check: checkProperty,
  remarks: remarksOn,
  derive: deriveProperty,
  defaultName: (document) => String(dataOf(document)?.name),
  recognizes: (document) => typeof dataOf(document)?.name === 'string' && isJsonObject(ownField(document, 'source')),
})

function dataOf(document: JsonObject): JsonObject | null {
  const data = ownField(document, 'data')
  return isJsonObject(data) ? data : null
}

function checkProperty(document: JsonObject, isSound: (field: string) => boolean): readonly Violation[] {
  const data = dataOf(document)
  const ofGroup = SHOWN_OF_ALL.includes(String(ownField(document, 'group')))
    ? [
        {
          pointer: '/group',
          expected: 'a group that is not the name of a field of properties',
          given: describeGiven(ownField(document, 'group')),
        },
      ]
    : []
  if (data === null || !isSound('data')) return ofGroup
  const { faults } = readPropertyData(data)
  return [...ofGroup, ...faults.map(({ pointer, expected }) => faultAt(data, pointer, expected))]
}

function faultAt(data: JsonObject, pointer: string, expected: string): Violation {
  const given = pointer.split('/').slice(1).reduce<Json | undefined>(childOf, data)
  return {
    pointer: `/data${pointer}`,
    expected: `${expected}, since it is ${String(ownField(data, 'name'))}`,
    given: describeGiven(given),
  }
}

function childOf(value: Json | undefined, key: string): Json | undefined {
  return value !== null && typeof value === 'object' ? ownField(value as JsonObject, key) : undefined
}

function remarksOn(document: JsonObject): readonly Warning[] {
  const data = dataOf(document)
  if (data === null) return []
  return [...ofName(data), ...ofValue(data), ...ofSubject(document)]
}

/** Tells of a unit that was not said, and of a name of one's own that is nearly a known one. */
function ofName(data: JsonObject): readonly Warning[] {
  const name = String(data.name)
  const near = nearPropertyName(name)
  if (near !== null) {
    const message = `"${name}" is a name of your own: its numbers are taken as they are.`
    return [warning(RECORD_WARNINGS.nearlyProperty, 'data.name', message, `Did you mean "${near}"?`)]
  }
  const units = propertyNamed(name)?.units ?? null
  if (units === null || ownField(data, 'units') !== undefined) return []
  const message = `The ${name} has no units; they are taken to be ${units}.`
  return [warning(RECORD_WARNINGS.unitTaken, 'data.units', message, 'Send them with the value.')]
}

function ofValue(data: JsonObject): readonly Warning[] {
  if (!isBelowLeast(data)) return []
  const message = `A ${String(data.name)} is never below ${propertyNamed(String(data.name))?.least}: is its sign right?`
  return [
    warning(
      RECORD_WARNINGS.oddValue,
      'data',
      message,
      'It is stored as it was sent, and its material does not show it.',
    ),
  ]
}

/** Tells of a property that no material and no job has. */
function ofSubject(document: JsonObject): readonly Warning[] {
  const source = ownField(document, 'source')
  const named = referencesOf(ownField(document, 'exabyteId'), source).filter(
    ({ collection }) => collection !== 'methods',
  )
  if (named.length > 0) return []
  const message = 'The property names no material (exabyteId) and no job (source.info.jobId): none shows it.'
  return [
    warning(
      RECORD_WARNINGS.ofNothing,
      'exabyteId',
      message,
      'Send the _id of the material that it is of as exabyteId.',
    ),
  ]
}

/** Data in the units of their name, and what is to be said of them in lists. Whether it is the best follows from the other properties of its material. */
function deriveProperty(document: JsonObject, { stored }: { readonly stored?: JsonObject | undefined }): JsonObject {
  const { data, summary } = readPropertyData(dataOf(document) ?? {})
  const isBest = stored !== undefined && ownField(stored, 'isBest') === true
  return { data, summary, ...(isBest ? { isBest } : {}) }
}
