import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { ColumnCache } from '../../segments/column-cache.ts'
import {
  type HeldShelf,
  isKnownSegment,
  lastStampOf,
  ShelfFollower,
  type ShelfNews,
  type ShelfView,
  weightOf,
} from '../../segments/shelf-view.ts'
import type { Shelf } from '../../shelf.ts'
import type { Sql, Transaction } from '../base/database.ts'
import { ofEachHome } from '../base/each-home.ts'
import { numberIn, type RawRow } from '../base/raw-rows.ts'
import { listSegments, readSegments } from '../base/segment-rows.ts'
import { IN_ONE_STATE, transact } from '../base/transact.ts'
import { type HomeState, type Homes, readStates } from './homes.ts'

/** The shelves of a question, all of one state of the database, with the homes that they are of. */
export interface AskedShelves {
  readonly homes: readonly string[]
  readonly views: readonly ShelfView[]
}

interface Terms {
  readonly sql: Sql
  readonly homes: Homes
  readonly columns: ColumnCache
  readonly bytes: number
  /** Hears which records of a shelf may have other texts now, as of a version of its home. */
  readonly forget: (numbers: Iterable<number>) => void
  readonly noteVersion: (shelf: Shelf<string>, version: number) => void
}

/** How often it is looked again when homes change faster than they are looked at. */
const MOST_LOOKS = 20

/** Follows the shelves of the database, each as far as its home has changed since it was last looked at. */
export class Shelves {
  readonly #terms: Terms
  readonly #follower: ShelfFollower
  readonly #held: BoundedCache<HeldShelf>

  constructor(terms: Terms) {
    this.#terms = terms
    this.#follower = new ShelfFollower(terms.columns, terms.forget)
    this.#held = new BoundedCache({ most: terms.bytes })
  }

  /** The shelves of a collection in some homes, or in all, as they are now or later. */
  async ask(collection: string, homes: readonly string[] | null): Promise<AskedShelves> {
    let states = await this.#terms.homes.ask(homes)
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const held = states.map(({ home }, place) => this.#held.get(nameOf({ home, collection }, place)) ?? null)
      const stale = states.flatMap((state, place) => (isAt(held[place] ?? null, state) ? [] : [place]))
      if (stale.length === 0) {
        return { homes: states.map(({ home }) => home), views: held.map((shelf) => (shelf as HeldShelf).view) }
      }
      states = await this.#look({ collection, homes }, states, stale)
    }
    throw new Error('Homes change faster than they can be looked at.')
  }

  /** Looks at the shelves at some places, in one state of the database, and tells that of all homes in it. */
  async #look(
    { collection, homes }: Asked,
    states: readonly HomeState[],
    stale: readonly number[],
  ): Promise<readonly HomeState[]> {
    return transact(
      this.#terms.sql,
      async (transaction) => {
        const now = await (homes === null
          ? readStates(transaction, null)
          : ofEachHome(homes, (home) => readStates(transaction, [home])))
        const found = new Map(now.map((state) => [state.home, state]))
        const stateOf = (home: string): HomeState => found.get(home) ?? { home, version: 0, layout: 0 }
        await Promise.all(
          stale.map(async (place) => {
            const { home } = states[place] as HomeState
            await this.#lookAt(transaction, { home, collection }, { place, state: stateOf(home) })
          }),
        )
        return homes === null ? now : homes.map(stateOf)
      },
      IN_ONE_STATE,
    )
  }

  async #lookAt(
    sql: Transaction,
    shelf: Shelf<string>,
    { place, state }: { place: number; state: HomeState },
  ): Promise<void> {
    const name = nameOf(shelf, place)
    const known = this.#held.get(name) ?? null
    const isSameLayout = known !== null && known.layout === state.layout
    const [added, listed] = await Promise.all([
      readTail(sql, shelf, lastStampOf(isSameLayout ? known : null)),
      isSameLayout ? null : listSegments(sql, shelf),
    ])
    const unknown = (listed ?? []).filter((segment) => !isKnownSegment(known, segment)).map(({ number }) => number)
    const read = new Map((await readSegments(sql, shelf, unknown)).map((segment) => [segment.number, segment]))
    const segments = listed?.map((segment) => ({ ...segment, read: () => read.get(segment.number) ?? null })) ?? null
    this.#terms.noteVersion(shelf, state.version)
    const { version, layout } = state
    const followed = this.#follower.follow(name, place, known, { version, layout, added, segments, backlog: null })
    this.#held.set(name, followed, weightOf(followed.view))
  }
}

interface Asked {
  readonly collection: string
  readonly homes: readonly string[] | null
}

function isAt(held: HeldShelf | null, { version, layout }: HomeState): boolean {
  return held !== null && held.version === version && held.layout === layout
}

function nameOf({ home, collection }: Shelf<string>, place: number): string {
  return JSON.stringify([home, collection, place])
}

/** What came into the tail of a shelf after a stamp, with the texts of the records that are there. */
async function readTail(
  sql: Transaction,
  { home, collection }: Shelf<string>,
  after: number,
): Promise<ShelfNews['added']> {
  const rows = (await sql`
    SELECT tail.n, tail.stamp, record.doc FROM tail
    LEFT JOIN LATERAL (
      SELECT doc FROM record WHERE record.home = ${home} AND record.collection = ${collection} AND record.n = tail.n LIMIT 1
    ) record ON true
    WHERE tail.home = ${home} AND tail.collection = ${collection} AND tail.stamp > ${after} ORDER BY tail.stamp, tail.n`.raw()) as readonly RawRow[]
  return new Map(rows.map((row) => [numberIn(row, 0), { stamp: numberIn(row, 1), bytes: row[2] ?? null }]))
}
