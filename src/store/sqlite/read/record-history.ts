import type { Scope } from '../../../query/plan/scope.ts'
import type { RemovedEntry, RemovedRecord, RevisionNote } from '../../port/record-store.ts'
import type { Reader } from './reader.ts'

interface RemovedRow {
  readonly n: number
  readonly id: string
  readonly account: string
  readonly version: number
  readonly is_public: number
  readonly doc: string
  readonly removal: string | null
}

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
export function recordHistory({ connection, names }: Reader): RecordHistory {
  const findNumber = connection
    .prepare<[object], number>(
      `SELECT record.n FROM record JOIN owner ON owner.number = record.owner
       WHERE record.collection = @collection AND record.id = @id AND ${OF_ACCOUNT}`,
    )
    .pluck()
  const notes = connection.prepare<[object], RevisionNote>(
    `SELECT version, note FROM record WHERE n = @n
     UNION ALL SELECT version, note FROM revision WHERE n = @n ORDER BY version DESC`,
  )
  const text = connection
    .prepare<[object], string>(
      `SELECT doc FROM record WHERE n = @n AND version = @version
       UNION ALL SELECT doc FROM revision WHERE n = @n AND version = @version`,
    )
    .pluck()
  const entries = connection.prepare<[object], RemovedEntry>(
    `SELECT removed.id, removed.version, removed.removal FROM removed JOIN owner ON owner.number = removed.owner
     WHERE removed.collection = @collection AND ${OF_ACCOUNT} ORDER BY removed.place DESC LIMIT @limit + 0 OFFSET @skip + 0`,
  )
  const removed = connection.prepare<[object], RemovedRow>(
    `SELECT removed.n, removed.id, owner.account, removed.version, removed.is_public, removed.doc, removed.removal
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
      return n === null ? null : (text.get({ n, version }) ?? null)
    },
    removedEntries(collection, scope, skip, limit) {
      const place = within(collection, scope)
      return place === null ? [] : entries.all({ ...place, skip, limit })
    },
    removedRecord(collection, scope, id) {
      const place = within(collection, scope)
      const row = place === null ? undefined : removed.get({ ...place, id })
      if (row === undefined) return null
      const { n: serial, account: accountId, version, doc, removal } = row
      return { id: row.id, accountId, isPublic: row.is_public === 1, serial, version, text: doc, removal }
    },
  }
}
