import type { Shelf } from '../../shelf.ts'
import type { Transaction } from '../base/database.ts'
import type { Changed, LoadedRecord, LoadedRecords, Removed } from './loaded-records.ts'

export interface RecordCommit {
  /** By home, its changes with this commit. */
  readonly stamps: ReadonlyMap<string, number>
  readonly mostRevisions: number
}

/** Writes what changes have done to rows. The statements are sent behind each other, and answered together. */
export async function writeRecords(
  sql: Transaction,
  rows: LoadedRecords,
  { stamps, mostRevisions }: RecordCommit,
): Promise<void> {
  const records = [...rows.records].filter(isChanged)
  const removed = [...rows.removed].filter(isChanged)
  const stampOf = (home: string): number => stamps.get(home) ?? 0
  const newStampOf = (home: string): number | null => stamps.get(home) ?? null
  await Promise.all([
    ...records.flatMap(({ before, after }) =>
      before === undefined || before.n === after?.n ? [] : [deleteRecord(sql, before)],
    ),
    insertRecords(
      sql,
      records.flatMap(({ before, after }) => (after === undefined || before?.n === after.n ? [] : [after])),
      stampOf,
    ),
    ...records.flatMap(({ before, after }) =>
      after !== undefined && before?.n === after.n ? [updateRecord(sql, after, newStampOf(after.scope))] : [],
    ),
    insertTail(
      sql,
      [...rows.tail.values()].map((row) => ({ ...row, stamp: stampOf(row.home) })),
    ),
    ...removed.flatMap(({ before }) => (before === undefined ? [] : [deleteRemoved(sql, before)])),
    ...removed.flatMap(({ after }) => (after === undefined ? [] : [insertRemoved(sql, after)])),
    ...Array.from(rows.dropped, ([n, owner]) => sql`DELETE FROM revision WHERE home = ${owner} AND n = ${n}`),
    ...writeRevisions(sql, rows, mostRevisions),
  ])
}

function isChanged<Kept>({ before, after }: Changed<Kept>): boolean {
  return before !== after
}

function deleteRecord(sql: Transaction, { scope, collection, n }: LoadedRecord) {
  return sql`DELETE FROM record WHERE home = ${scope} AND collection = ${collection} AND n = ${n}`
}

function insertRecords(sql: Transaction, rows: readonly LoadedRecord[], stampOf: (home: string) => number) {
  if (rows.length === 0) return null
  return sql`
    INSERT INTO record (home, collection, n, id, owner, version, stamp, is_default, doc, note, gave_up_ms)
    SELECT home, collection, n, id, owner, version, stamp, is_default = 1, doc, note, gave_up_ms FROM unnest(
      ${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ collection }) => collection)}::text[], ${rows.map(({ n }) => n)}::bigint[],
      ${rows.map(({ id }) => id)}::text[], ${rows.map(({ owner }) => owner)}::text[], ${rows.map(({ version }) => version)}::integer[],
      ${rows.map(({ scope }) => stampOf(scope))}::bigint[], ${rows.map(({ is_default }) => is_default)}::integer[],
      ${rows.map(({ doc }) => doc)}::text[], ${rows.map(({ note }) => note)}::text[], ${rows.map(({ gave_up_ms }) => gave_up_ms)}::integer[]
    ) AS row (home, collection, n, id, owner, version, stamp, is_default, doc, note, gave_up_ms)`
}

/** Null: what its home has is as it was. */
function updateRecord(sql: Transaction, row: LoadedRecord, stamp: number | null) {
  const { scope, collection, n, version, is_default, doc, note, gave_up_ms } = row
  return sql`
    UPDATE record SET version = ${version}, stamp = coalesce(${stamp}, stamp), is_default = ${is_default === 1}, doc = ${doc}, note = ${note},
      gave_up_ms = ${gave_up_ms}
    WHERE home = ${scope} AND collection = ${collection} AND n = ${n}`
}

interface TailRow extends Shelf<string> {
  readonly stamp: number
  readonly n: number
}

function insertTail(sql: Transaction, rows: readonly TailRow[]) {
  if (rows.length === 0) return null
  return sql`
    INSERT INTO tail (home, collection, stamp, n)
    SELECT * FROM unnest(
      ${rows.map(({ home }) => home)}::text[], ${rows.map(({ collection }) => collection)}::text[],
      ${rows.map(({ stamp }) => stamp)}::bigint[], ${rows.map(({ n }) => n)}::bigint[])`
}

function deleteRemoved(sql: Transaction, { owner, collection, id }: Removed) {
  return sql`DELETE FROM removed WHERE home = ${owner} AND collection = ${collection} AND id = ${id}`
}

function insertRemoved(
  sql: Transaction,
  { owner, collection, id, n, version, is_public, doc, note, removal }: Removed,
) {
  return sql`
    INSERT INTO removed (home, collection, id, place, n, version, is_public, doc, note, removal)
    VALUES (${owner}, ${collection}, ${id}, nextval('removed_place'), ${n}, ${version}, ${is_public === 1}, ${doc}, ${note}, ${removal})`
}

function writeRevisions(sql: Transaction, rows: LoadedRecords, most: number) {
  const revisions = [...rows.revisions.values()]
  const records = new Map(revisions.map(({ n, owner }) => [n, owner]))
  return [
    ...(most === 0
      ? []
      : revisions.map(
          ({ owner, n, version, doc, note }) =>
            sql`INSERT INTO revision (home, n, version, doc, note) VALUES (${owner}, ${n}, ${version}, ${doc}, ${note})`,
        )),
    ...Array.from(
      records,
      ([n, owner]) => sql`
        DELETE FROM revision WHERE home = ${owner} AND n = ${n} AND version <= (
          SELECT version FROM revision WHERE home = ${owner} AND n = ${n} ORDER BY version DESC OFFSET ${most} LIMIT 1)`,
    ),
  ]
}
