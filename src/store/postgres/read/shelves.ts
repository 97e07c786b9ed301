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
import {
  IN_ONE_STATE,
  numberIn,
  type RawRow,
  type Sql,
  type Statements,
  type Transaction,
  transact,
} from '../base/database.ts'
import { homesTogether, ofEachHome } from '../base/each-home.ts'
import { listSegments, readSegments } from '../base/segment-rows.ts'
import { type Homes, readStates } from './homes.ts'
import type { HomeState } from './read-together.ts'
import { Outdated } from './within.ts'

/** The shelves of a question, all of one state of the database, with the homes that they are of. */
export interface AskedShelves {
  readonly homes: readonly string[]
  readonly views: readonly ShelfView[]
}

interface ShelvesTerms {
  readonly sql: Sql
  readonly homes: Homes
  readonly columns: ColumnCache
  readonly bytes: number
  /** Hears which records of a shelf may have other texts now, as of a version of its home. */
  readonly forget: (numbers: Float64Array) => void
  readonly noteVersion: (shelf: Shelf<string>, version: number) => void
}

/** Most looks at homes that change faster than they are looked at. */
const MOST_LOOKS = 20

/** Follows the shelves of the database, each as far as its home has changed since it was last looked at. */
export class Shelves {
  readonly #terms: ShelvesTerms
  readonly #follower: ShelfFollower
  readonly #held: BoundedCache<HeldShelf>
  readonly #looks = new Map<string, Promise<LookResult>>()

  constructor(terms: ShelvesTerms) {
    this.#terms = terms
    this.#follower = new ShelfFollower(terms.columns, terms.forget)
    this.#held = new BoundedCache({ most: terms.bytes })
  }

  /** The shelves of a collection in some homes, or in all, as they are now or later; or were at a moment, or later. */
  async ask(collection: string, homes: readonly string[] | null, since?: number): Promise<AskedShelves> {
    let looked: LookResult = { states: await this.#terms.homes.ask(homes, since), shelves: new Map() }
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const { states, shelves } = looked
      // A shelf just looked at may be too large to be held.
      const held = states.map(({ home }, place) => shelves.get(place) ?? this.#heldAt({ home, collection }, place))
      const stale = states.flatMap((state, place) => (isAt(held[place] ?? null, state) ? [] : [place]))
      if (stale.length === 0) {
        return { homes: states.map(({ home }) => home), views: held.map((shelf) => (shelf as HeldShelf).view) }
      }
      looked = await this.#lookOnce({ collection, homes }, states, stale)
    }
    throw new Outdated()
  }

  /** Those that are known, as they were when they were looked at last. */
  known(collection: string, homes: readonly string[]): readonly ShelfView[] {
    return homes.flatMap((home, place) => this.#heldAt({ home, collection }, place)?.view ?? [])
  }

  #heldAt(shelf: Shelf<string>, place: number): HeldShelf | null {
    return this.#held.get(nameOf(shelf, place)) ?? null
  }

  /** Shares a look among those who were told the same states: it began after one of them was told, so it is new enough for all. */
  #lookOnce(asked: ShelfRequest, states: readonly HomeState[], stale: readonly number[]): Promise<LookResult> {
    const key = JSON.stringify([asked.collection, asked.homes === null, states])
    let look = this.#looks.get(key)
    if (look === undefined) {
      look = this.#look(asked, states, stale).finally(() => this.#looks.delete(key))
      this.#looks.set(key, look)
    }
    return look
  }

  /** Looks at the shelves at some places, in one state of the database, and tells that of all homes in it. */
  async #look(asked: ShelfRequest, states: readonly HomeState[], stale: readonly number[]): Promise<LookResult> {
    const at = performance.now()
    const found = (await this.#readNews(asked, states, stale)) ?? (await this.#readAnew(asked, states, stale))
    this.#terms.homes.note(at, found.states)
    return found
  }

  /** Reads only tails, with one statement for homes that are together; null where the segments are not those that are known. */
  async #readNews(
    { collection, homes }: ShelfRequest,
    states: readonly HomeState[],
    stale: readonly number[],
  ): Promise<LookResult | null> {
    if (homes === null) return null
    const places = stale.flatMap((place) => {
      const { home, layout } = states[place] as HomeState
      const known = this.#heldAt({ home, collection }, place)
      return known === null || known.layout !== layout ? [] : [{ place, home, known }]
    })
    if (places.length < stale.length) return null
    const parts = await Promise.all(
      homesTogether(homes, this.#terms.homes.areSpread).map((part) => {
        const tails = places.filter(({ home }) => part.includes(home))
        const after = tails.map(({ home, known }) => [{ home, collection }, lastStampOf(known)] as const)
        return readTails(this.#terms.sql, part, after)
      }),
    )
    const found = new Map(parts.flatMap(({ states: read }) => read.map((state) => [state.home, state])))
    const added = new Map(parts.flatMap(({ tails }) => [...tails]))
    const now = homes.map((home) => found.get(home) ?? { home, version: 0, layout: 0 })
    if (places.some(({ place, known }) => now[place]?.layout !== known.layout)) return null
    const shelves = places.map(({ place, home, known }) => {
      const state = now[place] as HomeState
      const news = { place, state, added: added.get(home) ?? new Map(), segments: null }
      return [place, this.#keep({ home, collection }, known, news)] as const
    })
    return { states: now, shelves: new Map(shelves) }
  }

  #readAnew(
    { collection, homes }: ShelfRequest,
    states: readonly HomeState[],
    stale: readonly number[],
  ): Promise<LookResult> {
    return transact(
      this.#terms.sql,
      async (transaction) => {
        const now = await statesNow(transaction, homes)
        const found = new Map(now.map((state) => [state.home, state]))
        const stateOf = (home: string): HomeState => found.get(home) ?? { home, version: 0, layout: 0 }
        const shelves = await Promise.all(
          stale.map(async (place) => {
            const { home } = states[place] as HomeState
            const news = { place, state: stateOf(home) }
            return [place, await this.#lookAt(transaction, { home, collection }, news)] as const
          }),
        )
        return { states: now, shelves: new Map(shelves) }
      },
      IN_ONE_STATE,
    )
  }

  async #lookAt(
    sql: Transaction,
    shelf: Shelf<string>,
    { place, state }: { place: number; state: HomeState },
  ): Promise<HeldShelf> {
    const known = this.#heldAt(shelf, place)
    // A shelf known in a later state tells nothing of the tail in this one.
    const isSameLayout = known !== null && known.layout === state.layout && known.version <= state.version
    const [added, listed] = await Promise.all([
      readTail(sql, shelf, lastStampOf(isSameLayout ? known : null)),
      isSameLayout ? null : listSegments(sql, shelf),
    ])
    const unknown = (listed ?? []).filter((segment) => !isKnownSegment(known, segment)).map(({ number }) => number)
    const read = new Map((await readSegments(sql, shelf, unknown)).map((segment) => [segment.number, segment]))
    const segments = listed?.map((segment) => ({ ...segment, read: () => read.get(segment.number) ?? null })) ?? null
    return this.#keep(shelf, known, { place, state, added, segments })
  }

  #keep(shelf: Shelf<string>, known: HeldShelf | null, { place, state, added, segments }: News): HeldShelf {
    const { version, layout } = state
    this.#terms.noteVersion(shelf, version)
    const name = nameOf(shelf, place)
    const followed = this.#follower.follow(name, place, known, { version, layout, added, segments, backlog: null })
    if ((this.#held.get(name)?.version ?? 0) <= version) this.#held.set(name, followed, weightOf(followed.view))
    return followed
  }

  /** The shelves as a transaction sees them that sees one state. */
  async askIn(sql: Transaction, collection: string, homes: readonly string[] | null): Promise<AskedShelves> {
    const states = await statesNow(sql, homes)
    const views = await Promise.all(
      states.map(async (state, place) => {
        const shelf = { home: state.home, collection }
        const held = this.#heldAt(shelf, place)
        return (held !== null && isAt(held, state) ? held : await this.#lookAt(sql, shelf, { place, state })).view
      }),
    )
    return { homes: states.map(({ home }) => home), views }
  }
}

/** The states of some homes, or of all; of those that are not there yet, nothing is. */
async function statesNow(sql: Transaction, homes: readonly string[] | null): Promise<readonly HomeState[]> {
  if (homes === null) return readStates(sql, null)
  const found = await ofEachHome(homes, (home) => readStates(sql, [home]))
  return homes.map((home) => found.find((state) => state.home === home) ?? { home, version: 0, layout: 0 })
}

/** Result of a look: states of homes, and the shelves at the places that were looked at. */
interface LookResult {
  readonly states: readonly HomeState[]
  readonly shelves: ReadonlyMap<number, HeldShelf>
}

interface News extends Pick<ShelfNews, 'added' | 'segments'> {
  readonly place: number
  readonly state: HomeState
}

interface ShelfRequest {
  readonly collection: string
  readonly homes: readonly string[] | null
}

function isAt(held: HeldShelf | null, { version, layout }: HomeState): boolean {
  return held !== null && held.version === version && held.layout === layout
}

function nameOf({ home, collection }: Shelf<string>, place: number): string {
  return JSON.stringify([home, collection, place])
}

/** Rows of a shelf's tail after a stamp, with the texts of the records that are there. */
function tailAfter(sql: Statements, { home, collection }: Shelf<string>, after: number) {
  return sql`
    SELECT tail.home, NULL::bigint AS changes, NULL::bigint AS layout, tail.n, tail.stamp, record.doc FROM tail
    LEFT JOIN LATERAL (
      SELECT doc FROM record WHERE record.home = ${home} AND record.collection = ${collection} AND record.n = tail.n LIMIT 1
    ) record ON true
    WHERE tail.home = ${home} AND tail.collection = ${collection} AND tail.stamp > ${after}`
}

async function readTail(sql: Statements, shelf: Shelf<string>, after: number): Promise<ShelfNews['added']> {
  return addedIn((await tailAfter(sql, shelf, after).raw()) as unknown as readonly RawRow[])
}

/** The states of homes, and what came into tails in some of them: of one moment, as one statement is. */
async function readTails(
  sql: Statements,
  homes: string[],
  after: readonly (readonly [shelf: Shelf<string>, after: number])[],
): Promise<{ readonly states: readonly HomeState[]; readonly tails: ReadonlyMap<string, ShelfNews['added']> }> {
  const states = sql`
    SELECT home, changes, layout, NULL::bigint AS n, NULL::bigint AS stamp, NULL::text AS doc FROM home
    WHERE home = ANY(${homes})`
  const all = after.reduce((above, [shelf, stamp]) => sql`${above} UNION ALL ${tailAfter(sql, shelf, stamp)}`, states)
  const rows = (await all.raw()) as unknown as readonly RawRow[]
  const isState = (row: RawRow): boolean => row[1] !== null
  const rowsOf = (home: string) => rows.filter((row) => !isState(row) && String(row[0]) === home)
  return {
    states: rows
      .filter(isState)
      .map((row) => ({ home: String(row[0]), version: numberIn(row, 1), layout: numberIn(row, 2) })),
    tails: new Map(after.map(([{ home }]) => [home, addedIn(rowsOf(home))])),
  }
}

/** In the order of their coming. */
function addedIn(rows: readonly RawRow[]): ShelfNews['added'] {
  const added = rows.map((row) => ({ n: numberIn(row, 3), stamp: numberIn(row, 4), bytes: row[5] ?? null }))
  added.sort((a, b) => a.stamp - b.stamp || a.n - b.n)
  return new Map(added.map(({ n, stamp, bytes }) => [n, { stamp, bytes }]))
}
