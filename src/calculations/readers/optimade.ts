import { isJsonArray, isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { takeWhole } from '../../structure/formats/json/json-fields.ts'
import { optimadeFormat as optimadeStructures } from '../../structure/formats/json/optimade.ts'
import type { OutputFormat } from '../calculation.ts'
import { readProviderFields } from './optimade-providers.ts'
import { takeObject } from './records/database-results.ts'
import {
  type DatabaseKind,
  type DatabaseRecord,
  JsonRecords,
  type RecordReading,
  UNKNOWN_CODE,
} from './records/json-records.ts'

/** Structures of an OPTIMADE response with fields of their providers: a response, its `data`, a list, or one entry. */
export const optimadeResultsFormat: OutputFormat = {
  name: 'optimade',
  title: 'OPTIMADE structures with results',
  fileNames: /\.json$/i,
  recognizes: (head) =>
    /^\s*[[{]/.test(head) &&
    /"type"\s*:\s*"structures"|"cartesian_site_positions"\s*:/.test(head) &&
    OF_PROVIDER.test(head),
  source: { kind: 'text', open: (limits) => new JsonRecords(KIND, limits) },
}

/** Fields of providers; those that exports of structures have say nothing that was computed. */
const OF_PROVIDER = /"_(?!quarry_)[a-z\d]+_\w/

const KIND: DatabaseKind = {
  title: 'structures entry of OPTIMADE',
  lists: ['data'],
  isRecord: (record) =>
    isJsonObject(ownField(record, 'attributes')) || isJsonArray(ownField(record, 'cartesian_site_positions')),
  hasStructure: (record) => isJsonArray(ownField(attributesOf(record), 'cartesian_site_positions')),
  structures: optimadeStructures,
  read: readEntry,
}

function attributesOf(entry: JsonObject): JsonObject {
  const attributes = ownField(entry, 'attributes')
  return isJsonObject(attributes) ? attributes : entry
}

function readEntry({ crystal, fields }: DatabaseRecord): readonly RecordReading[] {
  const id = idOf(fields)
  const attributes = takeObject(fields, 'attributes') ?? fields
  const prefixes = new Set(Object.keys(attributes).flatMap((name) => /^_([a-z\d]+)_/.exec(name)?.[1] ?? []))
  const readings = [...prefixes].flatMap((prefix) => readProviderFields(prefix, { attributes, crystal, id }))
  const [main, ...others] = readings
  if (main === undefined) return [{ code: UNKNOWN_CODE, ...(id === undefined ? {} : { id }), results: [] }]
  return [{ ...main, ...(id === undefined ? {} : { id }) }, ...others]
}

function idOf(entry: JsonObject): string | undefined {
  const id = ownField(entry, 'id')
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  takeWhole(entry, 'id')
  return String(id)
}
