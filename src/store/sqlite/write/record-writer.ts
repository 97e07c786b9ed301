import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'
import type { Connection } from '../database.ts'
import { PUBLIC_SCOPE } from '../scopes.ts'
import { type DocumentLeaves, documentLeaves, NO_LEAVES } from './document-leaves.ts'
import type { NameNumbers } from './name-numbers.ts'
import type { PendingCounts } from './pending-counts.ts'

interface RecordRow {
  readonly n: number
  readonly scope: number
  readonly owner: number
  readonly version: number
  readonly doc: string
}

/** Applies one change inside a transaction; counters go to the pending ones. */
export type ApplyChange = (change: Change, counts: PendingCounts) => ChangeResult

type InsertChange = Extract<Change, { action: 'insert' }>
type ReplaceChange = Extract<Change, { action: 'replace' }>

/** Prepares the statements that write records with their leaves. */
export function recordWriter(connection: Connection, numbers: NameNumbers): ApplyChange {
  const find = connection.prepare<[number, string], RecordRow>(
    'SELECT n, scope, owner, version, doc FROM record WHERE collection = ? AND id = ?',
  )
  const insertRecord = connection.prepare(
    'INSERT INTO record (collection, scope, owner, id, version, doc) VALUES (?, ?, ?, ?, 1, ?)',
  )
  const updateRecord = connection.prepare('UPDATE record SET scope = ?, version = ?, doc = ? WHERE n = ?')
  const deleteRecord = connection.prepare('DELETE FROM record WHERE n = ?')
  const insertLeaf = connection.prepare('INSERT INTO leaf (path_type, value, scope, n) VALUES (?, ?, ?, ?)')
  const deleteLeaf = connection.prepare('DELETE FROM leaf WHERE path_type = ? AND value = ? AND scope = ? AND n = ?')

  const leavesOfText = (text: string, collection: number): DocumentLeaves =>
    documentLeaves(parseDocument(text), (path) => numbers.path(collection, path))

  function insert(change: InsertChange, collection: number, counts: PendingCounts): ChangeResult {
    const owner = numbers.owner(change.accountId)
    const scope = change.isPublic ? PUBLIC_SCOPE : owner
    const leaves = leavesOfText(change.text, collection)
    const n = Number(insertRecord.run(collection, scope, owner, change.id, change.text).lastInsertRowid)
    for (const entry of leaves.entries.values()) insertLeaf.run(entry.pathType, entry.value, scope, n)
    countLeaves(NO_LEAVES, leaves, counts)
    counts.addRecords(collection, 1)
    counts.noteChange(scope)
    return { outcome: 'done', version: 1 }
  }

  function replace(change: ReplaceChange, row: RecordRow, collection: number, counts: PendingCounts): ChangeResult {
    const scope = change.isPublic ? PUBLIC_SCOPE : row.owner
    const before = leavesOfText(row.doc, collection)
    const after = leavesOfText(change.text, collection)
    const moved = scope !== row.scope
    for (const [key, entry] of before.entries) {
      if (moved || !after.entries.has(key)) deleteLeaf.run(entry.pathType, entry.value, row.scope, row.n)
    }
    for (const [key, entry] of after.entries) {
      if (moved || !before.entries.has(key)) insertLeaf.run(entry.pathType, entry.value, scope, row.n)
    }
    updateRecord.run(scope, row.version + 1, change.text, row.n)
    countLeaves(before, after, counts)
    counts.noteChange(row.scope)
    counts.noteChange(scope)
    return { outcome: 'done', version: row.version + 1 }
  }

  function remove(row: RecordRow, collection: number, counts: PendingCounts): ChangeResult {
    const before = leavesOfText(row.doc, collection)
    for (const entry of before.entries.values()) deleteLeaf.run(entry.pathType, entry.value, row.scope, row.n)
    deleteRecord.run(row.n)
    countLeaves(before, NO_LEAVES, counts)
    counts.addRecords(collection, -1)
    counts.noteChange(row.scope)
    return { outcome: 'done', version: row.version }
  }

  return (change, counts) => {
    const collection = numbers.collection(change.collection)
    const row = find.get(collection, change.id)
    if (change.action === 'insert') {
      return row === undefined ? insert(change, collection, counts) : { outcome: 'exists' }
    }
    if (row === undefined) return { outcome: 'missing' }
    if (row.version !== change.expectedVersion) return { outcome: 'changed' }
    return change.action === 'replace' ? replace(change, row, collection, counts) : remove(row, collection, counts)
  }
}

function countLeaves(before: DocumentLeaves, after: DocumentLeaves, counts: PendingCounts): void {
  for (const path of before.plainPaths) counts.addPlain(path, -1)
  for (const path of after.plainPaths) counts.addPlain(path, 1)
  for (const path of after.severalPaths) counts.noteSeveral(path)
  for (const path of after.partialPaths) counts.notePartial(path)
}

function parseDocument(text: string): JsonObject {
  const document = JSON.parse(text) as Json
  if (!isJsonObject(document)) throw new TypeError('A record is a JSON object.')
  return document
}
