import type { TailRecord } from '../../engine/page-documents.ts'
import { TailMatches } from '../../engine/tail-matches.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { type JsonObject, parseDocument } from '../../kernel/json.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import { filterText } from '../../query/ast/filter-text.ts'

/** A record of the tail with its text, which is parsed when it is asked for the first time. */
export class TailDocument implements TailRecord {
  readonly home: number
  readonly n: number
  readonly arrival: number
  readonly bytes: Buffer
  #document: JsonObject | null = null

  constructor({ home, n, arrival, bytes }: Omit<TailRecord, 'document'> & { readonly bytes: Buffer }) {
    this.home = home
    this.n = n
    this.arrival = arrival
    this.bytes = bytes
  }

  get isParsed(): boolean {
    return this.#document !== null
  }

  get document(): JsonObject {
    this.#document ??= parseDocument(this.bytes.toString())
    return this.#document
  }
}

/** Steps of a look at a document of a tail, so many bytes in a step: to parse a byte takes about as long as one step. */
export function stepsOf({ bytes, isParsed }: TailDocument, bytesOfStep: number): number {
  return 1 + bytes.length / bytesOfStep + (isParsed ? 0 : bytes.length)
}

/** Filters of which the matches in a tail are kept. */
const MOST_QUESTIONS = 16

/** Matches in the tail of a shelf, which are followed with it. */
export class TailQuestions {
  readonly #kept = new BoundedCache<TailMatches>({ most: MOST_QUESTIONS })

  /** The records that match; `spend` is told of each that has to be looked at. */
  of(tail: readonly TailDocument[], filter: FilterNode, spend: (record: TailDocument) => void): TailMatches {
    const text = filterText(filter)
    const known = this.#kept.get(text) ?? null
    if (known?.of === tail) return known
    const matches = new TailMatches(tail, filter, {
      before: known,
      spend: (record) => spend(record as TailDocument),
    })
    this.#kept.set(text, matches)
    return matches
  }
}
