import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { giveBack, ownBytes } from '../../kernel/room.ts'
import { type Scope, scopeName } from '../../query/plan.ts'
import type { Response } from '../exchange/response.ts'
import { ListRequests } from '../request/list-request.ts'
import type { HttpSettings } from '../settings.ts'
import { MOST_KEPT } from './compress.ts'

interface CachedResponse {
  readonly response: Response
  /** The scope's change counter of before the answer was made. */
  readonly counter: number
}

/** Bytes of an entry beside its body and its key. */
const ENTRY_BYTES = 1024
/** A larger answer is kept from the second time on: of most questions nobody asks again, and to keep what they get costs as much as to send it. */
const KEPT_AT_ONCE = 16 * 1024
/** Of questions with such answers, in characters. */
const MOST_ASKED = 256 * 1024
/** An answer larger than this share of the whole would push too much else out. */
const LARGEST_SHARE = 1 / 8

/** Keeps whole answers, each true for one value of its scope's change counter; none has a host: addresses get theirs when written. */
export class ResponseCache {
  readonly #entries: BoundedCache<CachedResponse>
  readonly #heaviest: number
  /** Questions whose answers were not kept. */
  readonly #asked = new BoundedCache<true>({ most: MOST_ASKED })
  #found = 0
  #missed = 0

  /** A capacity of 0 keeps nothing. */
  constructor(capacity: number) {
    this.#heaviest = Math.floor(capacity * LARGEST_SHARE)
    this.#entries = new BoundedCache({ most: capacity, heaviest: this.#heaviest })
  }

  /** Number of answers found and still true, and of those that had to be made. */
  get metrics(): { readonly found: number; readonly missed: number } {
    return { found: this.#found, missed: this.#missed }
  }

  get bytes(): number {
    return this.#entries.weight
  }

  /** The answer to a question of the scope; null when there is none of this counter. */
  get(scope: Scope, question: string, counter: number): Response | null {
    const key = keyOf(scope, question)
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    if (entry.counter !== counter) {
      this.#entries.delete(key)
      return null
    }
    this.#found += 1
    return entry.response
  }

  /** Keeps an answer that was made of what is at least as new as the counter, and gives it, encoded once. How its query was run is told once. */
  put(scope: Scope, question: string, counter: number, made: Response): Response {
    this.#missed += 1
    // One that would not be kept is sent in its parts.
    const size = sizeOf(made)
    if ((1 + MOST_KEPT) * size > this.#heaviest) return made
    const key = keyOf(scope, question)
    if (size > KEPT_AT_ONCE && !this.#asked.has(key)) {
      this.#asked.set(key, true, key.length)
      return made
    }
    this.#asked.delete(key)
    const response: Response & { body: Buffer | null } = {
      ...made,
      body: encoded(made),
      compressed: { gzip: undefined },
    }
    // With the compressed form, which comes when somebody asks for it.
    const bytes = ENTRY_BYTES + 2 * question.length + Math.ceil((1 + MOST_KEPT) * (response.body?.length ?? 0))
    this.#entries.set(key, { response: { ...response, report: null }, counter }, bytes)
    return response
  }
}

function keyOf(scope: Scope, question: string): string {
  return `${scopeName(scope)} ${question}`
}

/** Upper bound of the bytes of a body. */
function sizeOf({ body }: Response): number {
  const pieces = typeof body === 'string' || Buffer.isBuffer(body) ? [body] : Array.isArray(body) ? body : []
  return pieces.reduce((sum: number, piece) => sum + (typeof piece === 'string' ? 3 : 1) * piece.length, 0)
}

/** Bytes of a body that is no stream; null where there is none. */
function encoded({ body }: Response): Buffer | null {
  if (typeof body === 'string') return Buffer.from(body)
  if (Buffer.isBuffer(body)) return ownBytes(body)
  if (!Array.isArray(body)) return null
  const pieces = body.map((piece: string | Buffer) => (typeof piece === 'string' ? Buffer.from(piece) : piece))
  const bytes = Buffer.concat(pieces)
  for (const piece of pieces) giveBack(piece)
  return bytes
}

export interface RequestCaches {
  readonly responses: ResponseCache
  readonly lists: ListRequests
}

export function createRequestCaches(settings: HttpSettings): RequestCaches {
  return { responses: new ResponseCache(settings.responseCacheBytes), lists: new ListRequests(settings) }
}
