import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { RecordState, RecordTables, RemovedContent } from '../../changes/record-tables.ts'
import { NO_USAGE, type StorageQuota, storageQuota, type Usage } from '../../limits.ts'
import { storedBytes } from '../../port/named-files.ts'
import type { StorageLimits } from '../../port/record-store.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'
import { recordChecksum, removedChecksum, revisionChecksum, type Sealed, undamaged } from '../base/record-rows.ts'
import type { TailWriter } from '../segments/seal.ts'

/** Prepares the statements in which records are changed; a record has at most `mostRevisions` earlier versions. */
export function recordTables(
  connection: Connection,
  numbers: NameNumbers,
  tail: TailWriter,
  mostRevisions: number,
): RecordTables<number> {
  const select = connection.prepare<[number, number, string], Sealed<RecordState>>(
    `SELECT n, collection, scope, owner, id, version, is_default, doc, note, gave_up_ms, checksum FROM record
     WHERE collection = ? AND scope = ? AND id = ?`,
  )
  const isTaken = connection
    .prepare<[number, number, number, string], number>(
      'SELECT EXISTS (SELECT 1 FROM record WHERE collection = ? AND scope IN (?, ?) AND id = ?)',
    )
    .pluck()
  const findDefault = connection
    .prepare<[number, number], number>('SELECT n FROM record WHERE collection = ? AND owner = ? AND is_default = 1')
    .pluck()
  const insertRecord = connection.prepare(
    `INSERT INTO record (n, collection, scope, owner, id, version, is_default, doc, note, gave_up_ms, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const updateRecord = connection.prepare(
    'UPDATE record SET scope = ?, version = ?, is_default = ?, doc = ?, note = ?, gave_up_ms = ?, checksum = ? WHERE n = ?',
  )
  const lastNumber = connection.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'record'").pluck()
  const deleteRecord = connection.prepare('DELETE FROM record WHERE n = ?')
  const insertRevision = connection.prepare(
    'INSERT INTO revision (n, version, doc, note, checksum) VALUES (?, ?, ?, ?, ?)',
  )
  const dropOldest = connection.prepare(
    `DELETE FROM revision WHERE n = ? AND version NOT IN
     (SELECT version FROM revision WHERE n = ? ORDER BY version DESC LIMIT ? + 0)`,
  )
  const dropRevisions = connection.prepare('DELETE FROM revision WHERE n = ?')
  const selectRemoved = connection.prepare<[number, number, string], Sealed<RemovedContent>>(
    `SELECT n, collection, owner, id, version, is_public, doc, note, removal, checksum FROM removed
     WHERE collection = ? AND owner = ? AND id = ?`,
  )
  const insertRemoved = connection.prepare(
    `INSERT INTO removed (n, collection, owner, id, version, is_public, doc, note, removal, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const deleteRemoved = connection.prepare('DELETE FROM removed WHERE n = ?')

  return {
    publicHome: PUBLIC_HOME,
    owner: numbers.owner,
    collection: numbers.collection,
    /** The number that SQLite would choose: the checksum of a row has to know it. */
    nextNumber: () => (lastNumber.get() ?? 0) + 1,
    /** Refuses damaged rows: a copy elsewhere gets a new checksum, which must not seal damage. */
    find(home, collection, id) {
      const row = select.get(collection, home, id)
      return row === undefined ? undefined : undamaged<RecordState>(row, recordChecksum, id)
    },
    isTaken: (collection, owner, id) => isTaken.get(collection, owner, PUBLIC_HOME, id) === 1,
    hasDefault: (collection, owner) => findDefault.get(collection, owner) !== undefined,
    insert(row) {
      const { n, collection, scope, owner, id, version, is_default, doc, note, gave_up_ms } = row
      const checksum = recordChecksum(row)
      insertRecord.run(n, collection, scope, owner, id, version, is_default, doc, note, gave_up_ms, checksum)
    },
    update(_, row) {
      const { n, scope, version, is_default, doc, note, gave_up_ms } = row
      updateRecord.run(scope, version, is_default, doc, note, gave_up_ms, recordChecksum(row), n)
    },
    remove: ({ n }) => void deleteRecord.run(n),
    addToTail: tail.add,
    keepRevision(row) {
      const { n, version, doc, note } = row
      if (mostRevisions > 0) insertRevision.run(n, version, doc, note, revisionChecksum(row))
      dropOldest.run(n, n, mostRevisions)
    },
    dropRevisions: ({ n }) => void dropRevisions.run(n),
    findRemoved(collection, owner, id) {
      const row = selectRemoved.get(collection, owner, id)
      return row === undefined ? undefined : undamaged<RemovedContent>(row, removedChecksum, id)
    },
    addRemoved(row) {
      const { n, collection, owner, id, version, is_public, doc, note, removal } = row
      const checksum = removedChecksum(row)
      insertRemoved.run(n, collection, owner, id, version, is_public, doc, note, removal, checksum)
    },
    takeRemoved: ({ n }) => void deleteRemoved.run(n),
  }
}

/** Most names that are remembered at a time. */
const REMEMBERED = 100_000

/** Gives collections and accounts their numbers, and makes up new ones. For use inside a write transaction. */
export interface NameNumbers {
  collection(name: string): number
  owner(account: string): number
  /** Forgets everything: a rollback may have taken new numbers back. */
  forget(): void
}

/** Numbers never change once they are committed, so what is remembered stays true whoever else writes. */
export function nameNumbers(connection: Connection): NameNumbers {
  const findCollection = numbersOf(connection, 'collection', 'name')
  const findOwner = numbersOf(connection, 'owner', 'account')
  const collections = new BoundedCache<number>({ most: REMEMBERED })
  const owners = new BoundedCache<number>({ most: REMEMBERED })
  return {
    collection: (name) => remember(collections, name, () => findCollection(name)),
    owner: (account) => remember(owners, account, () => findOwner(account)),
    forget() {
      for (const known of [collections, owners]) known.clear()
    },
  }
}

function remember(known: BoundedCache<number>, name: string, find: () => number): number {
  const remembered = known.get(name)
  if (remembered !== undefined) return remembered
  const number = find()
  known.set(name, number)
  return number
}

/** Finds or makes up the number of a row by its other columns. */
function numbersOf(connection: Connection, table: 'collection' | 'owner', column: string): (name: string) => number {
  const select = connection.prepare<[string], number>(`SELECT number FROM ${table} WHERE ${column} = ?`).pluck()
  const insert = connection.prepare(`INSERT INTO ${table} (${column}) VALUES (?)`)
  return (name) => select.get(name) ?? Number(insert.run(name).lastInsertRowid)
}

export function quotaOf(connection: Connection, limits: StorageLimits): StorageQuota {
  const usageOf = connection.prepare<[string], Usage>(
    'SELECT records, bytes FROM usage WHERE owner = (SELECT number FROM owner WHERE account = ?)',
  )
  const docOf = connection
    .prepare<[{ collection: string; id: string; account: string }], string>(
      `SELECT record.doc FROM record
     WHERE record.collection = (SELECT number FROM collection WHERE name = @collection) AND record.id = @id
       AND record.scope IN (${PUBLIC_HOME}, (SELECT number FROM owner WHERE account = @account))
       AND record.owner = (SELECT number FROM owner WHERE account = @account)`,
    )
    .pluck()
  return storageQuota(
    {
      usageOf: (account) => usageOf.get(account) ?? NO_USAGE,
      bytesOf({ collection, id, accountId: account }) {
        const doc = docOf.get({ collection, id, account })
        return doc === undefined ? null : storedBytes(doc)
      },
    },
    limits,
  )
}
