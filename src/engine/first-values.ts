import { AppError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { DistinctFound, DistinctSurvey } from '../query/ast/survey.ts'
import { QUERY_ERRORS } from '../query/errors.ts'
import { compareBson } from '../query/values/compare-bson.ts'

/** Bytes of the JSON text of one value: a client sends it back to go on behind it. */
export const LONGEST_VALUE = 16 * 1024
/** Characters of the values of a page, beyond which it ends early. */
const MOST_CHARACTERS = 2 ** 20
/** Steps in which a value is compared with others, until all are in order. */
const STEPS_PER_SORTED = 60

interface CountedValue {
  readonly value: Json
  readonly length: number
  count: number
}

/** The first different values behind one, in BSON order, with the number of records that have each. All others are forgotten. */
export class FirstValues {
  readonly #survey: DistinctSurvey
  readonly #spend: (steps: number) => void
  /** Ascending, each once. */
  #kept: CountedValue[] = []
  #fresh: CountedValue[] = []
  #freshLength = 0
  /** The last value that can be on the page; undefined while any can. */
  #last: Json | undefined = undefined
  #hasMore = false

  constructor(survey: DistinctSurvey, spend: (steps: number) => void) {
    this.#survey = survey
    this.#spend = spend
  }

  /** Counts records that have a value; false where neither it nor what comes after it can be on the page. */
  add(value: Json, count: number): boolean {
    const { limit, after } = this.#survey
    const length = this.#lengthOf(value)
    if (after !== undefined && compareBson(value, after) <= 0) return true
    if (this.#last !== undefined && compareBson(value, this.#last) > 0) {
      this.#hasMore = true
      return false
    }
    this.#fresh.push({ value, length, count })
    this.#freshLength += length
    if (this.#fresh.length > 2 * limit || this.#freshLength > MOST_CHARACTERS) this.#settle()
    return true
  }

  found(records: number): DistinctFound {
    this.#settle()
    const values = this.#kept.map(({ value }) => value)
    const counts = this.#kept.map(({ count }) => count)
    return { kind: 'distinct', values, counts, hasMore: this.#hasMore, records, exact: true }
  }

  #settle(): void {
    this.#spend(this.#fresh.length * STEPS_PER_SORTED + this.#freshLength)
    const sorted = [...this.#kept, ...this.#fresh].sort((one, other) => compareBson(one.value, other.value))
    this.#fresh = []
    this.#freshLength = 0
    this.#kept = []
    let length = 0
    for (const one of sorted) {
      const before = this.#kept.at(-1)
      if (before !== undefined && compareBson(before.value, one.value) === 0) before.count += one.count
      else {
        length += one.length
        if (before !== undefined && (this.#kept.length === this.#survey.limit || length > MOST_CHARACTERS)) {
          this.#hasMore = true
          this.#last = before.value
          return
        }
        this.#kept.push(one)
      }
    }
  }

  #lengthOf(value: Json): number {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return 1
    const text = JSON.stringify(value)
    this.#spend(text.length)
    if (text.length * 3 <= LONGEST_VALUE || Buffer.byteLength(text) <= LONGEST_VALUE) return text.length
    const { text: path } = this.#survey.path
    throw new AppError(
      QUERY_ERRORS.valueTooLong,
      `A value of "${path}" has ${Buffer.byteLength(text)} bytes as JSON; different values are listed up to ${LONGEST_VALUE}.`,
      { path: 'path', hint: 'Name a path within it, or leave such records out by a condition.' },
    )
  }
}
