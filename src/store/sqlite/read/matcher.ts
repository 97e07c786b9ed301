import type { JsonObject } from '../../../kernel/json.ts'
import type { FilterNode } from '../../../query/ast/filter.ts'
import { matches } from '../../../query/match/matches.ts'
import type { Effort } from './effort.ts'
import { parseDocument, type Reader } from './reader.ts'

/** Reads candidates and checks them against the filter, within an effort. */
export class Matcher {
  readonly #reader: Reader
  readonly #filter: FilterNode
  readonly #effort: Effort
  #rechecked = 0

  constructor(reader: Reader, filter: FilterNode, effort: Effort) {
    this.#reader = reader
    this.#filter = filter
    this.#effort = effort
  }

  /** How many documents were checked. */
  get rechecked(): number {
    return this.#rechecked
  }

  /** Parses a record. */
  read(n: number): JsonObject {
    this.#effort.spendDocument()
    return parseDocument(this.#reader.textOf(n))
  }

  /** Tells whether a document matches; nothing is checked when the candidates are known to. */
  accepts(document: JsonObject, exact: boolean): boolean {
    if (exact) return true
    this.#rechecked += 1
    return matches(this.#filter, document)
  }

  /** Tells whether a record matches; nothing is read when the candidates are known to. */
  acceptsRecord(n: number, exact: boolean): boolean {
    return exact || this.accepts(this.read(n), false)
  }
}
