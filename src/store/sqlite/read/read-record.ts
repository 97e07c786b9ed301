import type { Scope } from '../../../query/plan/scope.ts'
import type { GlancedRecord, StoredRecord } from '../../port/record-store.ts'
import { PUBLIC_SCOPE } from '../scopes.ts'
import type { Reader } from './reader.ts'

interface Row {
  readonly n: number
  readonly id: string
  readonly account: string
  readonly owner: number
  readonly scope: number
  readonly version: number
  readonly doc: string
}

/** Reads single records that a scope can see. */
export interface RecordReader {
  read(collection: string, scope: Scope, id: string): StoredRecord | null
  readDefault(collection: string, scope: Scope, accountId: string): StoredRecord | null
  /** Reads what is sent of a record, in the fewest steps. */
  glance(collection: string, scope: Scope, id: string): GlancedRecord | null
}

const SELECT = `SELECT record.n, record.id, owner.account, record.owner, record.scope, record.version, record.doc
  FROM record JOIN owner ON owner.number = record.owner`

/** Prepares the reading of single records. */
export function recordReader({ connection, names }: Reader): RecordReader {
  const find = connection.prepare<[number, string], Row>(`${SELECT} WHERE record.collection = ? AND record.id = ?`)
  const findDefault = connection.prepare<[number, string], Row>(
    `${SELECT} WHERE record.collection = ? AND owner.account = ? AND record.is_default = 1`,
  )

  const glimpse = connection
    .prepare<[number, string], [scope: number, n: number, version: number, doc: string]>(
      'SELECT scope, n, version, doc FROM record WHERE collection = ? AND id = ?',
    )
    .raw()

  function present(row: Row | undefined, scope: Scope): StoredRecord | null {
    if (row === undefined || !names.sees(scope, row.scope)) return null
    return {
      id: row.id,
      accountId: row.account,
      isPublic: row.scope === PUBLIC_SCOPE,
      serial: row.n,
      version: row.version,
      text: row.doc,
    }
  }

  return {
    read(collectionName, scope, id) {
      const collection = names.collection(collectionName)
      return collection === null ? null : present(find.get(collection, id), scope)
    },
    glance(collectionName, scope, id) {
      const collection = names.collection(collectionName)
      const row = collection === null ? undefined : glimpse.get(collection, id)
      return row !== undefined && names.sees(scope, row[0]) ? { serial: row[1], version: row[2], text: row[3] } : null
    },
    readDefault(collectionName, scope, accountId) {
      const collection = names.collection(collectionName)
      return collection === null ? null : present(findDefault.get(collection, accountId), scope)
    },
  }
}
