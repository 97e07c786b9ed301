import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isUpload } from './head.ts'

/** Least distance of parts of forms, in bytes: each begins with `CRLF Content-Disposition: form-data` (RFC 7578, 4.2). */
const SHORTEST_PART = 34
/** Characters that a boundary has at the most (RFC 2046, 5.1.1); what is longer, or empty, is none. */
const LONGEST_BOUNDARY = 70

/** Digest that tells a request with an `Idempotency-Key` again: of all that decides its outcome, part by part as it arrives. */
export class AskedDigest {
  readonly #digest = createHash('sha256')
  readonly #boundaries: BoundaryFilter | null

  constructor(request: Pick<IncomingMessage, 'headers'> & { readonly method: string; readonly url: string }) {
    const { method, url, headers } = request
    const type = headers['content-type'] ?? ''
    const isForm = isUpload(request)
    this.#digest.update(JSON.stringify([method, url, headers['if-match'] ?? '', isForm ? '' : type]))
    const boundary = isForm ? boundaryIn(type) : null
    this.#boundaries = boundary === null ? null : new BoundaryFilter(boundary)
  }

  add(part: Buffer): void {
    this.#digest.update(this.#boundaries === null ? part : this.#boundaries.pass(part))
  }

  /** After the last part, once. */
  end(): string {
    if (this.#boundaries !== null) this.#digest.update(this.#boundaries.rest)
    return this.#digest.digest('base64url')
  }
}

/** The text between the parts of a form. */
function boundaryIn(type: string): string | null {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type)
  const text = boundary?.[1] ?? boundary?.[2] ?? ''
  return text === '' || text.length > LONGEST_BOUNDARY ? null : text
}

/** Passes a form on without its boundary, which is new each time; none is looked for where a part could not have ended yet. */
export class BoundaryFilter {
  /** Number of boundaries left out. */
  found = 0
  readonly #delimiter: Buffer
  /** End of the part before, which may begin a boundary. */
  #held: Buffer = Buffer.alloc(0)
  /** Bytes of what comes next in which there can be no boundary. */
  #passedOver = 0

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`--${boundary}`)
  }

  get rest(): Buffer {
    return this.#held
  }

  pass(part: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? part : Buffer.concat([this.#held, part])
    const kept = Buffer.allocUnsafe(bytes.length)
    let length = 0
    let done = 0
    const keep = (end: number): void => {
      length += bytes.copy(kept, length, done, end)
    }
    let from = this.#passedOver
    for (let at = this.#find(bytes, from); at !== -1; at = this.#find(bytes, from)) {
      keep(at + DASHES)
      done = at + this.#delimiter.length
      from = done + SHORTEST_PART
      this.found += 1
    }
    const end = Math.max(done, Math.min(bytes.length, Math.max(from, bytes.length - this.#delimiter.length + 1)))
    keep(end)
    this.#held = Buffer.from(bytes.subarray(end))
    this.#passedOver = Math.max(0, from - end)
    return kept.subarray(0, length)
  }

  #find(bytes: Buffer, from: number): number {
    return from >= bytes.length ? -1 : bytes.indexOf(this.#delimiter, from)
  }
}

/** Those before a boundary stay. */
const DASHES = 2
