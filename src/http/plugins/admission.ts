import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { Route } from '../route.ts'

/** Wraps handlers so that together they answer no more than `limit` requests at a time; the next one is refused at once. */
export function createAdmission(limit: number): (handler: Route['handler']) => Route['handler'] {
  let answering = 0
  return (handler) => async (request, reply) => {
    if (answering >= limit) throw overloaded()
    answering++
    try {
      return await handler(request, reply)
    } finally {
      answering--
    }
  }
}

function overloaded(): AppError {
  return new AppError(
    HTTP_ERRORS.overloaded,
    'The server is answering as many requests as it can. Try again in a second.',
    {
      retryAfterSeconds: 1,
    },
  )
}
