import type { Connection } from '../database.ts'
import type { Shelf } from './segment-rows.ts'

/** The numbers of records that no segment holds in their present version, with the change of their home that put them there. */
export interface TailRow {
  readonly n: number
  readonly stamp: number
}

export interface TailTable {
  /** All rows of a shelf after a stamp, in the order of stamps; a number can come more than once. */
  after(shelf: Shelf, stamp: number): readonly TailRow[]
  count(shelf: Shelf): number
}

export function tailTable(connection: Connection): TailTable {
  const after = connection.prepare<[number, number, number], TailRow>(
    'SELECT n, stamp FROM tail WHERE home = ? AND collection = ? AND stamp > ? ORDER BY stamp, n',
  )
  const count = connection
    .prepare<[number, number], number>('SELECT count(*) FROM tail WHERE home = ? AND collection = ?')
    .pluck()
  return {
    after: ({ home, collection }, stamp) => after.all(home, collection, stamp),
    count: ({ home, collection }) => count.get(home, collection) ?? 0,
  }
}
