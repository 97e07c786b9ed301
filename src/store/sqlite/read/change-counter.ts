import type { Scope } from '../../../query/plan/scope.ts'
import type { Connection } from '../database.ts'
import type { Names } from './names.ts'

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
