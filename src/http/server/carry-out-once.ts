import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AnswerStore } from '../../store/port/answers.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { identityOf, readKey } from '../request/idempotency-key.ts'
import { OnceRequest } from '../response/kept-answer.ts'
import { sendWhole } from '../response/send.ts'
import type { Route } from '../route.ts'

/** What is needed to know a request again. */
export interface OnceParts {
  readonly answers: AnswerStore
  readonly clock: Clock
}

/**
 * Lets a request with an `Idempotency-Key` be carried out once, on routes that keep their answers; nothing is done where there is no key. One that
 * comes while another is under way is carried out beside it up to its write, which waits for that of the other and finds its answer.
 */
export function carriedOutOnce({ method, repeats, handler }: Route, { answers, clock }: OnceParts): Route['handler'] {
  if (method === 'GET' || repeats === 'needless') return handler
  return (request, reply) => {
    if (request.headers['idempotency-key'] === undefined) return handler(request, reply)
    const key = readKey(request)
    if (repeats === undefined || key === null) throw keyNotTaken(request)
    const once = new OnceRequest(answers, identityOf(request, key), clock())
    return carryOut(request, reply, once, handler)
  }
}

async function carryOut(
  request: FastifyRequest,
  reply: FastifyReply,
  once: OnceRequest,
  handler: Route['handler'],
): Promise<FastifyReply> {
  const known = await once.find()
  if (known !== null) return sendWhole(reply, known)
  request.once = once
  try {
    return await handler(request, reply)
  } catch (error) {
    // Another one with the same key may have been first; then this one has its answer, whatever it met.
    const other = error instanceof AppError ? await once.find().catch(() => null) : null
    if (other === null) throw error
    return sendWhole(reply, other)
  }
}

function keyNotTaken({ method, routeOptions }: FastifyRequest): AppError {
  return new AppError(
    HTTP_ERRORS.keyNotTaken,
    `${method} ${routeOptions.url} takes no Idempotency-Key: its answer is not kept, so it would be carried out each time.`,
    { path: 'Idempotency-Key', hint: 'Leave it out, and look what became of a request before you send it again.' },
  )
}
