import type { Scope } from '../../../query/plan.ts'
import type { RecordContent, RemovedContent, RevisionContent } from '../../changes/record-tables.ts'
import type {
  GivenUpRecords,
  GivenUpTerms,
  GlancedRecord,
  RemovedEntry,
  RemovedRecord,
  RevisionNote,
  StoredRecord,
} from '../../port/record-store.ts'
import { PUBLIC_HOME } from '../base/database.ts'
import { recordChecksum, removedChecksum, revisionChecksum, type Sealed, undamaged } from '../base/row-checksum.ts'
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
  /** Reads records of which something was given up, of all accounts. */
  readGivenUp(collection: string, terms: GivenUpTerms): GivenUpRecords
  /** Reads what is sent of a record, in the fewest steps. */
  glance(collection: string, scope: Scope, id: string): GlancedRecord | null
}

const SELECT = `SELECT n, collection, scope, owner, id, version, is_default, doc, note, checksum, owner.account
  FROM record JOIN owner ON owner.number = record.owner`

/** Where a requester has no home: no record is in it. */
const NOWHERE = -1

/** Prepares the reading of single records. A requester's own record comes before a public one of the same id. */
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
  const findGivenUp = connection.prepare<[number, number, number, number], Row>(
    `${SELECT} WHERE record.collection = ? AND record.n > ? AND record.gave_up_ms < ? ORDER BY record.n LIMIT ? + 0`,
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
    return row === undefined || !names.sees(scope, row.scope) ? null : presentRow(row)
  }

  function presentRow(row: Row): StoredRecord {
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
    readGivenUp(collectionName, { belowMs, after, limit }) {
      const collection = names.collection(collectionName)
      const rows = collection === null ? [] : findGivenUp.all(collection, after, belowMs, limit)
      return { records: rows.map((row) => presentRow(row)), next: rows.at(-1)?.n ?? after }
    },
    readDefault(collectionName, scope, accountId) {
      const collection = names.collection(collectionName)
      return collection === null ? null : present(findDefault.get(collection, accountId), scope)
    },
  }
}

type RemovedRow = Sealed<RemovedContent> & { readonly account: string }

/** Reads what is kept of records beside what queries see; only the account that they belong to can read it. */
export interface RecordHistory {
  notes(collection: string, scope: Scope, id: string): readonly RevisionNote[] | null
  revision(collection: string, scope: Scope, id: string, version: number): string | null
  removedEntries(collection: string, scope: Scope, skip: number, limit: number): readonly RemovedEntry[]
  removedRecord(collection: string, scope: Scope, id: string): RemovedRecord | null
}

/** An operator reads that of every account. */
const OF_ACCOUNT = '(@every = 1 OR owner.account = @account)'

/** Prepares the reading of earlier versions and of removed records. */
export function recordHistory({ connection, names, cipher, textOf }: Reader): RecordHistory {
  const findNumber = connection
    .prepare<[object], number>(
      `SELECT record.n FROM owner CROSS JOIN record ON record.scope IN (owner.number, ${PUBLIC_HOME})
       WHERE ${OF_ACCOUNT} AND record.collection = @collection AND record.id = @id AND record.owner = owner.number`,
    )
    .pluck()
  const notes = connection.prepare<[object], RevisionNote>(
    `SELECT version, note FROM record WHERE n = @n
     UNION ALL SELECT version, note FROM revision WHERE n = @n ORDER BY version DESC`,
  )
  const isCurrent = connection.prepare<[object], number>('SELECT 1 FROM record WHERE n = @n AND version = @version')
  const earlier = connection.prepare<[object], Sealed<RevisionContent>>(
    'SELECT n, version, doc, note, checksum FROM revision WHERE n = @n AND version = @version',
  )
  const entries = connection.prepare<[object], RemovedEntry>(
    `SELECT removed.id, removed.version, removed.removal FROM removed JOIN owner ON owner.number = removed.owner
     WHERE removed.collection = @collection AND ${OF_ACCOUNT} ORDER BY removed.place DESC LIMIT @limit + 0 OFFSET @skip + 0`,
  )
  const removed = connection.prepare<[object], RemovedRow>(
    `SELECT n, collection, removed.owner, id, version, is_public, doc, note, removal, checksum, owner.account
     FROM removed JOIN owner ON owner.number = removed.owner
     WHERE removed.collection = @collection AND removed.id = @id AND ${OF_ACCOUNT} ORDER BY removed.place DESC LIMIT 1`,
  )

  /** The parameters that every statement on a collection needs; null when nothing can be found. */
  function within(collectionName: string, scope: Scope): object | null {
    const collection = names.collection(collectionName)
    if (collection === null || scope.kind === 'public') return null
    return {
      collection,
      every: Number(scope.kind === 'operator'),
      account: scope.kind === 'account' ? scope.accountId : null,
    }
  }

  function numberOf(collection: string, scope: Scope, id: string): number | null {
    const place = within(collection, scope)
    return place === null ? null : (findNumber.get({ ...place, id }) ?? null)
  }

  return {
    notes(collection, scope, id) {
      const n = numberOf(collection, scope, id)
      return n === null ? null : notes.all({ n })
    },
    revision(collection, scope, id, version) {
      const n = numberOf(collection, scope, id)
      if (n === null) return null
      if (isCurrent.get({ n, version }) !== undefined) return textOf(n)
      const row = earlier.get({ n, version })
      return row === undefined ? null : undamaged<RevisionContent>(row, revisionChecksum, id).doc
    },
    removedEntries(collection, scope, skip, limit) {
      const place = within(collection, scope)
      return place === null ? [] : entries.all({ ...place, skip, limit })
    },
    removedRecord(collection, scope, id) {
      const place = within(collection, scope)
      const row = place === null ? undefined : removed.get({ ...place, id })
      if (row === undefined) return null
      const { n, version, doc: text, removal } = undamaged<RemovedContent>(row, removedChecksum, id)
      const serial = cipher.serialOf(n)
      return { id: row.id, accountId: row.account, isPublic: row.is_public === 1, serial, version, text, removal }
    },
  }
}
