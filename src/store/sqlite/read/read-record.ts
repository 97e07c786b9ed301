import type { Scope } from '../../../query/plan/scope.ts'
import type { GlancedRecord, StoredRecord } from '../../port/record-store.ts'
import { type RecordContent, recordChecksum, type Sealed, undamaged } from '../row-checksum.ts'
import { PUBLIC_SCOPE } from '../scopes.ts'
import type { Reader } from './reader.ts'

type Row = Sealed<RecordContent> & { readonly account: string }

/** A row as an array, which SQLite hands over in half the time. */
type Glimpse = [
  n: number,
  scope: number,
  owner: number,
  version: number,
  is_default: number,
  doc: string,
  note: string | null,
  checksum: number | null,
]

/** Reads single records that a scope can see. */
export interface RecordReader {
  read(collection: string, scope: Scope, id: string): StoredRecord | null
  readDefault(collection: string, scope: Scope, accountId: string): StoredRecord | null
  /** Reads what is sent of a record, in the fewest steps. */
  glance(collection: string, scope: Scope, id: string): GlancedRecord | null
}

const SELECT = `SELECT n, collection, scope, owner, id, version, is_default, doc, note, checksum, owner.account
  FROM record JOIN owner ON owner.number = record.owner`

/** Prepares the reading of single records. */
export function recordReader({ connection, names }: Reader): RecordReader {
  const find = connection.prepare<[number, string], Row>(`${SELECT} WHERE record.collection = ? AND record.id = ?`)
  const findDefault = connection.prepare<[number, string], Row>(
    `${SELECT} WHERE record.collection = ? AND owner.account = ? AND record.is_default = 1`,
  )

  const glimpse = connection
    .prepare<[number, string], Glimpse>(
      'SELECT n, scope, owner, version, is_default, doc, note, checksum FROM record WHERE collection = ? AND id = ?',
    )
    .raw()

  function present(row: Row | undefined, scope: Scope): StoredRecord | null {
    if (row === undefined || !names.sees(scope, row.scope)) return null
    undamaged<RecordContent>(row, recordChecksum, row.id)
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
      if (row === undefined || collection === null) return null
      const [n, scopeNumber, owner, version, is_default, doc, note, checksum] = row
      if (!names.sees(scope, scopeNumber)) return null
      const content = { n, collection, scope: scopeNumber, owner, id, version, is_default, doc, note, checksum }
      undamaged<RecordContent>(content, recordChecksum, id)
      return { serial: n, version, text: doc }
    },
    readDefault(collectionName, scope, accountId) {
      const collection = names.collection(collectionName)
      return collection === null ? null : present(findDefault.get(collection, accountId), scope)
    },
  }
}
