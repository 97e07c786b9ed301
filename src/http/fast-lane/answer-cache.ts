import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { type Scope, scopeName } from '../../query/plan/scope.ts'
import type { Answer } from './answer.ts'

interface Entry {
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
  readonly #entries: BoundedCache<Entry>
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
