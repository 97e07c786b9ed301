import { compoundReader, describeShape } from '../../compound/compound-index.ts'
import { type CompoundRecord, compoundRows } from '../../compound/compound-rows.ts'
import type { Connection } from '../../database.ts'
import type { KeptIndex } from '../../write/compound-writer.ts'

/** What the compound indexes must hold, by the documents. */
export class ExpectedCompounds {
  readonly #connection: Connection
  readonly #indexes: readonly KeptIndex[]
  readonly #hasRow
  readonly #expected = new Map<number, number>()

  constructor(connection: Connection) {
    this.#connection = connection
    const findPath = connection
      .prepare<[number, string], number>('SELECT number FROM path WHERE collection = ? AND text = ?')
      .pluck()
    this.#indexes = compoundReader(connection)()
      .filter(({ state }) => state === 'building' || state === 'ready')
      .map((index) => {
        return { ...index, pathNumber: index.path === '' ? 0 : (findPath.get(index.collection, index.path) ?? -1) }
      })
    this.#hasRow = connection
      .prepare<[number, number, number, number | string, Buffer, number], number>(
        'SELECT 1 FROM compound_row WHERE compound = ? AND scope = ? AND path_type = ? AND value = ? AND place = ? AND n = ?',
      )
      .pluck()
  }

  /** Adds one record; tells what is wrong with it. */
  take(collection: number, record: CompoundRecord): string | null {
    const indexes = this.#indexes.filter((index) => index.collection === collection && holds(index, record.n))
    if (indexes.length === 0) return null
    const { rows, unsuitable } = compoundRows(indexes, record)
    let missing = 0
    for (const { compound, scope, pathType, value, place, n } of rows) {
      this.#expected.set(compound, (this.#expected.get(compound) ?? 0) + 1)
      if (this.#hasRow.get(compound, scope, pathType, value, place, n) === undefined) missing += 1
    }
    if (unsuitable.size > 0) return 'it cannot be in an order that is said to hold it'
    return missing === 0 ? null : `${missing} of its places in orders are missing`
  }

  /** Finds rows that no document accounts for. */
  compareTotals(): string[] {
    const count = this.#connection
      .prepare<[number], number>('SELECT count(*) FROM compound_row WHERE compound = ?')
      .pluck()
    const strays = this.#connection
      .prepare<[], number>('SELECT count(*) FROM compound_row WHERE compound NOT IN (SELECT number FROM compound)')
      .pluck()
    const surplus = this.#indexes.flatMap((index) => {
      const more = (count.get(index.number) ?? 0) - (this.#expected.get(index.number) ?? 0)
      return more <= 0 ? [] : [`The index over ${describeShape(index)} has ${more} entries that no record has.`]
    })
    const stray = strays.get() ?? 0
    return stray === 0 ? surplus : [...surplus, `${stray} entries belong to no index over an order.`]
  }
}

function holds({ state, builtTo }: KeptIndex, n: number): boolean {
  return state === 'ready' || n <= builtTo
}
