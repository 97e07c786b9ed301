import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { NEW_SERIAL } from '../../records/ids.ts'
import type { AnswerStore, KeptAnswer, Once } from '../../store/port/answers.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { AnswerKeeper } from '../exchange/context.ts'
import type { Headers, Response } from '../exchange/response.ts'
import type { RequestIdentity } from '../request/idempotency-key.ts'

/** A request that is carried out once: it has an `Idempotency-Key`. */
export class OnceRequest implements AnswerKeeper {
  readonly #answers: AnswerStore
  readonly #identity: RequestIdentity
  readonly #at: number
  #isTold = false

  constructor(answers: AnswerStore, identity: RequestIdentity, at: number) {
    this.#answers = answers
    this.#identity = identity
    this.#at = at
  }

  /** Gives the write the answer that is kept with it. */
  tell(answer: Response, record: string | null): Once {
    this.#isTold = true
    return { ...this.#identity, answer: written(answer), record, at: this.#at }
  }

  /** Keeps the answer where there was no one write that it could be kept with. */
  async keepUnlessTold(answer: Response): Promise<void> {
    if (!this.#isTold) await this.#answers.keep(this.tell(answer, null))
  }

  /** Answer of the request that was carried out; null when none was. */
  async find(): Promise<Response | null> {
    const { accountId, key, asked } = this.#identity
    const kept = await this.#answers.find(accountId, key, this.#at)
    if (kept === null) return null
    if (kept.asked !== asked) throw keyOfAnother()
    return readAgain(kept)
  }
}

/** The body stands behind a line with the rest, as it is. */
function written({ status, headers, body }: Response): string {
  const text = Array.isArray(body) ? body.join('') : String(body ?? '')
  return `${JSON.stringify({ status, headers })}\n${text}`
}

/** Tells whoever wants to know that this is no first answer. */
const REPLAYED = { 'idempotent-replayed': 'true' }

function readAgain({ answer, serial }: KeptAnswer): Response {
  const end = answer.indexOf('\n')
  const head = JSON.parse(answer.slice(0, end)) as JsonObject & { status: number; headers: Headers }
  const { etag } = head.headers
  const tag = etag === undefined ? {} : { etag: etag.replace(NEW_SERIAL, serial ?? '') }
  return { status: head.status, body: answer.slice(end + 1), headers: { ...head.headers, ...tag, ...REPLAYED } }
}

function keyOfAnother(): AppError {
  return new AppError(
    HTTP_ERRORS.keyOfAnother,
    'The Idempotency-Key was used for a request with another method, address or body; this one was not carried out.',
    { path: 'Idempotency-Key', hint: 'Use a new key for each request, and the same one only to send the same again.' },
  )
}
