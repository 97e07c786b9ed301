import { chargingExpressions } from '../../../engine/evaluate-expression.ts'
import type { EngineWork } from '../../../engine/page-documents.ts'
import { parseDocument } from '../../../kernel/json.ts'
import type { NumberCipher } from '../../number-cipher.ts'
import { type ColumnCache, ColumnNotLoaded, type ColumnWork } from '../../segments/column-cache.ts'
import type { Effort } from '../../segments/effort.ts'
import type { SelectionCache } from '../../segments/find-records.ts'
import { IN_ONE_STATE, type Sql, type Transaction, transact } from '../base/database.ts'
import { isCanceled } from '../base/faults.ts'
import type { Patience } from '../base/patience.ts'
import { type Chunks, chunkOf, fieldChunks, neededChunks, type WantedChunk } from './chunks.ts'
import type { Copies } from './copies.ts'
import { type Homes, homesOf } from './homes.ts'
import type { AskedShelves, Shelves } from './shelves.ts'
import { type Texts, TextsAtHand } from './texts.ts'
import { Outdated, type QuestionTerms, type Within } from './within.ts'

/** All that reading takes, of one thread. */
export interface Reader {
  readonly sql: Sql
  readonly copies: Copies
  readonly cipher: NumberCipher
  readonly homes: Homes
  readonly shelves: Shelves
  readonly columns: ColumnCache
  readonly chunks: Chunks
  readonly texts: Texts
  readonly selections: SelectionCache
}

/** Effort of a question, with its patience for the database. */
export interface PatientEffort extends Effort {
  readonly patience?: Patience
  /** Waits for the turn of whoever asks, where others compute on the same thread; null: it may go on at once. */
  readonly turn?: () => Promise<void> | null
  /** Hears that it goes on after it has waited. */
  readonly resume?: () => void
}

/** Tries of a question whose data others write; then all of it is read in one transaction, which sees one state. */
const MOST_BEGINNINGS = 5

/** Question of one state of the shelves: it computes without waiting, loads what it lacks, and begins anew where that changes the computed. */
export class Question {
  readonly reader: Reader
  readonly asked: QuestionTerms
  readonly shelves: AskedShelves
  readonly effort: PatientEffort
  readonly atHand = new TextsAtHand()
  readonly #look: ColumnWork
  readonly #within: Within

  constructor(reader: Reader, asked: QuestionTerms, shelves: AskedShelves, { effort, look, within }: Asking) {
    this.reader = reader
    this.asked = asked
    this.shelves = shelves
    this.effort = effort
    this.#look = look
    this.#within = within
  }

  /** Computes for this question from here on, until something is waited for. */
  resume(): void {
    this.effort.resume?.()
    this.reader.columns.resume(this.#look)
  }

  get used(): { readonly columns: number; readonly loaded: number } {
    return { columns: this.#look.looked.size, loaded: this.#within.held.size }
  }

  /** Lets the engine work, and gives it the documents that it asks for. */
  async work<Result>(work: EngineWork<Result>): Promise<Result> {
    this.resume()
    let step = work.next()
    while (!step.done) {
      const { places, take } = step.value
      const numbers = places.map(({ segment, row }) => [segment.home, segment.numbers[row] as number] as const)
      await this.#read(numbers)
      await this.effort.turn?.()
      this.resume()
      for (const [at, [, n]] of numbers.entries()) {
        const text = this.atHand.texts.get(n) as Buffer
        this.effort.spend(text.length)
        const document = parseDocument(text.toString())
        chargingExpressions(this.effort, () => take(document, at))
      }
      step = work.next()
    }
    return step.value
  }

  /** Reads the texts of records of the homes at some places. */
  async #read(records: readonly (readonly [place: number, n: number])[]): Promise<void> {
    const ofPlace = new Map<number, number[]>()
    for (const [place, n] of records) {
      if (!this.atHand.texts.has(n)) ofPlace.set(place, [...(ofPlace.get(place) ?? []), n])
    }
    const { homes, views } = this.shelves
    const { collection } = this.asked
    const wanted = Array.from(ofPlace, ([place, numbers]) => {
      const shelf = { home: homes[place] as string, collection, version: views[place]?.version ?? 0 }
      return [shelf, numbers] as const
    })
    await this.reader.texts.read(wanted, this.atHand.texts, this.#within)
    // Texts held for the answer count as part of it.
    const bytes = this.atHand.bytes
    this.effort.assertFits(bytes, () => bytes)
  }

  /** Writes something from texts: those that turn out to be missing are read, and then it is written again. */
  async write<Result>(places: ReadonlyMap<number, number>, write: (texts: TextsAtHand) => Result): Promise<Result> {
    for (;;) {
      await this.effort.turn?.()
      this.resume()
      const written = write(this.atHand)
      if (this.atHand.missing.size === 0) return written
      const missing = [...this.atHand.missing]
      this.atHand.missing.clear()
      await this.#read(missing.map((n) => [places.get(n) as number, n]))
    }
  }

  /** Reads texts that are needed for certain. */
  readAhead(records: readonly (readonly [place: number, n: number])[]): Promise<void> {
    return this.#read(records)
  }
}

interface Asking {
  readonly effort: PatientEffort
  readonly look: ColumnWork
  readonly within: Within
}

/** Asks a question; `answer` may be called several times, and the last time counts. */
export async function ask<Result>(
  reader: Reader,
  asked: QuestionTerms,
  effort: PatientEffort,
  answer: (question: Question) => Promise<Result>,
): Promise<Result> {
  const { sql, shelves } = reader
  const { patience } = effort
  const { collection, since } = asked
  const homes = homesOf(asked.scope)
  const held = new Map(reader.columns.lent)
  for (let beginnings = 1; beginnings <= MOST_BEGINNINGS; beginnings += 1) {
    try {
      const looking = shelves.ask(collection, homes, beginnings === 1 ? since : undefined)
      const found = await (patience?.wait(looking) ?? looking)
      return await askShelves(reader, asked, found, {
        effort,
        within: { source: reader.copies, held, isOneState: false, patience, spend: effort.spend },
        answer,
      })
    } catch (error) {
      const wasMeantForAnother = isCanceled(error) && patience?.isOver === false
      if (!(error instanceof Outdated) && !wasMeantForAnother) throw error
    }
  }
  const inOneState = transact(
    sql,
    async (transaction) => {
      const found = await shelves.askIn(transaction, collection, homes)
      const source = { read: <Found>(read: (within: Transaction) => Promise<Found | null>) => read(transaction) }
      const within = { source, held, isOneState: true, patience, spend: effort.spend }
      return askShelves(reader, asked, found, { effort, within, answer })
    },
    IN_ONE_STATE,
  )
  return patience?.wait(inOneState) ?? inOneState
}

interface Answering<Result> {
  readonly effort: PatientEffort
  readonly within: Within
  readonly answer: (question: Question) => Promise<Result>
}

/** Loads all that a question is known to need when it first lacks a column, then what its fields need; later what it turns out to need. */
async function askShelves<Result>(
  reader: Reader,
  asked: QuestionTerms,
  shelves: AskedShelves,
  { effort, within, answer }: Answering<Result>,
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    await effort.turn?.()
    effort.resume?.()
    const question = new Question(reader, asked, shelves, {
      effort,
      within,
      look: reader.columns.begin(effort, within.held),
    })
    try {
      return await answer(question)
    } catch (error) {
      if (!(error instanceof ColumnNotLoaded)) throw error
      if (!isFirst) await reader.chunks.load(...chunkOf(shelves, error), within)
      else {
        await loadOf(shelves, (place) => neededChunks(asked, shelves, place))
        question.resume()
        const chunks = fieldChunks(reader.columns, asked, shelves)
        await loadOf(shelves, (place) => chunks[place] ?? [])
      }
    }
  }

  async function loadOf({ homes }: AskedShelves, chunksOf: (place: number) => readonly WantedChunk[]): Promise<void> {
    await Promise.all(homes.map((home, place) => reader.chunks.load(home, chunksOf(place), within)))
  }
}
