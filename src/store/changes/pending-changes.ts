import type { Shelf } from '../shelf.ts'

/** Tails are in memory: a record with a longer text does not stay in one. */
const LARGE_TEXT = 16 * 1024

interface ChangedShelf<Key> extends Shelf<Key> {
  readonly isLarge: boolean
}

interface InsertedRecord {
  readonly n: number
  readonly doc: string
}

/** Records that are inserted into a shelf together, in the order of their numbers. Whether each is a document has not been looked at. */
export interface InsertedRecords<Key = number> {
  readonly shelf: Shelf<Key>
  readonly records: InsertedRecord[]
}

/** Changes of a transaction to homes, written once a commit. */
export class PendingChanges<Key = number> {
  /** They are of bulk writes that are kept or taken back as one: what is inserted is gathered until all is there. */
  readonly areTogether: boolean
  readonly homes = new Set<Key>()
  readonly shelves = new Map<string, ChangedShelf<Key>>()
  readonly records = new Map<Key, number>()
  readonly inserted = new Map<string, InsertedRecords<Key>>()

  constructor({ areTogether } = { areTogether: false }) {
    this.areTogether = areTogether
  }

  addRecords(collection: Key, difference: number): void {
    this.records.set(collection, (this.records.get(collection) ?? 0) + difference)
  }

  /** Notes that a record has come that is behind all that its shelf has, and that is in none of its segments and not in its tail. */
  noteInserted(shelf: Shelf<Key>, record: InsertedRecord): void {
    this.homes.add(shelf.home)
    const name = nameOf(shelf)
    const before = this.inserted.get(name)
    if (before === undefined) this.inserted.set(name, { shelf, records: [record] })
    else before.records.push(record)
  }

  /** Notes that a record of a shelf has come into its tail, or has gone. */
  noteChange(shelf: Shelf<Key>, text: string): void {
    this.#note({ ...shelf, isLarge: text.length > LARGE_TEXT })
  }

  absorb(other: PendingChanges<Key>): void {
    for (const [collection, difference] of other.records) this.addRecords(collection, difference)
    for (const shelf of other.shelves.values()) this.#note(shelf)
  }

  #note({ home, collection, isLarge }: ChangedShelf<Key>): void {
    this.homes.add(home)
    const name = nameOf({ home, collection })
    this.shelves.set(name, { home, collection, isLarge: isLarge || this.shelves.get(name)?.isLarge === true })
  }
}

function nameOf<Key>({ home, collection }: Shelf<Key>): string {
  return `${home}/${collection}`
}
