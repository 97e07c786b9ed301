import { hashesIn } from '../../port/named-files.ts'
import type { Connection } from '../base/database.ts'

/** Numbers of records that are gone through in one state of the database. */
const NUMBERS_AT_ONCE = 1000

/**
 * Finds those of some contents that a record, an earlier version or a removed record names. Each record is looked at with its versions in one state: it keeps
 * its number wherever it goes, and those that come meanwhile have higher ones.
 */
export function namedAmong(connection: Connection, hashes: readonly string[]): readonly string[] {
  const last = connection
    .prepare<[], number>("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'record'")
    .pluck()
  const texts = connection
    .prepare<[{ from: number; to: number }], string>(
      ['record', 'revision', 'removed']
        .map((table) => `SELECT doc FROM ${table} WHERE n > @from AND n <= @to AND instr(doc, '"sha256":') > 0`)
        .join(' UNION ALL '),
    )
    .pluck()
  const asked = new Set(hashes)
  const named: string[] = []
  for (let from = 0; asked.size > 0 && from < (last.get() ?? 0); from += NUMBERS_AT_ONCE) {
    for (const text of texts.iterate({ from, to: from + NUMBERS_AT_ONCE })) {
      for (const sha256 of hashesIn(text)) if (asked.delete(sha256)) named.push(sha256)
    }
  }
  return named
}
