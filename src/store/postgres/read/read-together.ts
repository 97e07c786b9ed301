import { ACCOUNTS_HOME, type Sql } from '../base/database.ts'

/** Counters that tell news in a home: its changes, and the layout of its segments. */
export interface HomeState {
  readonly home: string
  readonly version: number
  readonly layout: number
}

/** A record that somebody wants: by its id, in the homes that the requester sees. */
export interface WantedRecord {
  readonly homes: readonly [string] | readonly [string, string]
  readonly collection: string
  readonly id: string
}

export interface RecordRow {
  readonly home: string
  readonly n: number
  readonly id: string
  readonly owner: string
  readonly version: number
  readonly doc: string
}

/** The states of some homes, and for each of some records those that are there under its id. */
export interface Together {
  readonly states: readonly HomeState[]
  readonly records: ReadonlyMap<WantedRecord, readonly RecordRow[]>
}

/** `asked`: index of a record among those asked for; null for a state. */
type TogetherRow = HomeState & RecordRow & { readonly asked: number | null }

/** Reads states of homes and records with one statement. Homes are named one by one: for an array the server would plan it anew each time. */
export async function readTogether(
  sql: Sql,
  names: readonly string[],
  records: readonly WantedRecord[],
): Promise<Together> {
  const homes = names.filter((name) => name !== ACCOUNTS_HOME)
  const parts = [
    ...(names.includes(ACCOUNTS_HOME) ? [accountsState(sql)] : []),
    ...(homes.length > 0 ? [statesOf(sql, homes)] : []),
    ...records.flatMap((record, at) => record.homes.map((home) => recordOf(sql, record, { home, at }))),
  ]
  if (parts.length === 0) return { states: [], records: new Map() }
  const rows = await parts.reduce((above, part) => sql<TogetherRow[]>`${above} UNION ALL ${part}`)
  return {
    states: rows.filter(({ asked }) => asked === null),
    records: new Map(records.map((record, at) => [record, rows.filter(({ asked }) => asked === at)])),
  }
}

function accountsState(sql: Sql) {
  return sql<TogetherRow[]>`
    SELECT NULL::integer AS asked, ${ACCOUNTS_HOME}::text AS home, version, 0::bigint AS layout, NULL::bigint AS n, NULL::text AS id, NULL::text AS owner,
      NULL::text AS doc
    FROM accounts_version`
}

function statesOf(sql: Sql, homes: string[]) {
  return sql<TogetherRow[]>`
    SELECT NULL::integer AS asked, home, changes AS version, layout, NULL::bigint AS n, NULL::text AS id, NULL::text AS owner,
      NULL::text AS doc
    FROM home WHERE home = ANY(${homes})`
}

function recordOf(
  sql: Sql,
  { collection, id }: WantedRecord,
  { home, at }: { readonly home: string; readonly at: number },
) {
  return sql<TogetherRow[]>`
    (SELECT ${at}::integer AS asked, home, version::bigint AS version, NULL::bigint AS layout, n, id, owner, doc
    FROM record WHERE home = ${home} AND collection = ${collection} AND ${byId(sql, id)})`
}

/** Ends a look-up by id. An order that only the index of ids has makes the planner take it; by a bare equality it may take that of numbers. */
export function byId(sql: Sql, id: string) {
  return sql`id BETWEEN ${id} AND ${id} ORDER BY id LIMIT 1`
}
