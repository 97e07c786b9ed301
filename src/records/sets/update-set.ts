import { assertMayWrite } from '../../accounts/permissions.ts'
import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../deps.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { getRecord } from '../get-record.ts'
import type { WriteOptions } from '../own-record.ts'
import type { RecordKind } from '../record-kind.ts'
import { updateRecord } from '../update-record.ts'
import { isEntitySet } from './entity-set.ts'

/** Changes fields of a set; takes what `createSet` takes, as existing clients send it. */
export async function updateSet(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  body: JsonObject,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  assertMayWrite(session)
  const document = JSON.parse((await getRecord(deps, kind, session, id)).text) as JsonObject
  if (!isEntitySet(document)) throw notASet(kind, id)
  return updateRecord(deps, kind, session, id, withoutSameOwner(body, document), options)
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
