import { createHash } from 'node:crypto'
import { ROW_KINDS, type Row, type RowKindName, type RowSource, type Value } from '../../port/rows.ts'
import type { Statements } from '../base/database.ts'
import { readFault } from '../base/faults.ts'
import { GIVEN, OWN_MARKS, readColumns, SMALL_TABLES, SPREAD_TABLES, type SpreadTable, type Table } from './tables.ts'

/** Rows that are asked for together, and about how many bytes of texts these may have. */
const ROWS_TOGETHER = 1000
const BYTES_TOGETHER = 4 * 2 ** 20

/** Rows that a transaction sees. */
export class PostgresRows implements RowSource {
  readonly name: string
  readonly #sql: Statements
  readonly #state: () => Promise<string>
  readonly #end: () => Promise<void>
  /** Asked once: sequences go on, whatever a transaction sees of all else. */
  #given: readonly Row[] | null = null

  constructor(
    sql: Statements,
    name: string,
    { state, end }: { state: () => Promise<string>; end: () => Promise<void> },
  ) {
    this.#sql = sql
    this.name = name
    this.#state = state
    this.#end = end
  }

  state(): Promise<string> {
    return this.#state()
  }

  async count(kind: RowKindName): Promise<number> {
    if (kind === 'given') return 2
    const from = kind === 'usage' ? 'home WHERE records > 0' : kind === 'mark' ? MARKS : tableOf(kind).name
    const [row] = await this.#sql.unsafe<{ count: number }[]>(`SELECT count(*) AS count FROM ${from}`)
    return Number(row?.count ?? 0)
  }

  async *read(kind: RowKindName, after: Row | null): AsyncGenerator<readonly Row[]> {
    try {
      if (kind === 'given') yield* this.#readGiven(after)
      else if (kind === 'usage') yield await this.#readUsage()
      else if (kind in SPREAD_TABLES) yield* this.#readSpread(kind as keyof typeof SPREAD_TABLES, after)
      else yield* this.#readSmall(kind as keyof typeof SMALL_TABLES, after)
    } catch (error) {
      throw readFault(error, 0)
    }
  }

  close(): Promise<void> {
    return this.#end()
  }

  async *#readSmall(kind: keyof typeof SMALL_TABLES, after: Row | null): AsyncGenerator<readonly Row[]> {
    const table: Table = SMALL_TABLES[kind]
    const order = table.columns
      .slice(0, ROW_KINDS[kind].ordered)
      .map(({ name }) => name)
      .join(', ')
    const from = kind === 'mark' ? MARKS : table.name
    for (let last = after; ; ) {
      const places = last?.map((_, at) => `$${at + 1}`).join(', ')
      const behind =
        last === null || kind === 'key' ? '' : `${kind === 'mark' ? 'AND' : 'WHERE'} (${order}) > (${places})`
      const rows = await valuesOf(
        this.#sql,
        `SELECT ${readColumns(table)} FROM ${from} ${behind} ORDER BY ${order} LIMIT ${ROWS_TOGETHER}`,
        behind === '' ? [] : (last ?? []),
      )
      if (rows.length === 0 || (kind === 'key' && last !== null)) return
      yield rows
      last = (rows.at(-1) as Row).slice(0, ROW_KINDS[kind].ordered)
    }
  }

  /** Numbers are gone through in their order, and the rows are read home by home: the database sorts no texts. */
  async *#readSpread(kind: keyof typeof SPREAD_TABLES, after: Row | null): AsyncGenerator<readonly Row[]> {
    const table: SpreadTable = SPREAD_TABLES[kind]
    const order = kind === 'revision' ? 'n, version' : table.number
    const bytes = kind === 'audit' ? '200' : 'octet_length(doc)'
    const behind = after === null ? '' : `WHERE (${order}) > (${after.map(Number).join(', ')})`
    await this.#sql.unsafe(
      `DECLARE moved NO SCROLL CURSOR FOR SELECT ${order}, ${bytes}, ${table.within.join(', ')} FROM ${table.name} ${behind} ORDER BY ${order}`,
    )
    for (;;) {
      const keys = await valuesOf(this.#sql, `FETCH ${ROWS_TOGETHER} FROM moved`, [])
      if (keys.length === 0) break
      for (const part of partsOf(keys, kind === 'revision' ? 2 : 1)) yield await this.#readKeys(kind, part)
    }
    await this.#sql.unsafe('CLOSE moved')
  }

  async #readKeys(kind: keyof typeof SPREAD_TABLES, keys: readonly Row[]): Promise<readonly Row[]> {
    const table: SpreadTable = SPREAD_TABLES[kind]
    const { ordered } = ROW_KINDS[kind]
    const groups = new Map<string, { within: Row; numbers: number[] }>()
    for (const key of keys) {
      const within = key.slice(ordered + 1)
      const name = JSON.stringify(within)
      const group = groups.get(name)
      if (group === undefined) groups.set(name, { within, numbers: [Number(key[0])] })
      else group.numbers.push(Number(key[0]))
    }
    const conditions = table.within.map((name, at) => `${name} = $${at + 2}`).join(' AND ')
    const statement = `SELECT ${readColumns(table)} FROM ${table.name} WHERE ${conditions} AND ${table.number} = ANY($1::bigint[])`
    const found = await Promise.all(
      Array.from(groups.values(), ({ within, numbers }) => valuesOf(this.#sql, statement, [numbers, ...within])),
    )
    const byKey = new Map(found.flat().map((row) => [row.slice(0, ordered).join(' '), row]))
    return keys.map((key) => byKey.get(key.slice(0, ordered).join(' ')) as Row)
  }

  async *#readGiven(after: Row | null): AsyncGenerator<readonly Row[]> {
    this.#given ??= await this.#askGiven()
    const rows = this.#given.filter(([what]) => after === null || String(what) > String(after[0]))
    if (rows.length > 0) yield rows
  }

  async #askGiven(): Promise<readonly Row[]> {
    const last = 'SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM'
    const found = await Promise.all(GIVEN.map(([, sequence]) => valuesOf(this.#sql, `${last} ${sequence}`, [])))
    return GIVEN.map(([what], at) => [what, found[at]?.[0]?.[0] ?? 0])
  }

  #readUsage(): Promise<readonly Row[]> {
    return valuesOf(this.#sql, 'SELECT home, records, bytes FROM home WHERE records > 0 ORDER BY home', [])
  }
}

const MARKS = `mark WHERE name NOT IN (${OWN_MARKS.map((name) => `'${name}'`).join(', ')})`

function tableOf(kind: Exclude<RowKindName, 'given' | 'usage'>): Table {
  return kind in SPREAD_TABLES
    ? SPREAD_TABLES[kind as keyof typeof SPREAD_TABLES]
    : SMALL_TABLES[kind as keyof typeof SMALL_TABLES]
}

async function valuesOf(
  sql: Statements,
  statement: string,
  values: readonly (Value | number[])[],
): Promise<readonly Row[]> {
  return (await sql
    .unsafe(statement, values as never[], { prepare: values.length > 0 })
    .values()) as unknown as readonly Row[]
}

/** Cuts keys into parts whose texts do not take too much memory together; `at` is where the length stands. */
function* partsOf(keys: readonly Row[], at: number): Generator<readonly Row[]> {
  let part: Row[] = []
  let bytes = 0
  for (const key of keys) {
    part.push(key)
    bytes += Number(key[at])
    if (bytes < BYTES_TOGETHER) continue
    yield part
    part = []
    bytes = 0
  }
  if (part.length > 0) yield part
}

/** Hash of the state: homes tell of records; the audit, whose numbers also count what was not kept, of users and accounts beyond mere use. */
export async function stateOf(sql: Statements): Promise<string> {
  const hash = createHash('sha256')
  for (const statement of [
    "SELECT encode(key, 'base64') FROM number_key",
    'SELECT home, changes FROM home ORDER BY home',
    'SELECT version FROM accounts_version',
    'SELECT last_value, is_called::integer FROM audit_number',
  ]) {
    for (const row of await valuesOf(sql, statement, [])) hash.update(`${row.join(' ')}\n`)
  }
  return hash.digest('base64url')
}
