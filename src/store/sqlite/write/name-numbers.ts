import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { Connection } from '../database.ts'

/** Most names that are remembered at a time. */
const REMEMBERED = 100_000

/** Gives collections and accounts their numbers, and makes up new ones. For use inside a write transaction. */
export interface NameNumbers {
  collection(name: string): number
  owner(account: string): number
  /** Forgets everything: a rollback may have taken new numbers back. */
  forget(): void
}

/** Numbers never change once they are committed, so what is remembered stays true whoever else writes. */
export function nameNumbers(connection: Connection): NameNumbers {
  const findCollection = numbersOf(connection, 'collection', 'name')
  const findOwner = numbersOf(connection, 'owner', 'account')
  const collections = new BoundedCache<number>({ most: REMEMBERED })
  const owners = new BoundedCache<number>({ most: REMEMBERED })
  return {
    collection: (name) => remember(collections, name, () => findCollection(name)),
    owner: (account) => remember(owners, account, () => findOwner(account)),
    forget() {
      for (const known of [collections, owners]) known.clear()
    },
  }
}

function remember(known: BoundedCache<number>, name: string, find: () => number): number {
  const remembered = known.get(name)
  if (remembered !== undefined) return remembered
  const number = find()
  known.set(name, number)
  return number
}

/** Finds or makes up the number of a row by its other columns. */
function numbersOf(connection: Connection, table: 'collection' | 'owner', column: string): (name: string) => number {
  const select = connection.prepare<[string], number>(`SELECT number FROM ${table} WHERE ${column} = ?`).pluck()
  const insert = connection.prepare(`INSERT INTO ${table} (${column}) VALUES (?)`)
  return (name) => select.get(name) ?? Number(insert.run(name).lastInsertRowid)
}
