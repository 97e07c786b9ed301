import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { type RequesterPlan, type Scope, scopeName } from '../../query/plan.ts'
import type { Answer } from '../response/answer.ts'
import type { NextPage } from '../response/next-page.ts'
import type { HttpSettings } from '../settings.ts'

interface RememberedAnswer {
  readonly answer: Answer
  /** The scope's change counter of before the answer was read. */
  readonly counter: number
}

/** What an entry takes beside its body and its key. */
const ENTRY_BYTES = 1024
/** An answer larger than this share of the whole would push too much else out. */
const LARGEST_SHARE = 1 / 8

/**
 * Keeps whole answers, within a number of bytes. Each is true for one value of its scope's change counter, which whoever asks brings
 * along: what others write that the scope cannot see makes no difference.
 */
export class AnswerCache {
  readonly #entries: BoundedCache<RememberedAnswer>
  #found = 0
  #missed = 0

  /** A capacity of 0 keeps nothing. */
  constructor(capacity: number) {
    this.#entries = new BoundedCache({ most: capacity, heaviest: Math.floor(capacity * LARGEST_SHARE) })
  }

  /** How often an answer was remembered and still true, and how often it had to be made. */
  get figures(): { readonly found: number; readonly missed: number } {
    return { found: this.#found, missed: this.#missed }
  }

  /** How many bytes are kept. */
  get bytes(): number {
    return this.#entries.weight
  }

  /** The answer to a GET of the target as the scope sees it; null when there is none of this counter. */
  get(scope: Scope, target: string, counter: number): Answer | null {
    const key = keyOf(scope, target)
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    if (entry.counter !== counter) {
      this.#entries.delete(key)
      return null
    }
    this.#found += 1
    return entry.answer
  }

  /** Whether there is an answer to a GET of the target, of whatever counter. */
  has(scope: Scope, target: string): boolean {
    return this.#entries.get(keyOf(scope, target)) !== undefined
  }

  /** Keeps an answer that was made of what is at least as new as the counter. */
  put(scope: Scope, target: string, counter: number, answer: Answer): void {
    this.#missed += 1
    // A string may take two bytes for a character.
    const bytes = ENTRY_BYTES + 2 * target.length + (typeof answer.data === 'string' ? 2 * answer.bytes : answer.bytes)
    this.#entries.set(keyOf(scope, target), { answer, counter }, bytes)
  }
}

function keyOf(scope: Scope, target: string): string {
  return `${scopeName(scope)} ${target}`
}

/** A list that was read and planned before: what its address asks is never another question. */
export interface KnownList {
  readonly plan: RequesterPlan
  /** Whether the answer tells the number of all that match. */
  readonly counts: boolean
  readonly nextPage: NextPage
}

/** The addresses of all that is remembered, in characters; what is made of an address is some ten times as large. */
const MOST_CHARACTERS = 512 * 1024
const LONGEST_TARGET = 8 * 1024

/** Remembers what the addresses of lists ask, so that to ask again costs no reading of JSON. */
export class KnownLists {
  readonly #entries = new BoundedCache<KnownList>({ most: MOST_CHARACTERS, heaviest: LONGEST_TARGET })
  #found = 0
  #missed = 0

  /** How often a list was remembered, and how often not. */
  get figures(): { readonly found: number; readonly missed: number } {
    return { found: this.#found, missed: this.#missed }
  }

  /** The addresses of all that is remembered, in characters. */
  get characters(): number {
    return this.#entries.weight
  }

  get(scope: Scope, target: string): KnownList | null {
    const entry = this.#entries.get(keyOf(scope, target))
    if (entry === undefined) {
      this.#missed += 1
      return null
    }
    this.#found += 1
    return entry
  }

  put(scope: Scope, target: string, list: KnownList): void {
    this.#entries.set(keyOf(scope, target), list, target.length)
  }
}

/** What requests leave for those that come after them. */
export interface RequestCaches {
  readonly answers: AnswerCache
  readonly lists: KnownLists
}

/** Makes the caches of a server. */
export function createRequestCaches({ responseCacheBytes }: HttpSettings): RequestCaches {
  return { answers: new AnswerCache(responseCacheBytes), lists: new KnownLists() }
}
