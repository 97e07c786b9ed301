import type { JsonObject } from '../../../kernel/json.ts'
import { matches } from '../../../query/match/matches.ts'
import { neededFields } from '../../../query/plan/needed-fields.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Effort } from './effort.ts'
import { partReader } from './part-reader.ts'
import type { Reader } from './reader.ts'

/** Reads of candidates what filter and sort look at, and checks them against the filter, within an effort. */
export class Matcher {
  readonly #reader: Reader
  readonly #plan: QueryPlan
  readonly #effort: Effort
  #partOf: ((n: number) => JsonObject) | null = null
  #rechecked = 0

  constructor(reader: Reader, plan: QueryPlan, effort: Effort) {
    this.#reader = reader
    this.#plan = plan
    this.#effort = effort
  }

  /** How many documents were checked. */
  get rechecked(): number {
    return this.#rechecked
  }

  /** Reads of a record the fields that the filter and the sort look at, perhaps others too. */
  read(n: number): JsonObject {
    this.#effort.spendDocument()
    this.#partOf ??= partReader(this.#reader, neededFields(this.#plan.filter, this.#plan.sort), (characters) =>
      this.#effort.spendText(characters),
    )
    return this.#partOf(n)
  }

  /** Tells whether a document matches; nothing is checked when the candidates are known to. */
  accepts(document: JsonObject, exact: boolean): boolean {
    if (exact) return true
    this.#rechecked += 1
    return matches(this.#plan.filter, document)
  }

  /** Tells whether a record matches; nothing is read when the candidates are known to. */
  acceptsRecord(n: number, exact: boolean): boolean {
    return exact || this.accepts(this.read(n), false)
  }
}
