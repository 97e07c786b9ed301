import type { Scope } from '../../../query/plan.ts'
import type { NumberCipher } from '../../number-cipher.ts'
import { ownText, textsOf } from '../../port/derived-text.ts'
import type {
  GivenUpRecords,
  GivenUpTerms,
  RemovedEntry,
  RemovedRecord,
  RevisionNote,
  StoredRecord,
} from '../../port/record-store.ts'
import { isKept, PUBLIC_HOME, type Sql } from '../base/database.ts'
import { ofEachHome } from '../base/each-home.ts'
import { type Homes, homesOf } from './homes.ts'
import { byId, type RecordRow } from './read-together.ts'

interface RecordReaderTerms {
  readonly sql: Sql
  readonly cipher: NumberCipher
  readonly homes: Homes
}

/** Reads one record that a scope can see; its own before a public one of the same id. */
export async function readRecord(
  { sql, cipher, homes: known }: RecordReaderTerms,
  collection: string,
  scope: Scope,
  id: string,
): Promise<StoredRecord | null> {
  if (!isKept(id)) return null
  const homes = homesOf(scope)
  const rows =
    homes === null
      ? await sql<RecordRow[]>`
          SELECT found.* FROM home CROSS JOIN LATERAL (
            SELECT home, n, id, owner, version, doc FROM record
            WHERE record.home = home.home AND collection = ${collection} AND ${byId(sql, id)}
          ) found LIMIT 1`
      : await known.readRecord({ homes, collection, id })
  const row = rows.find(({ home }) => home !== PUBLIC_HOME) ?? rows[0]
  return row === undefined ? null : present(row, cipher)
}

/** Reads records of which something was given up, of all accounts. */
export async function readGivenUp(
  { sql, cipher }: Pick<RecordReaderTerms, 'sql' | 'cipher'>,
  collection: string,
  { belowMs, after, limit }: GivenUpTerms,
): Promise<GivenUpRecords> {
  const rows = await sql<RecordRow[]>`
    SELECT home, n, id, owner, version, doc FROM record
    WHERE collection = ${collection} AND n > ${after} AND gave_up_ms < ${belowMs} ORDER BY n LIMIT ${limit}`
  return { records: rows.map((row) => present(row, cipher)), next: rows.at(-1)?.n ?? after }
}

/** Reads the default record of an account, if it has one that the scope can see. */
export async function readDefault(
  { sql, cipher }: RecordReaderTerms,
  collection: string,
  scope: Scope,
  accountId: string,
): Promise<StoredRecord | null> {
  const [row] = await ofEachHome(
    [accountId, PUBLIC_HOME],
    (home) => sql<RecordRow[]>`
      SELECT home, n, id, owner, version, doc FROM record
      WHERE home = ${home} AND collection = ${collection} AND owner = ${accountId} AND is_default LIMIT 1`,
  )
  if (row === undefined || homesOf(scope)?.includes(row.home) === false) return null
  return present(row, cipher)
}

function present({ home, n, id, owner, version, doc }: RecordRow, cipher: NumberCipher): StoredRecord {
  return { id, accountId: owner, isPublic: home === PUBLIC_HOME, serial: cipher.serialOf(n), version, ...textsOf(doc) }
}

/** Earlier versions and removed records, which no query sees; only their account can read them, and an operator those of all. */
export class RecordHistory {
  readonly #reading: RecordReaderTerms

  constructor(reading: RecordReaderTerms) {
    this.#reading = reading
  }

  async notes(collection: string, scope: Scope, id: string): Promise<readonly RevisionNote[] | null> {
    const row = await this.#find(collection, scope, id)
    if (row === null) return null
    const { sql } = this.#reading
    const earlier = await sql<RevisionNote[]>`
      SELECT version, note FROM revision WHERE home = ${row.owner} AND n = ${row.n} ORDER BY version DESC`
    return [{ version: row.version, note: row.note }, ...earlier]
  }

  async revision(collection: string, scope: Scope, id: string, version: number): Promise<string | null> {
    const row = await this.#find(collection, scope, id)
    if (row === null) return null
    if (row.version === version) return ownText(row.doc)
    const [earlier] = await this.#reading.sql<{ doc: string }[]>`
      SELECT doc FROM revision WHERE home = ${row.owner} AND n = ${row.n} AND version = ${version}`
    return earlier?.doc ?? null
  }

  async removedEntries(
    collection: string,
    scope: Scope,
    skip: number,
    limit: number,
  ): Promise<readonly RemovedEntry[]> {
    const { sql } = this.#reading
    if (scope.kind === 'public') return []
    if (scope.kind === 'operator') {
      return sql<RemovedEntry[]>`
        SELECT id, version, removal FROM removed WHERE collection = ${collection}
        ORDER BY place DESC LIMIT ${limit} OFFSET ${skip}`
    }
    return sql<RemovedEntry[]>`
      SELECT id, version, removal FROM removed WHERE home = ${scope.accountId} AND collection = ${collection}
      ORDER BY place DESC LIMIT ${limit} OFFSET ${skip}`
  }

  async removedRecord(collection: string, scope: Scope, id: string): Promise<RemovedRecord | null> {
    const { sql, cipher } = this.#reading
    if (scope.kind === 'public' || !isKept(id)) return null
    const homes = scope.kind === 'operator' ? sql`SELECT home FROM home` : sql`SELECT ${scope.accountId}::text AS home`
    const [row] = await sql<RemovedColumns[]>`
      SELECT found.* FROM (${homes}) asked CROSS JOIN LATERAL (
        SELECT home, n, id, version, is_public AS "isPublic", doc, removal, place FROM removed
        WHERE removed.home = asked.home AND collection = ${collection} AND id = ${id} LIMIT 1
      ) found ORDER BY found.place DESC LIMIT 1`
    if (row === undefined) return null
    const { home: accountId, n, version, isPublic, doc: text, removal } = row
    return { id, accountId, isPublic, serial: cipher.serialOf(n), version, text, removal }
  }

  /** The record of the scope's own account: in its home, or among the public ones, where another may have the same id. */
  async #find(collection: string, scope: Scope, id: string): Promise<NotedRecord | null> {
    if (scope.kind === 'public' || !isKept(id)) return null
    const { sql } = this.#reading
    const rows =
      scope.kind === 'operator'
        ? await sql<NotedRecord[]>`
            SELECT found.* FROM home CROSS JOIN LATERAL (
              SELECT n, owner, version, doc, note FROM record
              WHERE record.home = home.home AND collection = ${collection} AND ${byId(sql, id)}
            ) found LIMIT 1`
        : await ofEachHome(
            [scope.accountId, PUBLIC_HOME],
            (home) => sql<NotedRecord[]>`
              SELECT n, owner, version, doc, note FROM record
              WHERE home = ${home} AND collection = ${collection} AND ${byId(sql, id)}`,
          )
    return rows.find(({ owner }) => scope.kind === 'operator' || owner === scope.accountId) ?? null
  }
}

type NotedRecord = Pick<RecordRow, 'n' | 'owner' | 'version' | 'doc'> & { readonly note: string | null }

interface RemovedColumns {
  readonly home: string
  readonly n: number
  readonly version: number
  readonly isPublic: boolean
  readonly doc: string
  readonly removal: string | null
}
