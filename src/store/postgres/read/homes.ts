import type { Scope } from '../../../query/plan.ts'
import { ACCOUNTS_HOME, PUBLIC_HOME, type Sql, type Statements } from '../base/database.ts'

/** What tells that something in a home is new: its changes, and the layout of its segments. */
export interface HomeState {
  readonly home: string
  readonly version: number
  readonly layout: number
}

/** The homes that a requester sees, the public one first; null: all. */
export function homesOf(scope: Scope): readonly string[] | null {
  if (scope.kind === 'operator') return null
  return scope.kind === 'account' ? [PUBLIC_HOME, scope.accountId] : [PUBLIC_HOME]
}

/** Stands for all homes that records are in. */
const ALL = '*'

/** What is asked in a turn of the event loop. It is sent when that ends: after each who joins it has asked, so that its answer is never too old for any. */
interface Turn {
  readonly names: Set<string>
  /** By name, once it has been sent. */
  readonly answers: Promise<ReadonlyMap<string, Promise<readonly HomeState[]>>>
}

/**
 * Asks how far homes are. All who ask in one turn of the event loop share a statement, and nothing is remembered beyond that. Where homes are
 * spread over machines, each is asked for by itself: one that is out of reach hurts nobody who does not ask for it.
 */
export class Homes {
  readonly #sql: Sql
  readonly #areSpread: boolean
  #open: Turn | null = null

  constructor(sql: Sql, areSpread: boolean) {
    this.#sql = sql
    this.#areSpread = areSpread
  }

  /** The states of some homes, or of all that records are in, in the order of their making; those that are not there yet are at 0. */
  async ask(homes: readonly string[] | null): Promise<readonly HomeState[]> {
    this.#open ??= this.#begin()
    const turn = this.#open
    const names = homes ?? [ALL]
    for (const name of names) turn.names.add(name)
    const answers = await turn.answers
    const states = await Promise.all(names.map((name) => answers.get(name) ?? []))
    if (homes === null) return states.flat()
    return homes.map((home, at) => states[at]?.find((state) => state.home === home) ?? { home, version: 0, layout: 0 })
  }

  #begin(): Turn {
    const names = new Set<string>()
    const answers = new Promise<ReadonlyMap<string, Promise<readonly HomeState[]>>>((resolve) => {
      setImmediate(() => {
        this.#open = null
        const together = this.#areSpread ? Array.from(names, (name) => [name]) : [[...names]]
        resolve(new Map(together.flatMap((part) => this.#send(part))))
      })
    })
    return { names, answers }
  }

  #send(names: readonly string[]): readonly (readonly [name: string, answer: Promise<readonly HomeState[]>])[] {
    const homes = names.filter((name) => name !== ALL && name !== ACCOUNTS_HOME)
    const ofHomes = names.includes(ALL) ? readStates(this.#sql, null) : readStates(this.#sql, homes)
    const ofAccounts = names.includes(ACCOUNTS_HOME) ? readAccountsState(this.#sql) : null
    return names.map((name) => [name, name === ACCOUNTS_HOME && ofAccounts !== null ? ofAccounts : ofHomes] as const)
  }
}

/** The states of some homes, or of all; those that are not there yet are left out. */
export async function readStates(sql: Statements, homes: readonly string[] | null): Promise<readonly HomeState[]> {
  if (homes === null) return sql<HomeState[]>`SELECT home, changes AS version, layout FROM home ORDER BY number`
  if (homes.length === 0) return []
  return sql<HomeState[]>`SELECT home, changes AS version, layout FROM home WHERE home = ANY(${homes as string[]})`
}

async function readAccountsState(sql: Statements): Promise<readonly HomeState[]> {
  return sql<HomeState[]>`SELECT ${ACCOUNTS_HOME}::text AS home, version, 0 AS layout FROM accounts_version`
}
