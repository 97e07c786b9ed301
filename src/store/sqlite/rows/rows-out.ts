import { createHash } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import { damageMet } from '../../errors.ts'
import { ROW_KINDS, type Row, type RowKindName, type RowSource, type Value } from '../../port/rows.ts'
import { type Connection, storageFault } from '../base/database.ts'
import { damagedRow, isUndamaged, recordChecksum, removedChecksum, revisionChecksum } from '../base/record-rows.ts'
import { RELATIONS } from './table-rows.ts'

/** Texts that are handed on together have about so many characters, and are not more than so many. */
const CHARACTERS_TOGETHER = 4 * 2 ** 20
const ROWS_TOGETHER = 2000

/** Rows that a connection sees in its transaction. */
export class SqliteRows implements RowSource {
  readonly name: string
  readonly #connection: Connection
  readonly #end: () => void

  constructor(connection: Connection, name: string, end: () => void) {
    this.#connection = connection
    this.name = name
    this.#end = end
  }

  /** Hash of the state: a change of a record changes its home; a change of users and accounts, beyond mere use, is in the audit. */
  async state(): Promise<string> {
    const hash = createHash('sha256')
    for (const query of ['SELECT key FROM number_key', 'SELECT number, changes FROM home ORDER BY number']) {
      for (const row of this.#connection.prepare<[], unknown[]>(query).raw().iterate()) hash.update(textOf(row))
    }
    const last = this.#connection.prepare<[], number>('SELECT coalesce(max(n), 0) FROM audit').pluck().get()
    return hash.update(String(last)).digest('base64url')
  }

  async count(kind: RowKindName): Promise<number> {
    const { from } = RELATIONS[kind]
    return this.#connection.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck().get() ?? 0
  }

  async *read(kind: RowKindName, after: Row | null): AsyncGenerator<readonly Row[]> {
    try {
      yield* this.#read(kind, after)
    } catch (error) {
      throw error instanceof AppError ? error : (storageFault(error) ?? error)
    }
  }

  *#read(kind: RowKindName, after: Row | null): Generator<readonly Row[]> {
    const { from, columns } = RELATIONS[kind]
    const order = columns.slice(0, ROW_KINDS[kind].ordered).join(', ')
    const behind = after === null ? '' : `WHERE (${order}) > (${after.map(() => '?').join(', ')})`
    const sealed = SEALED[kind]
    const more = sealed === undefined ? '' : `, ${sealed.columns}`
    const rows = this.#connection
      .prepare<Value[], (Value | Buffer)[]>(
        `SELECT ${columns.join(', ')}${more} FROM ${from} ${behind} ORDER BY ${order}`,
      )
      .raw()
      .iterate(...(after ?? []))
    let together: Row[] = []
    let characters = 0
    for (const found of rows) {
      sealed?.verify(found as Value[])
      if (found[sealed?.ofAccount ?? 0] === null)
        throw damageMet(`A row of ${kind} in ${this.name} is of no account: ${found.slice(0, 2).join(', ')}.`)
      const row = found.slice(0, columns.length).map(plainValue)
      together.push(row)
      for (const value of row) characters += typeof value === 'string' ? value.length : 8
      if (together.length < ROWS_TOGETHER && characters < CHARACTERS_TOGETHER) continue
      yield together
      together = []
      characters = 0
    }
    if (together.length > 0) yield together
  }

  async close(): Promise<void> {
    this.#end()
  }
}

function textOf(row: readonly unknown[]): string {
  return `${row.map((value) => (Buffer.isBuffer(value) ? value.toString('base64') : value)).join(' ')}\n`
}

function plainValue(value: Value | Buffer): Value {
  return Buffer.isBuffer(value) ? value.toString('base64') : value
}

/** Further columns of rows that have a checksum, and its check: rows that are not what was written are refused. */
interface SealedRelation {
  readonly columns: string
  /** Index of the account column. */
  readonly ofAccount: number
  verify(row: readonly Value[]): void
}

const SEALED: Readonly<Partial<Record<RowKindName, SealedRelation>>> = {
  record: {
    columns: 'r.checksum, r.collection, r.scope, r.owner',
    ofAccount: 3,
    verify(row) {
      const [n, , , , id, version, is_default, doc, note, , checksum, collection, scope, owner] = row as RecordValues
      const content = { n, collection, scope, owner, id, version, is_default, doc, note, checksum }
      if (!isUndamaged(content, recordChecksum)) throw damagedRow(version, id)
    },
  },
  revision: {
    columns: 'r.checksum',
    ofAccount: 2,
    verify(row) {
      const [n, version, , doc, note, checksum] = row as [number, number, string, string, string, number]
      if (!isUndamaged({ n, version, doc, note, checksum }, revisionChecksum))
        throw damagedRow(version, `with number ${n}`)
    },
  },
  removed: {
    columns: 'r.checksum, r.collection, r.owner',
    ofAccount: 3,
    verify(row) {
      const [, n, , , id, version, is_public, doc, note, removal, checksum, collection, owner] = row as RemovedValues
      const content = { n, collection, owner, id, version, is_public, doc, note, removal, checksum }
      if (!isUndamaged(content, removedChecksum)) throw damagedRow(version, id)
    },
  },
}

// biome-ignore format: a row of values
type RecordValues = [number, string, number, string, string, number, number, string, string | null, number | null, number, number, number, number]
// biome-ignore format: a row of values
type RemovedValues = [number, number, string, string, string, number, number, string, string | null, string | null, number, number, number]
