import type { Scope } from '../../query/plan/scope.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import type { Answer } from './answer.ts'
import { type ScopedTarget, ScopedTargets } from './scoped-targets.ts'

/** What the answers depend on. */
export interface ChangeSource {
  /** Is another number after anything was written. */
  changeMark(): number
  /** Grows whenever something that the scope can see may have changed. */
  changeCounter(scope: Scope): number
}

/** The state of the data that an answer is, at the least, as new as. Taken before anything is read. */
export interface Moment {
  readonly mark: number
  readonly counter: number
}

interface Entry {
  readonly answer: Answer
  readonly bytes: number
  readonly counter: number
  /** The last mark at which the counter was seen to be the same. */
  mark: number
  /** Asked for since the last look for room. */
  wanted: boolean
}

/** What an entry takes beside its body and its key. */
const ENTRY_BYTES = 1024
/** An answer larger than this share of the whole would push too much else out. */
const LARGEST_SHARE = 1 / 8

/** Keeps whole answers for as long as nothing that they depend on has changed, within a number of bytes. */
export class AnswerCache {
  readonly #source: ChangeSource
  readonly #capacity: number
  readonly #entries = new ScopedTargets<Entry>()
  #bytes = 0
  #found = 0
  #missed = 0

  /** A capacity of 0 keeps nothing. */
  constructor(source: ChangeSource, capacity: number) {
    this.#source = source
    this.#capacity = capacity
  }

  /** How often an answer was remembered and still true, and how often not. */
  get figures(): { readonly found: number; readonly missed: number } {
    return { found: this.#found, missed: this.#missed }
  }

  /** How many bytes are kept. */
  get bytes(): number {
    return this.#bytes
  }

  /** The present state, to be handed to `put` with what is read from now on. */
  momentOf(scope: Scope): Moment {
    const mark = this.#source.changeMark()
    return { mark, counter: this.#source.changeCounter(scope) }
  }

  /** The answer to a GET of the target as the scope sees it; null when there is none or something has changed. */
  get(scope: Scope, target: string): Answer | null {
    const answer = this.#find(scope, target)
    if (answer === null) this.#missed += 1
    else this.#found += 1
    return answer
  }

  #find(scope: Scope, target: string): Answer | null {
    if (this.#entries.size === 0) return null
    const found = this.#entries.get(scope, target)
    if (found === undefined) return null
    const entry = found.value
    const mark = this.#source.changeMark()
    if (entry.mark !== mark) {
      if (entry.counter !== this.#source.changeCounter(scope)) {
        this.#drop(found)
        return null
      }
      entry.mark = mark
    }
    entry.wanted = true
    return entry.answer
  }

  /** False when nothing is kept, so that nobody need prepare for it. */
  get isOn(): boolean {
    return this.#capacity > 0
  }

  put(scope: Scope, target: string, { mark, counter }: Moment, answer: Answer): void {
    // A string may take two bytes for a character.
    const bytes = ENTRY_BYTES + 2 * target.length + (typeof answer.data === 'string' ? 2 * answer.bytes : answer.bytes)
    if (bytes > this.#capacity * LARGEST_SHARE) return
    const old = this.#entries.get(scope, target)
    if (old !== undefined) this.#drop(old)
    this.#entries.add(scope, target, { answer, bytes, counter, mark, wanted: false })
    this.#bytes += bytes
    this.#makeRoom()
  }

  /** The oldest go first; one that was wanted meanwhile is passed over once. */
  #makeRoom(): void {
    for (const present of this.#entries) {
      if (this.#bytes <= this.#capacity) return
      if (present.value.wanted) {
        present.value.wanted = false
        this.#entries.defer(present)
      } else this.#drop(present)
    }
  }

  #drop(present: ScopedTarget<Entry>): void {
    this.#entries.delete(present)
    this.#bytes -= present.value.bytes
  }
}

/** Makes the cache of a server. */
export function createAnswerCache(
  { records, changeMark }: HttpServices,
  { responseCacheBytes }: HttpSettings,
): AnswerCache {
  const changeCounter = (scope: Scope) => records.store.changeCounter(scope)
  return new AnswerCache({ changeMark, changeCounter }, responseCacheBytes)
}
