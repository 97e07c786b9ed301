import type { TailSize } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import type { Connection } from '../base/database.ts'

/** The numbers of records that no segment holds in their present version, with the change of their home that put them there. */
export interface TailRow {
  readonly n: number
  readonly stamp: number
}

export interface TailTable {
  /** All rows of a shelf after a stamp, in the order of stamps; a number can come more than once. */
  after(shelf: Shelf, stamp: number): readonly TailRow[]
  count(shelf: Shelf): number
  /** Number of rows in each tail. */
  sizes(): readonly TailSize[]
}

export function tailTable(connection: Connection): TailTable {
  const after = connection.prepare<[number, number, number], TailRow>(
    'SELECT n, stamp FROM tail WHERE home = ? AND collection = ? AND stamp > ? ORDER BY stamp, n',
  )
  const count = connection
    .prepare<[number, number], number>('SELECT count(*) FROM tail WHERE home = ? AND collection = ?')
    .pluck()
  const sizes = connection.prepare<[], TailSize>(
    'SELECT home, collection, count(*) AS rows FROM tail GROUP BY home, collection',
  )
  return {
    sizes: () => sizes.all(),
    after: ({ home, collection }, stamp) => after.all(home, collection, stamp),
    count: ({ home, collection }) => count.get(home, collection) ?? 0,
  }
}

/** Puts records into the tail of their shelf. */
export interface TailWriter {
  add(shelf: Shelf, n: number): void
  /** Forgets the stamps of a transaction. */
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
