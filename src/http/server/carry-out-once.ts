import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AnswerStore } from '../../store/port/answers.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { Response } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { identityOf, readKey } from '../request/idempotency-key.ts'
import { OnceRequest } from '../response/kept-answer.ts'

/** Parts needed to know a request again. */
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
