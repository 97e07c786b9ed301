import { chargingExpressions } from '../../../engine/evaluate-expression.ts'
import type { EngineWork } from '../../../engine/page-documents.ts'
import { parseDocument } from '../../../kernel/json.ts'
import type { NumberCipher } from '../../number-cipher.ts'
import { type ColumnCache, ColumnNotLoaded, type ColumnWork } from '../../segments/column-cache.ts'
import type { SelectionCache } from '../../segments/find-records.ts'
import { IN_ONE_STATE, type Sql, type Transaction, transact } from '../base/database.ts'
import { isCanceled } from '../base/faults.ts'
import { type Chunks, chunkOf, fieldChunks, neededChunks, type WantedChunk } from './chunks.ts'
import type { Copies } from './copies.ts'
import { type Homes, homesOf } from './homes.ts'
import type { AskedShelves, Shelves } from './shelves.ts'
import { type Texts, TextsAtHand } from './texts.ts'
import { Outdated, type PatientEffort, type QuestionTerms, type Within } from './within.ts'

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

/** Tries of a question whose data others write; then all of it is read in one transaction, which sees one state. */
const MOST_BEGINNINGS = 5

/** Question of one state of the shelves: it computes without waiting, loads what it lacks, and begins anew where that changes the computed. */
export class Question {
  readonly reader: Reader
  readonly asked: QuestionTerms
  readonly shelves: AskedShelves
  readonly effort: Within
  readonly atHand = new TextsAtHand()
  readonly #look: ColumnWork

  constructor(reader: Reader, asked: QuestionTerms, shelves: AskedShelves, effort: Within) {
    this.reader = reader
    this.asked = asked
    this.shelves = shelves
    this.effort = effort
    this.#look = reader.columns.begin(effort, effort.held)
  }

  /** Computes for this question from here on, until something is waited for. */
  resume(): void {
    this.effort.resume?.()
    this.reader.columns.resume(this.#look)
  }

  get used(): { readonly columns: number; readonly loaded: number } {
    return { columns: this.#look.looked.size, loaded: this.effort.held.size }
  }

  /** Lets the engine work, and gives it the documents that it asks for. */
  async work<Result>(work: EngineWork<Result>): Promise<Result> {
    this.resume()
    let step = work.next()
    while (!step.done) {
      const { places, take } = step.value
      const numbers = places.map(({ segment, row }) => [segment.home, segment.numbers[row] as number] as const)
      await this.read(numbers)
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
  async read(records: readonly (readonly [place: number, n: number])[]): Promise<void> {
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
    await this.reader.texts.read(wanted, this.atHand.texts, this.effort)
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
      await this.read(missing.map((n) => [places.get(n) as number, n]))
    }
  }

  /** Loads all that it is known to need, and then what its fields need: the shapes of records tell that. */
  async load(): Promise<void> {
    const { reader, asked, shelves } = this
    await this.#loadOf((place) => neededChunks(asked, shelves, place))
    this.resume()
    const chunks = fieldChunks(reader.columns, asked, shelves)
    await this.#loadOf((place) => chunks[place] ?? [])
  }

  async #loadOf(chunksOf: (place: number) => readonly WantedChunk[]): Promise<void> {
    const { chunks } = this.reader
    await Promise.all(this.shelves.homes.map((home, place) => chunks.load(home, chunksOf(place), this.effort)))
  }
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
      return await answerFrom(found, { source: reader.copies, isOneState: false })
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
      return answerFrom(found, { source, isOneState: true })
    },
    IN_ONE_STATE,
  )
  return patience?.wait(inOneState) ?? inOneState

  /** Loads all that is known to be needed when a column is first lacking, later what turns out to be. */
  async function answerFrom(found: AskedShelves, from: Pick<Within, 'source' | 'isOneState'>): Promise<Result> {
    const within = { ...effort, ...from, held }
    for (let isFirst = true; ; isFirst = false) {
      await effort.turn?.()
      effort.resume?.()
      const question = new Question(reader, asked, found, within)
      try {
        return await answer(question)
      } catch (error) {
        if (!(error instanceof ColumnNotLoaded)) throw error
        if (isFirst) await question.load()
        else await reader.chunks.load(...chunkOf(found, error), within)
      }
    }
  }
}
