import { MOST_ROWS } from '../../../engine/column-parts.ts'
import { ColumnGatherer } from '../../../engine/gather-columns.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Shelf } from './segment-rows.ts'
import type { TailRow, TailTable } from './tail-rows.ts'

/** Tails whose columns are gathered at a time. */
const MOST_GATHERED = 8
/** Shelves of which it is known that they are not gathered. */
const MOST_KNOWN = 10_000

/** The columns of all that is in a tail. */
export interface GatheredTail {
  readonly rows: readonly TailRow[]
  readonly columns: ColumnGatherer
}

interface GrowingTail extends GatheredTail {
  readonly rows: TailRow[]
}

/**
 * The columns of tails that bulk writes fill: a document goes into them when it is written, so that a tail that is full need not be read
 * and parsed once more. Whoever else may have written, what is gathered is used only where it is of exactly the rows of the tail.
 */
export class GatheredTails {
  readonly #tails: TailTable
  /** The one that was used last is at the end. */
  readonly #growing = new Map<string, GrowingTail>()
  readonly #others = new Set<string>()

  constructor(tails: TailTable) {
    this.#tails = tails
  }

  /** Adds a new record, which is in the tail already. */
  add(shelf: Shelf, row: TailRow, document: JsonObject): void {
    const name = nameOf(shelf)
    if (this.#others.has(name)) return
    const growing = this.#growing.get(name) ?? this.#begin(shelf)
    if (growing === null || growing.rows.length === MOST_ROWS || row.n <= (growing.rows.at(-1)?.n ?? 0)) {
      this.drop(shelf)
      return
    }
    growing.columns.add(document)
    growing.rows.push(row)
    this.#growing.delete(name)
    this.#growing.set(name, growing)
    if (this.#growing.size > MOST_GATHERED) this.#letGo(this.#growing.keys().next().value as string)
  }

  /** Something is written to a shelf that is not gathered: what is, is of no use any more. */
  drop(shelf: Shelf): void {
    this.#letGo(nameOf(shelf))
  }

  /** The columns of a tail that is to be sealed; null where they are not of all its rows and no others. The next one begins. */
  take(shelf: Shelf, rows: readonly TailRow[]): GatheredTail | null {
    const name = nameOf(shelf)
    const gathered = this.#growing.get(name)
    this.#growing.delete(name)
    this.#others.delete(name)
    return gathered !== undefined && isSame(gathered.rows, rows) ? gathered : null
  }

  /** What was gathered may have been taken back. */
  forget(): void {
    this.#growing.clear()
    this.#others.clear()
  }

  /** Only a tail that has nothing else is gathered. */
  #begin(shelf: Shelf): GrowingTail | null {
    return this.#tails.count(shelf) === 1 ? { rows: [], columns: new ColumnGatherer() } : null
  }

  #letGo(name: string): void {
    this.#growing.delete(name)
    if (this.#others.size === MOST_KNOWN) this.#others.clear()
    this.#others.add(name)
  }
}

function isSame(rows: readonly TailRow[], others: readonly TailRow[]): boolean {
  if (rows.length !== others.length) return false
  return rows.every(({ n, stamp }, at) => n === others[at]?.n && stamp === others[at]?.stamp)
}

function nameOf({ home, collection }: Shelf): string {
  return `${home}/${collection}`
}
