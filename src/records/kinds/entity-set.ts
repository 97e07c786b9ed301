import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { remedied } from '../../page/remedies.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'

const SET_SCHEMA: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'entity set',
  type: 'object',
  required: ['name', 'entitySetType'],
  properties: { name: { type: 'string' }, entitySetType: { enum: ['ordered', 'unordered'] } },
}

const sets = new WeakMap<RecordKind, RecordKind>()

/** The kind that the sets of a kind are of: records of its collection that have members instead of content. */
export function entitySetOf(kind: RecordKind): RecordKind {
  let set = sets.get(kind)
  if (set === undefined) {
    set = {
      name: `set of ${kind.collection}`,
      collection: kind.collection,
      schema: SET_SCHEMA,
      hint: 'A set has a name, and entitySetType is "ordered" or "unordered".',
      check: () => [],
      derivedFields: ['entityCls'],
      derive: (document) => ({ isEntitySet: true, entityCls: entityClass(kind), ...nextIndexOf(document) }),
      defaultName: () => 'set',
    }
    sets.set(kind, set)
  }
  return set
}

export function isEntitySet(document: JsonObject): boolean {
  return ownField(document, 'isEntitySet') === true
}

/** The kind by whose rules a document of a kind's collection goes: a set has its own. */
export function formOf(kind: RecordKind, document: JsonObject): RecordKind {
  return isEntitySet(document) ? entitySetOf(kind) : kind
}

/** Class of a kind's members in references: `Material`. */
export function entityClass(kind: RecordKind): string {
  return kind.name.replace(/(?:^|[-_ ])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** An ordered set counts arrivals, so that its members never share an index. */
function nextIndexOf(document: JsonObject): JsonObject {
  if (ownField(document, 'entitySetType') !== 'ordered') return {}
  const next = ownField(document, 'nextIndex')
  return { nextIndex: typeof next === 'number' ? next : 0 }
}

/** Reads the body of an update of a set; refuses it for other records. */
export function setUpdate(kind: RecordKind, set: JsonObject, body: JsonObject): JsonObject {
  if (!isEntitySet(set)) throw notASet(kind, String(ownField(set, '_id')))
  return withoutSameOwner(body, set)
}

/** The refusal of a record where a set is expected. */
export function notASet(kind: RecordKind, id: string, path = '_id'): AppError {
  return new AppError(
    RECORD_ERRORS.notASet,
    `${JSON.stringify(id)} is a ${kind.name}, not a set of ${kind.collection}.`,
    {
      path,
      ...remedied('findSets', { collection: kind.collection }),
    },
  )
}

/** Clients name the owner by its id alone; that is a change only when it is another. */
function withoutSameOwner(body: JsonObject, document: JsonObject): JsonObject {
  const given = ownField(body, 'owner')
  const owner = ownField(document, 'owner')
  const isSame = isJsonObject(given) && isJsonObject(owner) && ownField(given, '_id') === ownField(owner, '_id')
  if (!isSame && given !== null) return body
  const { owner: _owner, ...others } = body
  return others
}
