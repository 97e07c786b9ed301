import type { Connection } from '../database.ts'
import type { Shelf } from '../segments/segment-rows.ts'

/** Puts records into the tail of their shelf. */
export interface TailWriter {
  add(shelf: Shelf, n: number): void
  /** What is known of homes is of one transaction. */
  forget(): void
}

/** Prepares the statements. All that one commit does to a home has one stamp: that of the home after the commit. */
export function tailWriter(connection: Connection): TailWriter {
  const insert = connection.prepare('INSERT OR IGNORE INTO tail (home, collection, stamp, n) VALUES (?, ?, ?, ?)')
  const changesOf = connection.prepare<[number], number>('SELECT changes FROM home WHERE number = ?').pluck()
  const stamps = new Map<number, number>()
  return {
    add({ home, collection }, n) {
      let stamp = stamps.get(home)
      if (stamp === undefined) {
        stamp = (changesOf.get(home) ?? 0) + 1
        stamps.set(home, stamp)
      }
      insert.run(home, collection, stamp, n)
    },
    forget: () => stamps.clear(),
  }
}
