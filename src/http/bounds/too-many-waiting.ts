import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'

/** Makes the error for one more request of somebody for whom too many wait for their turn. */
export function tooManyWaiting(): AppError {
  return new AppError(
    HTTP_ERRORS.tooManyWaiting,
    'Too many of your requests wait for their turn already. Wait for answers before you send more.',
    { retryAfterSeconds: 1 },
  )
}
