import type { Scope } from '../../../query/plan.ts'
import { onceMore } from '../base/back-off.ts'
import { ACCOUNTS_HOME, PUBLIC_HOME, type Sql, type Statements } from '../base/database.ts'
import { homesTogether, inParts, ofEachHome } from '../base/each-home.ts'
import { isUnreachable } from '../base/faults.ts'
import { type HomeState, type RecordRow, readTogether, type Together, type WantedRecord } from './read-together.ts'

/** The homes that a requester sees, the public one first; null: all. */
export function homesOf(scope: Scope): readonly [string] | readonly [string, string] | null {
  if (scope.kind === 'operator') return null
  return scope.kind === 'account' ? [PUBLIC_HOME, scope.accountId] : [PUBLIC_HOME]
}

/** Stands for all homes that records are in. */
const ALL = '*'

/** Questions of one turn of the event loop, sent at its end: after all of them were asked, so that no answer is too old. */
interface Turn {
  readonly names: Set<string>
  readonly records: WantedRecord[]
  readonly sent: Promise<SentTurn>
}

interface SentTurn {
  readonly answers: Answers
  /** In the order of those that are wanted. */
  readonly records: readonly Promise<readonly RecordRow[]>[]
}

type Answers = ReadonlyMap<string, Promise<readonly HomeState[]>>

/** Answers of one moment: on one machine, all are of one state of the database. */
interface TimedAnswers {
  /** As `performance.now()` has it. */
  readonly at: number
  readonly answers: Answers
}

/** Answers that are kept for those who came before they were asked. */
const MOST_KEPT = 32
/** Records that are read with one statement; for each number of them there is another, which the server knows by then. */
const MOST_TOGETHER = 4

/**
 * Asks how far homes are, and for records: one statement for all who ask in one turn of the event loop. Whoever names a moment is given
 * what was asked after it and is at hand. Homes that are spread over machines are asked for each by itself: a lost one hurts nobody else.
 */
export class Homes {
  readonly #sql: Sql
  readonly areSpread: boolean
  #open: Turn | null = null
  #kept: readonly TimedAnswers[] = []
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

  /** The records under an id. */
  async readRecord(wanted: WantedRecord): Promise<readonly RecordRow[]> {
    if (this.areSpread) {
      return ofEachHome(wanted.homes, async (home) => {
        const own = { ...wanted, homes: [home] } as const
        return (await readTogether(this.#sql, [], [own])).records.get(own) ?? []
      })
    }
    this.#open ??= this.#begin()
    const { records, sent } = this.#open
    const at = records.push(wanted) - 1
    return (await sent).records[at] ?? []
  }

  /** Keeps the states of all homes that somebody has looked at, which were of one moment. */
  note(at: number, states: readonly HomeState[]): void {
    this.#keep({ at, answers: new Map(states.map((state) => [state.home, Promise.resolve([state])])) })
  }

  /** This process has written: whoever asks from now on sees that, since whenever it wants to know. */
  noteWritten(): void {
    this.#writtenAt = performance.now()
  }

  /** Latest answers that were asked for after a moment and tell of some names. */
  #find(names: readonly string[], since: number): Answers | null {
    const from = Math.max(since, this.#writtenAt)
    for (let place = this.#kept.length - 1; place >= 0; place -= 1) {
      const { at, answers } = this.#kept[place] as TimedAnswers
      if (at > from && names.every((name) => answers.has(name))) return answers
    }
    return null
  }

  #keep(asked: TimedAnswers): void {
    this.#kept = [...this.#kept.slice(1 - MOST_KEPT), asked]
  }

  async #join(names: readonly string[]): Promise<Answers> {
    this.#open ??= this.#begin()
    const turn = this.#open
    for (const name of names) turn.names.add(name)
    return (await turn.sent).answers
  }

  #begin(): Turn {
    const names = new Set<string>()
    const records: WantedRecord[] = []
    const sent = new Promise<SentTurn>((resolve) => {
      setImmediate(() => {
        this.#open = null
        resolve(this.#send([...names], records))
      })
    })
    return { names, records, sent }
  }

  #send(names: readonly string[], wanted: readonly WantedRecord[]): SentTurn {
    const at = performance.now()
    const [beside = [], ...others] = inParts(wanted, MOST_TOGETHER)
    const [first = [], ...rest] = homesTogether(names, this.areSpread)
    const parts = [
      [first, this.#readPart(first, beside)] as const,
      ...rest.map((part) => [part, this.#readPart(part, [])] as const),
    ]
    const answers = new Map(parts.flatMap(([part, { states }]) => part.map((name) => [name, states] as const)))
    if (names.length > 0) this.#keepUnlessFailed({ at, answers })
    const further = others.map((part) => this.#readPart([], part))
    return { answers, records: [...parts.map(([, part]) => part), ...further].flatMap(({ records }) => records) }
  }

  #keepUnlessFailed(asked: TimedAnswers): void {
    this.#keep(asked)
    const drop = () => {
      this.#kept = this.#kept.filter((kept) => kept !== asked)
    }
    for (const answer of new Set(asked.answers.values())) answer.catch(drop)
  }

  /** Reads together; where the statement fails, each is asked by itself, so that one broken record fails no other question. */
  #readPart(names: readonly string[], wanted: readonly WantedRecord[]): TurnPart {
    const together = onceMore(() => this.#read(names, wanted))
    const orAlone = async (ownNames: readonly string[], own: readonly WantedRecord[]): Promise<Together> => {
      try {
        return await together
      } catch (error) {
        if (isUnreachable(error) || (ownNames.length === names.length && own.length === wanted.length)) throw error
        return onceMore(() => this.#read(ownNames, own))
      }
    }
    const states = async () => (await orAlone(names, [])).states
    return {
      states: names.length === 0 ? NO_STATES : states(),
      records: wanted.map(async (record) => (await orAlone([], [record])).records.get(record) ?? []),
    }
  }

  async #read(names: readonly string[], wanted: readonly WantedRecord[]): Promise<Together> {
    if (!names.includes(ALL)) return readTogether(this.#sql, names, wanted)
    const asked = names.filter((name) => name === ACCOUNTS_HOME)
    const [all, found] = await Promise.all([readStates(this.#sql, null), readTogether(this.#sql, asked, wanted)])
    return { ...found, states: [...all, ...found.states] }
  }
}

/** Part of a turn, read with one statement. */
interface TurnPart {
  readonly states: Promise<readonly HomeState[]>
  readonly records: readonly Promise<readonly RecordRow[]>[]
}

const NO_STATES: TurnPart['states'] = Promise.resolve([])

/** The states of some homes, or of all; those that are not there yet are left out. */
export async function readStates(sql: Statements, homes: readonly string[] | null): Promise<readonly HomeState[]> {
  if (homes === null) return sql<HomeState[]>`SELECT home, changes AS version, layout FROM home ORDER BY number`
  if (homes.length === 0) return []
  return sql<HomeState[]>`SELECT home, changes AS version, layout FROM home WHERE home = ANY(${homes as string[]})`
}

/** Marks states of collections in homes; null: in all. What changes is in the tail, stamped, or in a segment, where it was dead or another. */
export async function readCollectionMarks(
  sql: Sql,
  homes: readonly string[] | null,
): Promise<ReadonlyMap<string, string>> {
  const names = homes ?? (await readStates(sql, null)).map(({ home }) => home)
  const parts = await ofEachHome(
    names,
    (home) => sql<{ collection: string; part: string }[]>`
      SELECT collection, 't' || ${home}::text || ':' || max(stamp) AS part FROM tail WHERE home = ${home} GROUP BY collection
      UNION ALL
      SELECT collection, 's' || ${home}::text || ':' || max(number) || ':' || count(*) || ':' || sum(dead_rows) FROM segment
        WHERE home = ${home} GROUP BY collection`,
  )
  const marks = new Map<string, string>()
  for (const { collection, part } of parts) marks.set(collection, `${marks.get(collection) ?? ''} ${part}`)
  return marks
}
