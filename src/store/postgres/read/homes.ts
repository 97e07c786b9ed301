import type { Scope } from '../../../query/plan.ts'
import { ACCOUNTS_HOME, PUBLIC_HOME, type Sql, type Statements } from '../base/database.ts'
import { homesTogether } from '../base/each-home.ts'
import { onceMore } from '../base/once-more.ts'

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
  readonly answers: Promise<Answers>
}

type Answers = ReadonlyMap<string, Promise<readonly HomeState[]>>

/** What was asked at one moment: on one machine, all of it is of one state of the database. */
interface Asked {
  /** As `performance.now()` has it. */
  readonly at: number
  readonly answers: Answers
}

/** Answers that are kept for those who came before they were asked. */
const MOST_KEPT = 32

/**
 * Asks how far homes are. All who ask in one turn of the event loop share a statement. Who says since when it wants to know is given what was asked after
 * that, as long as it is at hand: what a request asks first serves it to its end. Where homes are spread over machines, each is asked for by
 * itself: one that is out of reach hurts nobody who does not ask for it.
 */
export class Homes {
  readonly #sql: Sql
  readonly areSpread: boolean
  #open: Turn | null = null
  #kept: readonly Asked[] = []
  #writtenAt = Number.NEGATIVE_INFINITY

  constructor(sql: Sql, areSpread: boolean) {
    this.#sql = sql
    this.areSpread = areSpread
  }

  /** The states of some homes, or of all that records are in, in the order of their making; those that are not there yet are at 0. */
  async ask(homes: readonly string[] | null, since?: number): Promise<readonly HomeState[]> {
    const names = homes ?? [ALL]
    const answers = (since === undefined ? null : this.#find(names, since)) ?? (await this.#join(names))
    const states = await Promise.all(names.map((name) => answers.get(name) ?? []))
    if (homes === null) return states.flat().filter(({ home }) => home !== ACCOUNTS_HOME)
    return homes.map((home, at) => states[at]?.find((state) => state.home === home) ?? { home, version: 0, layout: 0 })
  }

  /** Keeps the states of all homes that somebody has looked at, which were of one moment. */
  note(at: number, states: readonly HomeState[]): void {
    this.#keep({ at, answers: new Map(states.map((state) => [state.home, Promise.resolve([state])])) })
  }

  /** This process has written: whoever asks from now on sees that, since whenever it wants to know. */
  noteWritten(): void {
    this.#writtenAt = performance.now()
  }

  /** What was asked last of all that was asked after a moment and tells of some names. */
  #find(names: readonly string[], since: number): Answers | null {
    const from = Math.max(since, this.#writtenAt)
    for (let place = this.#kept.length - 1; place >= 0; place -= 1) {
      const { at, answers } = this.#kept[place] as Asked
      if (at > from && names.every((name) => answers.has(name))) return answers
    }
    return null
  }

  #keep(asked: Asked): void {
    this.#kept = [...this.#kept.slice(1 - MOST_KEPT), asked]
  }

  async #join(names: readonly string[]): Promise<Answers> {
    this.#open ??= this.#begin()
    const turn = this.#open
    for (const name of names) turn.names.add(name)
    return turn.answers
  }

  #begin(): Turn {
    const names = new Set<string>()
    const answers = new Promise<Answers>((resolve) => {
      setImmediate(() => {
        this.#open = null
        resolve(this.#send([...names]))
      })
    })
    return { names, answers }
  }

  #send(names: readonly string[]): Answers {
    const at = performance.now()
    const parts = homesTogether(names, this.areSpread)
    const answers = new Map(
      parts.flatMap((part) => {
        const answer = onceMore(() => this.#read(part))
        return part.map((name) => [name, answer] as const)
      }),
    )
    const asked = { at, answers }
    this.#keep(asked)
    const drop = () => {
      this.#kept = this.#kept.filter((kept) => kept !== asked)
    }
    for (const answer of new Set(answers.values())) answer.catch(drop)
    return answers
  }

  async #read(names: readonly string[]): Promise<readonly HomeState[]> {
    const sql = this.#sql
    const homes = names.filter((name) => name !== ALL && name !== ACCOUNTS_HOME)
    const asksAccounts = names.includes(ACCOUNTS_HOME)
    if (!asksAccounts) return readStates(sql, names.includes(ALL) ? null : homes)
    if (names.includes(ALL)) return [...(await readStates(sql, null)), ...(await readAccountsState(sql))]
    if (homes.length === 0) return readAccountsState(sql)
    return sql<HomeState[]>`
      SELECT ${ACCOUNTS_HOME}::text AS home, version, 0 AS layout FROM accounts_version
      UNION ALL SELECT home, changes, layout FROM home WHERE home = ANY(${homes})`
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
