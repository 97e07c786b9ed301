import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../deps.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { readOwnRecord } from '../own-record.ts'
import type { RecordKind } from '../record-kind.ts'

/** Reads a record as it was at one of its versions. */
export async function getRevision(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  version: number,
): Promise<StoredRecord> {
  const record = await readOwnRecord(deps, kind, session, id, {})
  if (version === record.version) return record
  const text = await deps.store.readRevision(kind.collection, session.scope, id, version)
  if (text !== null) return { ...record, version, text }
  throw new AppError(
    RECORD_ERRORS.revisionNotFound,
    version > record.version
      ? `There is no version ${version} of the ${kind.name}: it is at version ${record.version}.`
      : `Version ${version} of the ${kind.name} is not kept any more.`,
    { path: 'revision', hint: `GET /${kind.collection}/${id}/history lists the versions that are kept.` },
  )
}
