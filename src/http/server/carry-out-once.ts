import { hash } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { NEW_SERIAL } from '../../records/ids.ts'
import type { AnswerStore, KeptAnswer, Once } from '../../store/port/answers.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { AskedDigest } from '../exchange/asked-digest.ts'
import { type RequestContext, sessionOf } from '../exchange/context.ts'
import type { AnswerKeeper, Headers, Response } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'

export interface OnceParts {
  readonly answers: AnswerStore
  readonly clock: Clock
}

/** Carries a request with an `Idempotency-Key` out once: one that comes meanwhile waits at its write for the answer of the first. */
export async function carryOutOnce(
  context: RequestContext,
  route: Route,
  { answers, clock }: OnceParts,
): Promise<Response> {
  const { method, repeats, handler } = route
  if (method === 'GET' || repeats === 'needless') return handler(context)
  const key = readKey(context)
  if (repeats === undefined || key === null) throw keyNotTaken(context)
  const once = new OnceRequest(answers, identityOf(context, key), clock())
  const known = await once.find()
  if (known !== null) return known
  context.once = once
  try {
    return await handler(context)
  } catch (error) {
    // Another one with the same key may have been first; then this one has its answer, whatever it met.
    const other = error instanceof AppError ? await once.find().catch(() => null) : null
    if (other === null) throw error
    return other
  }
}

function keyNotTaken({ method, route }: RequestContext): AppError {
  return new AppError(
    HTTP_ERRORS.keyNotTaken,
    `${method} ${route} takes no Idempotency-Key: its answer is not kept, so it would be carried out each time.`,
    { path: 'Idempotency-Key', hint: 'Leave it out, and look what became of a request before you send it again.' },
  )
}

/** A request that is carried out once: it has an `Idempotency-Key`. */
class OnceRequest implements AnswerKeeper {
  readonly #answers: AnswerStore
  readonly #identity: RequestIdentity
  readonly #at: number
  #isTold = false

  constructor(answers: AnswerStore, identity: RequestIdentity, at: number) {
    this.#answers = answers
    this.#identity = identity
    this.#at = at
  }

  tell(answer: Response, record: string | null): Once {
    this.#isTold = true
    return { ...this.#identity, answer: written(answer), record, at: this.#at }
  }

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

const LONGEST_KEY = 255

/** A text of RFC 8941 (3.3.3), or the same without its quotes. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/
const PLAIN = /^[!#-+\--~]+$/

/** Reads the key; null when there is none. */
function readKey({ headers }: RequestContext): string | null {
  const text = headers['idempotency-key']
  if (text === undefined) return null
  const given = typeof text === 'string' ? text.trim() : ''
  const key = PLAIN.test(given) ? given : (QUOTED.exec(given)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? '')
  if (key.length > 0 && key.length <= LONGEST_KEY) return key
  const message = `An Idempotency-Key is a text of 1 to ${LONGEST_KEY} visible characters of ASCII, given once, in quotes or without.`
  throw new AppError(HTTP_ERRORS.invalidKey, message, {
    path: 'Idempotency-Key',
    hint: 'Send a UUID: a new one for each request that is meant to do something of its own.',
  })
}

/** By what a request is known again: whose it is and its key, and all that it asks. */
interface RequestIdentity {
  readonly accountId: string
  readonly key: string
  readonly asked: string
}

/** Makes another user's key worthless: keys are of one user in one account. */
function identityOf(context: RequestContext, key: string): RequestIdentity {
  const { account, user } = sessionOf(context)
  return {
    accountId: account.id,
    key: hash('sha256', JSON.stringify([user.id, key]), 'base64url'),
    // A request without a body has no digest yet.
    asked: (context.digest ?? new AskedDigest(context)).end(),
  }
}
