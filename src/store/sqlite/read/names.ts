import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { Scope } from '../../../query/plan.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'

const REMEMBERED = 10_000

/** Looks up the numbers that collections and homes go by. */
export interface Names {
  collection(name: string): number | null
  /** The homes that a requester sees, the public one first; null: all. */
  homes(scope: Scope): readonly number[] | null
  /** The home of a requester's own records; null for one that has none. */
  ownHome(scope: Scope): number | null
  /** Tells whether a requester sees what is in the home of this number. */
  sees(scope: Scope, home: number): boolean
}

/** Remembers only numbers that were found: those never change, but any process may add one at any time. */
export function names(connection: Connection): Names {
  const findCollection = connection.prepare<[string], number>('SELECT number FROM collection WHERE name = ?').pluck()
  const findOwner = connection.prepare<[string], number>('SELECT number FROM owner WHERE account = ?').pluck()
  const collection = remembering((name) => findCollection.get(name))
  const owner = remembering((account) => findOwner.get(account))
  const ownHome = (scope: Scope) => (scope.kind === 'account' ? owner(scope.accountId) : null)
  return {
    collection,
    ownHome,
    homes(scope) {
      if (scope.kind === 'operator') return null
      const own = ownHome(scope)
      return own === null ? [PUBLIC_HOME] : [PUBLIC_HOME, own]
    },
    sees: (scope, home) => home === PUBLIC_HOME || scope.kind === 'operator' || home === ownHome(scope),
  }
}

function remembering(find: (name: string) => number | undefined): (name: string) => number | null {
  const known = new BoundedCache<number>({ most: REMEMBERED })
  return (name) => {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const number = find(name)
    if (number === undefined) return null
    known.set(name, number)
    return number
  }
}

/** Tells how often something changed that a scope sees; survives restarts. */
export type ChangeCounter = (scope: Scope) => number

/** Prepares the statements. What is told is of the state that the connection reads; whoever asks often remembers it. */
export function changeCounter(connection: Connection, names: Names): ChangeCounter {
  const changes = connection.prepare<[number], number>('SELECT changes FROM home WHERE number = ?').pluck()
  const all = connection.prepare<[], number>('SELECT coalesce(sum(changes), 0) FROM home').pluck()
  return (scope) => {
    const homes = names.homes(scope)
    if (homes === null) return all.get() ?? 0
    return homes.reduce((sum, number) => sum + (changes.get(number) ?? 0), 0)
  }
}
