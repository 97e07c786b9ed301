import { isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { FieldGuide } from '../../query/warnings/field-guide.ts'
import { COMMON_PROPERTIES } from '../common-fields.ts'
import type { RecordKind } from '../record-kind.ts'

/** What the server adds to records of every kind, and what clients of this API keep in them. */
const SERVER_PATHS = (
  '_id slug owner owner._id owner.slug owner.cls creator creator._id creator.slug creator.cls createdAt updatedAt schemaVersion ' +
  'isDefault inSet inSet._id inSet.cls inSet.slug inSet.type inSet.index isEntitySet entitySetType entityCls nextIndex exabyteId ' +
  'systemName isCurated source.info.jobId metadata'
).split(' ')

/** What people who know other databases call such fields. */
const OTHER_NAMES = {
  id: '_id',
  title: 'name',
  label: 'name',
  created: 'createdAt',
  modified: 'updatedAt',
  public: 'isPublic',
}

const guides = new WeakMap<RecordKind, FieldGuide>()

/** What the description of a kind of record tells of its fields. */
export function guideOf(kind: RecordKind): FieldGuide {
  let guide = guides.get(kind)
  if (guide === undefined) {
    guide = makeGuide(kind)
    guides.set(kind, guide)
  }
  return guide
}

function makeGuide(kind: RecordKind): FieldGuide {
  const { schema, derivedFields = [], derivedPaths = [], otherNames = {} } = kind
  const common = { properties: COMMON_PROPERTIES }
  return {
    many: kind.collection.replaceAll('-', ' '),
    documented: new Set([
      ...pathsOf(common, ''),
      ...pathsOf(schema, ''),
      ...derivedFields,
      ...derivedPaths,
      ...SERVER_PATHS,
    ]),
    otherNames: new Map(Object.entries({ ...OTHER_NAMES, ...otherNames })),
  }
}

/** The paths that a schema names, through arrays too. References lead nowhere here: what they name is only not known in advance. */
function pathsOf(schema: JsonObject, above: string): string[] {
  const properties = ownField(schema, 'properties')
  const items = ownField(schema, 'items')
  const here = isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, below]) => named(name, below, above))
    : []
  return isJsonObject(items) ? [...here, ...pathsOf(items, above)] : here
}

function named(name: string, schema: Json, above: string): string[] {
  const path = above === '' ? name : `${above}.${name}`
  return isJsonObject(schema) ? [path, ...pathsOf(schema, path)] : [path]
}
