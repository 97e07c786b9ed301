import type { Scope } from '../../../query/plan/scope.ts'
import type { GlancedRecord, StoredRecord } from '../../port/record-store.ts'
import { type RecordContent, recordChecksum, type Sealed, undamaged } from '../row-checksum.ts'
import { PUBLIC_HOME } from '../scopes.ts'
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

/** Where an asker has no home: no record is in it. */
const NOWHERE = -1

/** Prepares the reading of single records. An asker's own record comes before a public one of the same id. */
export function recordReader({ connection, names, cipher }: Reader): RecordReader {
  const find = connection.prepare<[number, number, number, string], Row>(
    `${SELECT} WHERE record.collection = ? AND record.scope IN (?, ?) AND record.id = ? ORDER BY record.scope DESC LIMIT 1`,
  )
  const findAnywhere = connection.prepare<[number, string], Row>(
    `${SELECT} WHERE record.collection = ? AND record.scope IN (SELECT number FROM home) AND record.id = ? LIMIT 1`,
  )
  const findDefault = connection.prepare<[number, string], Row>(
    `${SELECT} WHERE record.collection = ? AND owner.account = ? AND record.is_default = 1`,
  )
  const glimpse = connection
    .prepare<[number, number, number, string], Glimpse>(
      `SELECT n, scope, owner, version, is_default, doc, note, checksum FROM record
       WHERE collection = ? AND scope IN (?, ?) AND id = ? ORDER BY scope DESC LIMIT 1`,
    )
    .raw()

  const rowOf = (collection: number, scope: Scope, id: string): Row | undefined =>
    scope.kind === 'operator'
      ? findAnywhere.get(collection, id)
      : find.get(collection, PUBLIC_HOME, names.ownHome(scope) ?? NOWHERE, id)

  function present(row: Row | undefined, scope: Scope): StoredRecord | null {
    if (row === undefined || !names.sees(scope, row.scope)) return null
    undamaged<RecordContent>(row, recordChecksum, row.id)
    return {
      id: row.id,
      accountId: row.account,
      isPublic: row.scope === PUBLIC_HOME,
      serial: cipher.serialOf(row.n),
      version: row.version,
      text: row.doc,
    }
  }

  return {
    read(collectionName, scope, id) {
      const collection = names.collection(collectionName)
      return collection === null ? null : present(rowOf(collection, scope, id), scope)
    },
    glance(collectionName, scope, id) {
      const collection = names.collection(collectionName)
      if (collection === null) return null
      if (scope.kind === 'operator') return present(findAnywhere.get(collection, id), scope)
      const row = glimpse.get(collection, PUBLIC_HOME, names.ownHome(scope) ?? NOWHERE, id)
      if (row === undefined) return null
      const [n, home, owner, version, is_default, doc, note, checksum] = row
      undamaged<RecordContent>(
        { n, collection, scope: home, owner, id, version, is_default, doc, note, checksum },
        recordChecksum,
        id,
      )
      return { serial: cipher.serialOf(n), version, text: doc }
    },
    readDefault(collectionName, scope, accountId) {
      const collection = names.collection(collectionName)
      return collection === null ? null : present(findDefault.get(collection, accountId), scope)
    },
  }
}
