import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import { assertNever } from '../../../kernel/errors.ts'
import type { PendingChanges } from '../../changes/pending-changes.ts'
import { parseDocument } from '../../document.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'
import type { Shelf } from '../../shelf.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'
import { numberCipher } from '../base/number-key.ts'
import { type RecordContent, recordChecksum, type Sealed, undamaged } from '../base/row-checksum.ts'
import { type RemovedRow, removedWriter, revisionWriter } from './removed-writer.ts'

type RecordRow = Sealed<RecordContent>

/** Applies one change inside a transaction; what it does to homes goes to the pending changes. */
export type ApplyChange = (change: Change, changes: PendingChanges) => ChangeResult

type InsertChange = Extract<Change, { action: 'insert' }>
type ReplaceChange = Extract<Change, { action: 'replace' }>
type RestoreChange = Extract<Change, { action: 'restore' }>
type ChangeOfRecord = Extract<Change, { action: 'replace' | 'remove' | 'erase' | 'expect' }>
type Noted = Pick<RecordContent, 'collection' | 'n' | 'doc'>
type ChangeOfRemoved = Extract<Change, { action: 'restore' | 'purge' }>

/** Prepares the statements that write records; a record has at most `mostRevisions` earlier versions. */
export function recordWriter(
  connection: Connection,
  numbers: NameNumbers,
  tail: TailWriter,
  mostRevisions: number,
): ApplyChange {
  const cipher = numberCipher(connection)
  const revisions = revisionWriter(connection, mostRevisions)
  const removed = removedWriter(connection, revisions)
  const select = connection.prepare<[number, number, string], RecordRow>(
    `SELECT n, collection, scope, owner, id, version, is_default, doc, note, checksum FROM record
     WHERE collection = ? AND scope = ? AND id = ?`,
  )
  /** What is copied to another place gets another checksum there: damage must not be sealed. */
  const findIn = (home: number, collection: number, id: string): RecordRow | undefined => {
    const row = select.get(collection, home, id)
    return row === undefined ? undefined : undamaged<RecordContent>(row, recordChecksum, id)
  }
  /** A record of an account is in its home or among the public ones, where another may have the same id. */
  const findOf = (owner: number, collection: number, id: string): RecordRow | undefined => {
    const found = findIn(owner, collection, id) ?? findIn(PUBLIC_HOME, collection, id)
    return found?.owner === owner ? found : undefined
  }
  const isTaken = connection
    .prepare<[number, number, number, string], number>(
      'SELECT EXISTS (SELECT 1 FROM record WHERE collection = ? AND scope IN (?, ?) AND id = ?)',
    )
    .pluck()
  const findDefault = connection
    .prepare<[number, number], number>('SELECT n FROM record WHERE collection = ? AND owner = ? AND is_default = 1')
    .pluck()
  const insertRecord = connection.prepare(
    `INSERT INTO record (n, collection, scope, owner, id, version, is_default, doc, note, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const updateRecord = connection.prepare(
    'UPDATE record SET scope = ?, version = ?, is_default = ?, doc = ?, note = ?, checksum = ? WHERE n = ?',
  )
  const lastNumber = connection.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'record'").pluck()
  const deleteRecord = connection.prepare('DELETE FROM record WHERE n = ?')
  const deleteBody = leftoverBody(connection)

  /** The number that SQLite would choose: the checksum of a row has to know it. */
  const nextNumber = (): number => (lastNumber.get() ?? 0) + 1

  /** Notes that a home has another version of a record than its segments, or has it no more. */
  function note(home: number, { collection, n, doc }: Noted, changes: PendingChanges): void {
    const shelf: Shelf = { home, collection }
    tail.add(shelf, n)
    changes.noteChange(shelf, doc)
  }

  /** Writes a row that is not there. */
  function add(row: RecordContent, changes: PendingChanges): void {
    const { n, collection, scope, owner, id, version, is_default, doc, note: told } = row
    insertRecord.run(n, collection, scope, owner, id, version, is_default, doc, told, recordChecksum(row))
    changes.addRecords(collection, 1)
  }

  /** Writes a row that is not there into the tail. What is no document must not come to a segment. */
  function addToTail(row: RecordContent, changes: PendingChanges): void {
    parseDocument(row.doc)
    add(row, changes)
    note(row.scope, row, changes)
  }

  function insert(change: InsertChange, collection: number, changes: PendingChanges): ChangeResult {
    const owner = numbers.owner(change.accountId)
    const scope = change.isPublic ? PUBLIC_HOME : owner
    if (isTaken.get(collection, owner, PUBLIC_HOME, change.id) === 1) return { outcome: 'exists' }
    const isDefault = change.isDefault === true
    if (isDefault && findDefault.get(collection, owner) !== undefined) return { outcome: 'changed' }
    const { id, text: doc, note: told = null } = change
    const n = nextNumber()
    const row = { n, collection, scope, owner, id, version: 1, is_default: Number(isDefault), doc, note: told }
    if (changes.areTogether) {
      add(row, changes)
      changes.noteInserted({ home: scope, collection }, row)
    } else addToTail(row, changes)
    return { outcome: 'done', serial: cipher.serialOf(n), version: 1 }
  }

  function replace(change: ReplaceChange, row: RecordRow, changes: PendingChanges): ChangeResult {
    const isDefault = change.isDefault ?? row.is_default === 1
    if (isDefault && row.is_default === 0 && findDefault.get(row.collection, row.owner) !== undefined) {
      return { outcome: 'changed' }
    }
    const scope = change.isPublic ? PUBLIC_HOME : row.owner
    if (scope !== row.scope && findIn(scope, row.collection, row.id) !== undefined) return { outcome: 'exists' }
    if (change.keepsRevision !== false) revisions.keep(row)
    const version = row.version + 1
    const { text: doc, note: told = null } = change
    const after = { ...row, scope, version, is_default: Number(isDefault), doc, note: told }
    parseDocument(doc)
    updateRecord.run(scope, version, after.is_default, doc, told, recordChecksum(after), row.n)
    note(scope, after, changes)
    // A record that is published, or is not any more, leaves one home for another.
    if (scope !== row.scope) note(row.scope, { ...row, doc: '' }, changes)
    return { outcome: 'done', serial: cipher.serialOf(row.n), version }
  }

  /** Takes a record out of all that queries read. */
  function takeOut(row: RecordRow, changes: PendingChanges): ChangeResult {
    deleteBody(row.n)
    deleteRecord.run(row.n)
    note(row.scope, { ...row, doc: '' }, changes)
    changes.addRecords(row.collection, -1)
    return { outcome: 'done', serial: cipher.serialOf(row.n), version: row.version }
  }

  function restore(change: RestoreChange, row: RemovedRow, changes: PendingChanges): ChangeResult {
    const { collection, owner, id } = row
    if (isTaken.get(collection, owner, PUBLIC_HOME, id) === 1) return { outcome: 'exists' }
    const isDefault = change.isDefault === true
    if (isDefault && findDefault.get(collection, owner) !== undefined) return { outcome: 'changed' }
    removed.take(row.n)
    revisions.keep(row)
    const version = row.version + 1
    const scope = change.isPublic ? PUBLIC_HOME : owner
    const { text: doc, note: told = null } = change
    const is_default = Number(isDefault)
    addToTail({ n: row.n, collection, scope, owner, id, version, is_default, doc, note: told }, changes)
    return { outcome: 'done', serial: cipher.serialOf(row.n), version }
  }

  function changeRecord(change: ChangeOfRecord, row: RecordRow, changes: PendingChanges): ChangeResult {
    switch (change.action) {
      case 'replace':
        return replace(change, row, changes)
      case 'remove':
        removed.add({ ...row, is_public: Number(row.scope === PUBLIC_HOME), removal: change.note ?? null })
        return takeOut(row, changes)
      case 'erase':
        revisions.drop(row.n)
        return takeOut(row, changes)
      case 'expect':
        return { outcome: 'done', serial: cipher.serialOf(row.n), version: row.version }
      default:
        return assertNever(change, 'change of a record')
    }
  }

  function changeRemoved(change: ChangeOfRemoved, row: RemovedRow, changes: PendingChanges): ChangeResult {
    if (change.action === 'restore') return restore(change, row, changes)
    removed.take(row.n)
    revisions.drop(row.n)
    return { outcome: 'done', serial: cipher.serialOf(row.n), version: row.version }
  }

  return (change, changes) => {
    const collection = numbers.collection(change.collection)
    if (change.action === 'insert') return insert(change, collection, changes)
    const owner = numbers.owner(change.accountId)
    if (change.action === 'restore' || change.action === 'purge') {
      const row = removed.find(collection, owner, change.id)
      return staleness(change, row) ?? changeRemoved(change, row as RemovedRow, changes)
    }
    const row = findOf(owner, collection, change.id)
    return staleness(change, row) ?? changeRecord(change, row as RecordRow, changes)
  }
}

/** A table of older versions refers to records for as long as it has not been dropped. */
function leftoverBody(connection: Connection): (n: number) => void {
  const isThere = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'body'")
  let remove: ReturnType<Connection['prepare']> | null = null
  return (n) => {
    if (isThere.get() === undefined) return
    remove ??= connection.prepare('DELETE FROM body WHERE n = ?')
    remove.run(n)
  }
}

/** Says why a change does not fit what is there; null when it does. */
function staleness(
  change: { readonly expectedVersion: number },
  row: { readonly version: number } | undefined,
): ChangeResult | null {
  if (row === undefined) return { outcome: 'missing' }
  return row.version === change.expectedVersion ? null : { outcome: 'changed' }
}

/** Puts records into the tail of their shelf. */
export interface TailWriter {
  add(shelf: Shelf, n: number): void
  /** What is known of homes is of one transaction. */
  forget(): void
}

/** Prepares the statements. All that one commit does to a home has one stamp: that of the home after the commit. */
export function tailWriter(connection: Connection): TailWriter {
  const insert = connection.prepare('INSERT OR IGNORE INTO tail (home, collection, stamp, n) VALUES (?, ?, ?, ?)')
  const changesOf = connection.prepare<[number], number>('SELECT changes FROM home WHERE number = ?').pluck()
  const stamps = new Map<number, number>()
  return {
    add({ home, collection }, n) {
      let stamp = stamps.get(home)
      if (stamp === undefined) {
        stamp = (changesOf.get(home) ?? 0) + 1
        stamps.set(home, stamp)
      }
      insert.run(home, collection, stamp, n)
    },
    forget: () => stamps.clear(),
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
