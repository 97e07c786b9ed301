import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DATABASE_FILE } from '../../src/store/sqlite/open-sqlite-store.ts'

/** Tables that have a row for as long as the writer has something to work off by itself. */
const WORK_UNDER_WAY = ['sealing', 'backlog', 'leftover']

/** Says, of an open data directory, what the writer still has to do by itself; nothing is left of an older file once it has come to rest. */
export function workUnderWay(dataDirectory: string): readonly string[] {
  const database = new Database(join(dataDirectory, DATABASE_FILE), { readonly: true })
  try {
    const known = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
    const hasRows = (table: string): boolean =>
      database.prepare(`SELECT EXISTS (SELECT 1 FROM ${table})`).pluck().get() === 1
    return WORK_UNDER_WAY.filter((table) => known.includes(table) && hasRows(table))
  } finally {
    database.close()
  }
}
