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

/** A question that has not been sent yet: whoever asks in the same turn of the event loop joins it. */
interface Question {
  readonly homes: Set<string>
  everything: boolean
  readonly answer: Promise<ReadonlyMap<string, HomeState>>
}

/**
 * Asks how far homes are. All who ask in one turn of the event loop share a statement, which is sent when the turn ends: after each of them has asked,
 * so that its answer is never too old for any. Nothing of it is remembered beyond that.
 */
export class Homes {
  readonly #sql: Sql
  #open: Question | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** The states of some homes, or of all that records are in, in the order of their making; those that are not there yet are at 0. */
  async ask(homes: readonly string[] | null): Promise<readonly HomeState[]> {
    this.#open ??= this.#begin()
    const question = this.#open
    if (homes === null) question.everything = true
    else for (const home of homes) question.homes.add(home)
    const states = await question.answer
    if (homes === null) return ofRecords([...states.values()])
    return homes.map((home) => states.get(home) ?? { home, version: 0, layout: 0 })
  }

  #begin(): Question {
    const homes = new Set<string>()
    const question: Question = {
      homes,
      everything: false,
      answer: new Promise((resolve, reject) => {
        setImmediate(() => {
          this.#open = null
          readStates(this.#sql, question.everything ? null : [...homes]).then(
            (states) => resolve(new Map(states.map((state) => [state.home, state]))),
            reject,
          )
        })
      }),
    }
    return question
  }
}

/** Those that records are in. */
export function ofRecords(states: readonly HomeState[]): readonly HomeState[] {
  return states.filter(({ home }) => home !== ACCOUNTS_HOME)
}

/** The states of some homes, or of all; those that are not there yet are left out. */
export function readStates(sql: Statements, homes: readonly string[] | null): Promise<readonly HomeState[]> {
  return homes === null
    ? sql<HomeState[]>`SELECT home, changes AS version, layout FROM home ORDER BY number`
    : sql<HomeState[]>`SELECT home, changes AS version, layout FROM home WHERE home = ANY(${homes as string[]})`
}
