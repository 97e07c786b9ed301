import type { Scope } from '../../../query/plan/scope.ts'
import type { Connection } from '../database.ts'
import type { Names } from './names.ts'

/** Tells how often something changed that a scope sees; survives restarts. */
export type ChangeCounter = (scope: Scope) => number

const REMEMBERED = 10_000

/** Remembers the counters until a commit of any process: SQLite's `data_version` tells, at the price of one look-up. */
export function changeCounter(connection: Connection, names: Names): ChangeCounter {
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
  const changes = connection.prepare<[number], number>('SELECT changes FROM home WHERE number = ?').pluck()
  const all = connection.prepare<[], number>('SELECT coalesce(sum(changes), 0) FROM home').pluck()
  const remembered = new Map<string, number>()
  let rememberedVersion: number | undefined
  return (scope) => {
    const version = dataVersion.get()
    if (version !== rememberedVersion || remembered.size >= REMEMBERED) remembered.clear()
    rememberedVersion = version
    const key = scope.kind === 'account' ? scope.accountId : `(${scope.kind})`
    const known = remembered.get(key)
    if (known !== undefined) return known
    const homes = names.homes(scope)
    const counter = homes === null ? all.get() : homes.reduce((sum, number) => sum + (changes.get(number) ?? 0), 0)
    remembered.set(key, counter ?? 0)
    return counter ?? 0
  }
}
