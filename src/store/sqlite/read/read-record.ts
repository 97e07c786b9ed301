import type { Scope } from '../../../query/plan/scope.ts'
import type { StoredRecord } from '../../port/record-store.ts'
import { PUBLIC_SCOPE } from '../scopes.ts'
import type { Reader } from './reader.ts'

interface Row {
  readonly id: string
  readonly account: string
  readonly owner: number
  readonly scope: number
  readonly version: number
  readonly doc: string
}

/** Reads one record that a scope can see. */
export type ReadRecord = (collection: string, scope: Scope, id: string) => StoredRecord | null

/** Prepares the reading of single records. */
export function recordReader(reader: Reader): ReadRecord {
  const find = reader.connection.prepare<[number, string], Row>(
    `SELECT record.id, owner.account, record.owner, record.scope, record.version, record.doc
     FROM record JOIN owner ON owner.number = record.owner WHERE record.collection = ? AND record.id = ?`,
  )
  return (collectionName, scope, id) => {
    const collection = reader.names.collection(collectionName)
    const row = collection === null ? undefined : find.get(collection, id)
    if (row === undefined) return null
    const visible = reader.names.scopes(scope)
    if (visible !== null && !visible.includes(row.scope)) return null
    return {
      id: row.id,
      accountId: row.account,
      isPublic: row.scope === PUBLIC_SCOPE,
      version: row.version,
      text: row.doc,
    }
  }
}
