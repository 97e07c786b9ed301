import type { Scope } from '../../../query/plan/scope.ts'
import type { IndexedPath } from '../../../query/sql/compile-context.ts'
import type { Connection } from '../database.ts'
import { PUBLIC_SCOPE } from '../scopes.ts'

const REMEMBERED = 10_000
/** As many records as no collection has. */
const NO_COUNT = -1

/** What the index says of one path of a collection. */
export interface PathRow extends IndexedPath {
  /** How many records of the collection have exactly one value there, a whole scalar. */
  readonly plain: number
}

/** Looks up the numbers that collections, accounts and paths go by. */
export interface Names {
  collection(name: string): number | null
  /** The numbers of the scopes that an asker sees; null: all. */
  scopes(scope: Scope): readonly number[] | null
  /** Tells whether an asker sees what is in the scope of this number. */
  sees(scope: Scope, number: number): boolean
  path(collection: number, text: string): PathRow | null
  /** How many records a collection has, whoever sees them. */
  recordCount(collection: number): number
}

/** Remembers only numbers that were found: those never change, but any process may add one at any time. */
export function names(connection: Connection): Names {
  const findCollection = connection.prepare<[string], number>('SELECT number FROM collection WHERE name = ?').pluck()
  const findOwner = connection.prepare<[string], number>('SELECT number FROM owner WHERE account = ?').pluck()
  const findPath = connection.prepare<
    [number, string],
    { number: number; partial: number; several: number; plain: number; rebuilt: number }
  >(
    `SELECT number, partial, several, plain, EXISTS (SELECT 1 FROM rebuild) AS rebuilt
     FROM path WHERE collection = ? AND text = ?`,
  )
  const countRecords = connection.prepare<[number], number>('SELECT records FROM collection WHERE number = ?').pluck()
  const collection = remembering((name) => findCollection.get(name))
  const owner = remembering((account) => findOwner.get(account))
  const ownOf = (scope: Scope) => (scope.kind === 'account' ? owner(scope.accountId) : null)
  return {
    collection,
    scopes(scope) {
      if (scope.kind === 'operator') return null
      const own = ownOf(scope)
      return own === null ? [PUBLIC_SCOPE] : [PUBLIC_SCOPE, own]
    },
    sees: (scope, number) => number === PUBLIC_SCOPE || scope.kind === 'operator' || number === ownOf(scope),
    path(number, text) {
      const row = findPath.get(number, text)
      if (row === undefined) return null
      const { number: pathNumber, partial, several, plain, rebuilt } = row
      // While it is made anew, the index lacks values of any path and cannot tell of how many records.
      if (rebuilt === 1) return { number: pathNumber, partial: true, several: true, plain: NO_COUNT }
      return { number: pathNumber, partial: partial === 1, several: several === 1, plain }
    },
    recordCount: (number) => countRecords.get(number) ?? 0,
  }
}

function remembering(find: (name: string) => number | undefined): (name: string) => number | null {
  const known = new Map<string, number>()
  return (name) => {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const number = find(name)
    if (number === undefined) return null
    if (known.size >= REMEMBERED) known.clear()
    known.set(name, number)
    return number
  }
}
