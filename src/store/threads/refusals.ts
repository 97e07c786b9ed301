import { AppError } from '../../kernel/errors.ts'
import { STORE_ERRORS } from '../errors.ts'

export function tooManyOfOne(places: number): AppError {
  const message = `${places} of your long queries and exports wait already; this one was not taken.`
  return new AppError(STORE_ERRORS.tooManyOfOne, message, { hint: 'Wait for answers before you ask for more.' })
}

export function overloadedError(places: number): AppError {
  return new AppError(STORE_ERRORS.overloaded, `${places} long queries wait already; this one was not taken.`, {
    hint: 'Try again in a few seconds.',
  })
}

/** Error for a query that has waited as long as it may. */
export function waitedError(milliseconds: number): AppError {
  return new AppError(
    STORE_ERRORS.overloaded,
    `The query waited for its turn for ${milliseconds} ms, and was not begun.`,
    {
      hint: 'Try again in a few seconds.',
    },
  )
}

/** Error for a request to a thread that has ended. */
export function unreadableError(cause: Error | null): AppError {
  return new AppError(STORE_ERRORS.unreadable, 'The storage could not be read.', { hint: 'Try again.' }, cause)
}
