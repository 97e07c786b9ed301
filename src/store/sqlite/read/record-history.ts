import type { Scope } from '../../../query/plan/scope.ts'
import type { RemovedEntry, RemovedRecord, RevisionNote } from '../../port/record-store.ts'
import {
  type RemovedContent,
  type RevisionContent,
  removedChecksum,
  revisionChecksum,
  type Sealed,
  undamaged,
} from '../row-checksum.ts'
import { PUBLIC_HOME } from '../scopes.ts'
import type { Reader } from './reader.ts'

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
