import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'
import { isEntitySet } from './entity-set.ts'

/** What the body of an update means for a set; refuses it for other records. */
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
      hint: `PUT /${kind.collection}/create-set makes a set; GET /${kind.collection}?query={"isEntitySet":true} lists them.`,
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
