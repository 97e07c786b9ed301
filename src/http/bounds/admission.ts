import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { Route } from '../route.ts'

/** Lets so many requests be answered at a time. */
export interface Admission {
  /** Wraps a handler; together they answer no more than there may be, and the next one is refused at once. */
  readonly admit: (handler: Route['handler']) => Route['handler']
  /** Takes a place for an answer that is given without a handler; gives what gives it back, or null where there is none. */
  readonly enter: () => (() => void) | null
  /** How many are being answered. */
  readonly answering: number
}

export function createAdmission(limit: number): Admission {
  let answering = 0
  return {
    get answering() {
      return answering
    },
    enter() {
      if (answering >= limit) return null
      answering++
      return () => {
        answering--
      }
    },
    admit: (handler) => async (request, reply) => {
      if (answering >= limit) throw overloaded()
      answering++
      try {
        return await handler(request, reply)
      } finally {
        answering--
      }
    },
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
