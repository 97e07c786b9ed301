import type { Connection } from '../database.ts'
import type { Shelf } from '../segments/segment-rows.ts'

interface ChangedShelf extends Shelf {
  readonly isLarge: boolean
}

/** What a transaction does to homes, written once a commit. */
export class PendingChanges {
  readonly homes = new Set<number>()
  readonly shelves = new Map<string, ChangedShelf>()
  readonly records = new Map<number, number>()

  addRecords(collection: number, difference: number): void {
    this.records.set(collection, (this.records.get(collection) ?? 0) + difference)
  }

  /** `isLarge`: a record with a large text has come. */
  noteChange({ home, collection }: Shelf, isLarge: boolean): void {
    this.homes.add(home)
    const name = `${home}/${collection}`
    this.shelves.set(name, { home, collection, isLarge: isLarge || this.shelves.get(name)?.isLarge === true })
  }

  /** Takes over what another set has gathered. */
  absorb(other: PendingChanges): void {
    for (const [collection, difference] of other.records) this.addRecords(collection, difference)
    for (const shelf of other.shelves.values()) this.noteChange(shelf, shelf.isLarge)
  }
}

/** Prepares the statements that count changes, the last act of a transaction. */
export function changeWriter(connection: Connection): (changes: PendingChanges) => void {
  const records = connection.prepare('UPDATE collection SET records = records + ? WHERE number = ?')
  const change = connection.prepare(
    'INSERT INTO home (number, changes) VALUES (?, 1) ON CONFLICT (number) DO UPDATE SET changes = changes + 1',
  )
  return ({ homes, records: differences }) => {
    for (const [collection, difference] of differences) if (difference !== 0) records.run(difference, collection)
    for (const home of homes) change.run(home)
  }
}
