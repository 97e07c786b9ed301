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
  const collections = namesOf(connection, 'collection', ['name'])
  const owners = namesOf(connection, 'owner', ['account'])
  const paths = namesOf(connection, 'path', ['collection', 'text'])
  return {
    collection: collections.numberOf,
    owner: owners.numberOf,
    path: paths.numberOf,
    forget() {
      for (const names of [collections, owners, paths]) names.forget()
    },
  }
}

/** Finds or makes up the number of a row by its other columns. */
function namesOf(
  connection: Connection,
  table: 'collection' | 'owner' | 'path',
  columns: readonly string[],
): { numberOf: (...names: Name[]) => number; forget: () => void } {
  const known = new Map<string, number>()
  const select = connection.prepare<Name[], number>(
    `SELECT number FROM ${table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`,
  )
  select.pluck()
  const insert = connection.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const numberOf = (...names: Name[]): number => {
    const key = names.length === 1 ? String(names[0]) : names.join(' ')
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const number = select.get(...names) ?? Number(insert.run(...names).lastInsertRowid)
    if (known.size >= REMEMBERED) known.clear()
    known.set(key, number)
    return number
  }
  return { numberOf, forget: () => known.clear() }
}
