import type { Row, RowKindName, Value } from '../../port/rows.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'
import { recordChecksum, removedChecksum, revisionChecksum } from '../base/record-rows.ts'
import { nameNumbers } from '../write/record-tables.ts'
import { RELATIONS } from './table-rows.ts'

/** Writes one row of each kind. */
export type RowWriters = Readonly<Record<RowKindName, (row: Row) => void>>

/** Prepares the statements; for use inside a transaction. */
export function rowWriters(connection: Connection): RowWriters {
  const names = nameNumbers(connection)
  const into = (table: string, ...columns: readonly string[]) => {
    const places = columns.map(() => '?').join(', ')
    const insert = connection.prepare<Value[]>(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    return (...row: Row) => void insert.run(...row)
  }
  /** Writes a kind whose table has the columns of the port. */
  const plain = (kind: RowKindName) => {
    const insert = into(RELATIONS[kind].from, ...RELATIONS[kind].columns)
    return (row: Row) => insert(...row)
  }
  const mark = into('mark', 'name', 'value')
  const key = connection.prepare<[Buffer]>('UPDATE number_key SET key = ?')
  const given = connection.prepare<[number, string]>('UPDATE sqlite_sequence SET seq = ? WHERE name = ?')
  const firstGiven = connection.prepare<[string, number]>('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
  // biome-ignore format: a row of names
  const record = into(
    'record',
    'n', 'collection', 'scope', 'owner', 'id', 'version',
    'is_default', 'doc', 'note', 'gave_up_ms', 'checksum',
  )
  const revision = into('revision', 'n', 'version', 'doc', 'note', 'checksum')
  // biome-ignore format: a row of names
  const removed = into(
    'removed',
    'place', 'n', 'collection', 'owner', 'id', 'version',
    'is_public', 'doc', 'note', 'removal', 'checksum',
  )
  return {
    key: ([value]) => void key.run(Buffer.from(String(value), 'base64')),
    account: plain('account'),
    user: plain('user'),
    membership: plain('membership'),
    token: plain('token'),
    loginMeter: plain('loginMeter'),
    knownAddress: plain('knownAddress'),
    record(row) {
      const [n, collectionName, isPublic, account, id, version, is_default, doc, note, gaveUpMs] = row as RecordTuple
      const [collection, owner] = [names.collection(collectionName), names.owner(account)]
      const scope = isPublic === 1 ? PUBLIC_HOME : owner
      const checksum = recordChecksum({ n, collection, scope, owner, id, version, is_default, doc, note })
      record(n, collection, scope, owner, id, version, is_default, doc, note, gaveUpMs, checksum)
    },
    revision(row) {
      const [n, version, , doc, note] = row as RevisionTuple
      revision(n, version, doc, note, revisionChecksum({ n, version, doc, note }))
    },
    removed(row) {
      const [place, n, collectionName, account, id, version, is_public, doc, note, removal] = row as RemovedTuple
      const [collection, owner] = [names.collection(collectionName), names.owner(account)]
      const checksum = removedChecksum({ n, collection, owner, id, version, is_public, doc, note, removal })
      removed(place, n, collection, owner, id, version, is_public, doc, note, removal, checksum)
    },
    audit: plain('audit'),
    answer: plain('answer'),
    given([what, last]) {
      if (given.run(Number(last), String(what)).changes === 0) firstGiven.run(String(what), Number(last))
    },
    mark: ([name, value]) => mark(String(name), String(value)),
    usage: () => {},
  }
}

// biome-ignore format: a row of values
type RecordTuple = [number, string, number, string, string, number, number, string, string | null, number | null]
type RevisionTuple = [number, number, string, string, string | null]
// biome-ignore format: a row of values
type RemovedTuple = [number, number, string, string, string, number, number, string, string | null, string | null]
