import { assertNever } from '../../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'
import type { Connection } from '../database.ts'
import { type RecordContent, recordChecksum, type Sealed, undamaged } from '../row-checksum.ts'
import { PUBLIC_SCOPE } from '../scopes.ts'
import type { BodyWriter } from './body-writer.ts'
import type { CompoundWriter } from './compound-writer.ts'
import { type DocumentLeaves, documentLeaves, entriesBeside, NO_LEAVES } from './document-leaves.ts'
import type { IndexRebuild } from './index-rebuild.ts'
import type { LeafWriter } from './leaf-writer.ts'
import type { NameNumbers } from './name-numbers.ts'
import { countKinds, countLeaves, type PendingCounts } from './pending-counts.ts'
import { type RemovedRow, removedWriter } from './removed-writer.ts'
import { revisionWriter } from './revision-writer.ts'

type RecordRow = Sealed<RecordContent>

/** Applies one change inside a transaction; counters go to the pending ones. */
export type ApplyChange = (change: Change, counts: PendingCounts) => ChangeResult

type InsertChange = Extract<Change, { action: 'insert' }>
type ReplaceChange = Extract<Change, { action: 'replace' }>
type RestoreChange = Extract<Change, { action: 'restore' }>
type ChangeOfRecord = Extract<Change, { action: 'replace' | 'remove' | 'erase' | 'expect' }>
type ChangeOfRemoved = Extract<Change, { action: 'restore' | 'purge' }>

/** Prepares the statements that write records with their leaves and bodies; a record has at most `mostRevisions` earlier versions. */
export function recordWriter(
  connection: Connection,
  numbers: NameNumbers,
  bodies: BodyWriter,
  index: LeafWriter,
  compounds: CompoundWriter,
  rebuild: Pick<IndexRebuild, 'holds'>,
  mostRevisions: number,
): ApplyChange {
  const revisions = revisionWriter(connection, mostRevisions)
  const removed = removedWriter(connection, revisions)
  const select = connection.prepare<[number, string], RecordRow>(
    `SELECT n, collection, scope, owner, id, version, is_default, doc, note, checksum FROM record
     WHERE collection = ? AND id = ?`,
  )
  /** What is copied to another place gets another checksum there: damage must not be sealed. */
  const find = (collection: number, id: string): RecordRow | undefined => {
    const row = select.get(collection, id)
    return row === undefined ? undefined : undamaged<RecordContent>(row, recordChecksum, id)
  }
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

  const leavesOf = (document: JsonObject, collection: number): DocumentLeaves =>
    documentLeaves(document, (path) => numbers.path(collection, path))

  /** The number that SQLite would choose: the checksum of a row has to know it. */
  const nextNumber = (): number => (lastNumber.get() ?? 0) + 1

  /** Writes a row that is not there with its leaves. */
  function add(row: RecordContent, counts: PendingCounts): void {
    const { n, collection, scope, owner, id, version, is_default, doc, note } = row
    const document = parseDocument(doc)
    const leaves = leavesOf(document, collection)
    insertRecord.run(n, collection, scope, owner, id, version, is_default, doc, note, recordChecksum(row))
    if (rebuild.holds(n)) {
      for (const entry of leaves.entries) index.add(entry, scope, n)
      countLeaves(NO_LEAVES, leaves, counts)
      countKinds(leaves.kinds, scope, 1, counts)
    }
    bodies.put(n, collection, document)
    compounds.replace(collection, null, { n, scope, document, leaves })
    counts.addRecords(collection, 1)
    counts.noteChange(scope)
  }

  function insert(change: InsertChange, collection: number, counts: PendingCounts): ChangeResult {
    const owner = numbers.owner(change.accountId)
    const isDefault = change.isDefault === true
    if (isDefault && findDefault.get(collection, owner) !== undefined) return { outcome: 'changed' }
    const scope = change.isPublic ? PUBLIC_SCOPE : owner
    const { id, text: doc, note = null } = change
    const n = nextNumber()
    add({ n, collection, scope, owner, id, version: 1, is_default: Number(isDefault), doc, note }, counts)
    return { outcome: 'done', serial: n, version: 1 }
  }

  function replace(change: ReplaceChange, row: RecordRow, counts: PendingCounts): ChangeResult {
    const isDefault = change.isDefault ?? row.is_default === 1
    if (isDefault && row.is_default === 0 && findDefault.get(row.collection, row.owner) !== undefined) {
      return { outcome: 'changed' }
    }
    const scope = change.isPublic ? PUBLIC_SCOPE : row.owner
    replaceLeaves(row, change.text, scope, counts)
    if (change.keepsRevision !== false) revisions.keep(row)
    const version = row.version + 1
    const { text: doc, note = null } = change
    const after = { ...row, scope, version, is_default: Number(isDefault), doc, note }
    updateRecord.run(scope, version, after.is_default, doc, note, recordChecksum(after), row.n)
    counts.noteChange(row.scope)
    counts.noteChange(scope)
    return { outcome: 'done', serial: row.n, version }
  }

  /** Most changes touch few leaves: those that stay are not written. */
  function replaceLeaves(row: RecordRow, text: string, scope: number, counts: PendingCounts): void {
    const document = parseDocument(text)
    const former = parseDocument(row.doc)
    const before = leavesOf(former, row.collection)
    const after = leavesOf(document, row.collection)
    if (rebuild.holds(row.n)) {
      const moved = scope !== row.scope
      const gone = moved ? before.entries : entriesBeside(before.entries, after.entries)
      for (const entry of gone) index.remove(entry, row.scope, row.n)
      const come = moved ? after.entries : entriesBeside(after.entries, before.entries)
      for (const entry of come) index.add(entry, scope, row.n)
      countLeaves(before, after, counts)
      countKinds(before.kinds, row.scope, -1, counts)
      countKinds(after.kinds, scope, 1, counts)
    }
    bodies.put(row.n, row.collection, document)
    compounds.replace(
      row.collection,
      { ...row, document: former, leaves: before },
      { n: row.n, scope, document, leaves: after },
    )
  }

  /** Takes a record out of all that queries read. */
  function takeOut(row: RecordRow, counts: PendingCounts): ChangeResult {
    const document = parseDocument(row.doc)
    const before = leavesOf(document, row.collection)
    if (rebuild.holds(row.n)) {
      for (const entry of before.entries) index.remove(entry, row.scope, row.n)
      countLeaves(before, NO_LEAVES, counts)
      countKinds(before.kinds, row.scope, -1, counts)
    }
    compounds.replace(row.collection, { ...row, document, leaves: before }, null)
    bodies.remove(row.n)
    deleteRecord.run(row.n)
    counts.addRecords(row.collection, -1)
    counts.noteChange(row.scope)
    return { outcome: 'done', serial: row.n, version: row.version }
  }

  function restore(change: RestoreChange, row: RemovedRow, counts: PendingCounts): ChangeResult {
    const { collection, owner, id } = row
    if (find(collection, id) !== undefined) return { outcome: 'exists' }
    const isDefault = change.isDefault === true
    if (isDefault && findDefault.get(collection, owner) !== undefined) return { outcome: 'changed' }
    removed.take(row.n)
    revisions.keep(row)
    const version = row.version + 1
    const scope = change.isPublic ? PUBLIC_SCOPE : owner
    const { text: doc, note = null } = change
    add({ n: row.n, collection, scope, owner, id, version, is_default: Number(isDefault), doc, note }, counts)
    return { outcome: 'done', serial: row.n, version }
  }

  function changeRecord(change: ChangeOfRecord, row: RecordRow, counts: PendingCounts): ChangeResult {
    switch (change.action) {
      case 'replace':
        return replace(change, row, counts)
      case 'remove':
        removed.add({ ...row, is_public: Number(row.scope === PUBLIC_SCOPE), removal: change.note ?? null })
        return takeOut(row, counts)
      case 'erase':
        revisions.drop(row.n)
        return takeOut(row, counts)
      case 'expect':
        return { outcome: 'done', serial: row.n, version: row.version }
      default:
        return assertNever(change, 'change of a record')
    }
  }

  function changeRemoved(change: ChangeOfRemoved, row: RemovedRow, counts: PendingCounts): ChangeResult {
    if (change.action === 'restore') return restore(change, row, counts)
    removed.take(row.n)
    revisions.drop(row.n)
    return { outcome: 'done', serial: row.n, version: row.version }
  }

  return (change, counts) => {
    const collection = numbers.collection(change.collection)
    if (change.action === 'restore' || change.action === 'purge') {
      const row = removed.find(collection, numbers.owner(change.accountId), change.id)
      return staleness(change, row) ?? changeRemoved(change, row as RemovedRow, counts)
    }
    const taken = find(collection, change.id)
    if (change.action === 'insert') {
      return taken === undefined ? insert(change, collection, counts) : { outcome: 'exists' }
    }
    const row = taken?.owner === numbers.owner(change.accountId) ? taken : undefined
    return staleness(change, row) ?? changeRecord(change, row as RecordRow, counts)
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

function parseDocument(text: string): JsonObject {
  const document = JSON.parse(text) as Json
  if (!isJsonObject(document)) throw new TypeError('A record is a JSON object.')
  return document
}
