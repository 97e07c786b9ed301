import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { compileNarrowing } from '../../../query/sql/compile-narrowing.ts'
import type { Selection } from '../../../query/sql/selection.ts'
import { oneOf, type SqlFragment, sql } from '../../../query/sql/sql-fragment.ts'
import type { Connection } from '../database.ts'
import { SQLITE_DIALECT } from '../leaf-key.ts'
import type { Effort } from './effort.ts'
import { type Names, names } from './names.ts'
import { StatementCache } from './statement-cache.ts'

/** A connection that only reads, with what it remembers. */
export interface Reader {
  readonly connection: Connection
  readonly statements: StatementCache
  readonly names: Names
  /** The text of a record. */
  textOf(n: number): string
}

/** Prepares a connection for reading. */
export function createReader(connection: Connection): Reader {
  const text = connection.prepare<[number], string>('SELECT doc FROM record WHERE n = ?').pluck()
  return {
    connection,
    statements: new StatementCache(connection),
    names: names(connection),
    textOf(n) {
      const found = text.get(n)
      if (found === undefined) throw new Error(`The index names record ${n}, which does not exist.`)
      return found
    },
  }
}

/** Where a plan looks: a collection as one asker sees it, and the candidates there. */
export interface Target {
  readonly collection: number
  readonly scopes: readonly number[] | null
  /** Every record that the asker sees. */
  readonly everything: Selection
  readonly selection: Selection
}

/** Counting for the choice of a plan stops after so many rows in all; what is not counted counts as broad. */
const PROBED_ROWS = 20_000
/** What a count costs besides its rows, in rows. */
const COST_OF_COUNTING = 10

/** Compiles the narrowing of a plan against what the index holds; null when there is no such collection yet. */
export function targetOf(reader: Reader, plan: QueryPlan, { probeLimit }: Effort): Target | null {
  const collection = reader.names.collection(plan.collection)
  if (collection === null) return null
  const scopes = reader.names.scopes(plan.scope)
  const countRows = boundedCounter(reader, probeLimit)
  const rows = everyRecord(collection, scopes)
  const size = countRows(rows)
  const everything = { rows, size, broad: size >= probeLimit, exact: true, test: null, testExact: true }
  const selection = compileNarrowing(plan.narrowing, {
    dialect: SQLITE_DIALECT,
    scopes,
    everything,
    findPath: (path) => reader.names.path(collection, path),
    probeLimit,
    countRows,
  })
  return { collection, scopes, everything, selection }
}

function boundedCounter(reader: Reader, limit: number): (rows: SqlFragment) => number {
  let left = PROBED_ROWS
  return (rows) => {
    if (left <= 0) return limit
    const found = reader.statements.value(sql`SELECT count(*) FROM (SELECT 1 FROM (${rows}) LIMIT ${limit})`) as number
    left -= found + COST_OF_COUNTING
    return found
  }
}

function everyRecord(collection: number, scopes: readonly number[] | null): SqlFragment {
  const visible = scopes === null ? sql`1` : oneOf(sql`scope`, scopes)
  return sql`SELECT n FROM record WHERE collection = ${collection} AND ${visible}`
}

/** Reads the text of a record as the document that it is. */
export function parseDocument(text: string): JsonObject {
  const document = JSON.parse(text) as Json
  if (!isJsonObject(document)) throw new Error('A stored record is not a JSON object.')
  return document
}
