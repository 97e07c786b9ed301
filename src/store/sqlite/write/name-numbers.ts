import type { Connection } from '../database.ts'

/** Most names that are remembered at a time; users may invent as many paths as they like. */
const REMEMBERED = 100_000

/** Gives collections, accounts and paths their numbers, and makes up new ones. For use inside a write transaction. */
export interface NameNumbers {
  collection(name: string): number
  owner(account: string): number
  path(collection: number, text: string): number
  /** Forgets everything: a rollback may have taken new numbers back. */
  forget(): void
}

type Name = string | number

/** Numbers never change once they are committed, so what is remembered stays true whoever else writes. */
export function nameNumbers(connection: Connection): NameNumbers {
  const findCollection = numbersOf(connection, 'collection', ['name'])
  const findOwner = numbersOf(connection, 'owner', ['account'])
  const findPath = numbersOf(connection, 'path', ['collection', 'text'])
  const collections = new Map<string, number>()
  const owners = new Map<string, number>()
  const paths = new Map<number, Map<string, number>>()
  return {
    collection: (name) => remember(collections, name, () => findCollection(name)),
    owner: (account) => remember(owners, account, () => findOwner(account)),
    path(collection, text) {
      const known = paths.get(collection) ?? new Map<string, number>()
      paths.set(collection, known)
      return known.get(text) ?? remember(known, text, () => findPath(collection, text))
    },
    forget() {
      for (const known of [collections, owners, paths]) known.clear()
    },
  }
}

function remember(known: Map<string, number>, name: string, find: () => number): number {
  const remembered = known.get(name)
  if (remembered !== undefined) return remembered
  const number = find()
  if (known.size >= REMEMBERED) known.clear()
  known.set(name, number)
  return number
}

/** Finds or makes up the number of a row by its other columns. */
function numbersOf(
  connection: Connection,
  table: 'collection' | 'owner' | 'path',
  columns: readonly string[],
): (...names: Name[]) => number {
  const select = connection.prepare<Name[], number>(
    `SELECT number FROM ${table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`,
  )
  select.pluck()
  const insert = connection.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  return (...names) => select.get(...names) ?? Number(insert.run(...names).lastInsertRowid)
}
