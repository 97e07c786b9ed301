import type { Scope } from '../../../query/plan.ts'
import type { RecordContent, RemovedContent, RevisionContent } from '../../changes/record-tables.ts'
import { ownText, textsOf } from '../../port/derived-text.ts'
import type {
  GivenUpRecords,
  GivenUpTerms,
  RemovedEntry,
  RemovedRecord,
  RevisionNote,
  StoredRecord,
} from '../../port/record-store.ts'
import { TooLongHere } from '../../segments/effort.ts'
import { PUBLIC_HOME } from '../base/database.ts'
import { recordChecksum, removedChecksum, revisionChecksum, type Sealed, undamaged } from '../base/record-rows.ts'
import type { Reader } from './reader.ts'

type RecordRow = Sealed<RecordContent> & { readonly account: string }

/** Reads single records that a scope can see. It throws `TooLongHere` where one has more bytes than may be read here. */
export interface RecordReader {
  read(collection: string, scope: Scope, id: string): StoredRecord | null
  readDefault(collection: string, scope: Scope, accountId: string): StoredRecord | null
  /** Reads records of which something was given up, of all accounts. */
  readGivenUp(collection: string, terms: GivenUpTerms): GivenUpRecords
}

/** Bytes of a document that the request thread reads: with its checksum some tenths of a millisecond. */
const LONGEST_HERE = 256 * 1024

/** The document of a row; null where it is too long, which SQLite knows without reading it. */
function docUpTo(longest: number): string {
  return longest === Number.POSITIVE_INFINITY ? 'doc' : `iif(octet_length(doc) > ${longest}, NULL, doc) AS doc`
}

/** Leaves a row to a thread that may take longer where its document was not read. */
function assertRead<Row extends { readonly doc: string }>(row: Row): Row {
  if ((row.doc as string | null) === null) throw new TooLongHere()
  return row
}

/** Home of a requester without one: no record is in it. */
const NOWHERE = -1

/** A requester's own record comes before a public one of the same id. */
function recordReader({ connection, names, cipher }: Reader, doc: string): RecordReader {
  const select = `SELECT n, collection, scope, owner, id, version, is_default, ${doc}, note, checksum, owner.account
    FROM record JOIN owner ON owner.number = record.owner`
  const find = connection.prepare<[number, number, number, string], RecordRow>(
    `${select} WHERE record.collection = ? AND record.scope IN (?, ?) AND record.id = ? ORDER BY record.scope DESC LIMIT 1`,
  )
  const findAnywhere = connection.prepare<[number, string], RecordRow>(
    `${select} WHERE record.collection = ? AND record.scope IN (SELECT number FROM home) AND record.id = ? LIMIT 1`,
  )
  const findDefault = connection.prepare<[number, string], RecordRow>(
    `${select} WHERE record.collection = ? AND owner.account = ? AND record.is_default = 1`,
  )
  const findGivenUp = connection.prepare<[number, number, number, number], RecordRow>(
    `${select} WHERE record.collection = ? AND record.n > ? AND record.gave_up_ms < ? ORDER BY record.n LIMIT ? + 0`,
  )
  const rowOf = (collection: number, scope: Scope, id: string): RecordRow | undefined =>
    scope.kind === 'operator'
      ? findAnywhere.get(collection, id)
      : find.get(collection, PUBLIC_HOME, names.ownHome(scope) ?? NOWHERE, id)

  function present(row: RecordRow | undefined, scope: Scope): StoredRecord | null {
    return row === undefined || !names.sees(scope, row.scope) ? null : presentRow(row)
  }

  function presentRow(row: RecordRow): StoredRecord {
    undamaged<RecordContent>(assertRead(row), recordChecksum, row.id)
    return {
      id: row.id,
      accountId: row.account,
      isPublic: row.scope === PUBLIC_HOME,
      serial: cipher.serialOf(row.n),
      version: row.version,
      ...textsOf(row.doc),
    }
  }

  return {
    read(collectionName, scope, id) {
      const collection = names.collection(collectionName)
      return collection === null ? null : present(rowOf(collection, scope, id), scope)
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

function recordHistory({ connection, names, cipher }: Reader, doc: string): RecordHistory {
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
  const current = connection.prepare<[object], Sealed<RecordContent>>(
    `SELECT n, collection, scope, owner, id, version, is_default, ${doc}, note, checksum FROM record
     WHERE n = @n AND version = @version`,
  )
  const earlier = connection.prepare<[object], Sealed<RevisionContent>>(
    `SELECT n, version, ${doc}, note, checksum FROM revision WHERE n = @n AND version = @version`,
  )
  const entries = connection.prepare<[object], RemovedEntry>(
    `SELECT removed.id, removed.version, removed.removal FROM removed JOIN owner ON owner.number = removed.owner
     WHERE removed.collection = @collection AND ${OF_ACCOUNT} ORDER BY removed.place DESC LIMIT @limit + 0 OFFSET @skip + 0`,
  )
  const removed = connection.prepare<[object], RemovedRow>(
    `SELECT n, collection, removed.owner, id, version, is_public, ${doc}, note, removal, checksum, owner.account
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
      const newest = current.get({ n, version })
      if (newest !== undefined) return ownText(undamaged<RecordContent>(assertRead(newest), recordChecksum, id).doc)
      const row = earlier.get({ n, version })
      return row === undefined ? null : undamaged<RevisionContent>(assertRead(row), revisionChecksum, id).doc
    },
    removedEntries(collection, scope, skip, limit) {
      const place = within(collection, scope)
      return place === null ? [] : entries.all({ ...place, skip, limit })
    },
    removedRecord(collection, scope, id) {
      const place = within(collection, scope)
      const row = place === null ? undefined : removed.get({ ...place, id })
      if (row === undefined) return null
      const { n, version, doc: text, removal } = undamaged<RemovedContent>(assertRead(row), removedChecksum, id)
      const serial = cipher.serialOf(n)
      return { id: row.id, accountId: row.account, isPublic: row.is_public === 1, serial, version, text, removal }
    },
  }
}

export type SingleReads = RecordReader & RecordHistory

/** Prepares the reads of single records, of documents up to so many bytes. */
export function singleReads(reader: Reader, longest = LONGEST_HERE): SingleReads {
  const doc = docUpTo(longest)
  return { ...recordReader(reader, doc), ...recordHistory(reader, doc) }
}
