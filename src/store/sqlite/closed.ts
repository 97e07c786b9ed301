import { AppError } from '../../kernel/errors.ts'
import { STORE_ERRORS } from '../errors.ts'
import type { Connection } from './database.ts'

/** What a store that is closing or closed answers. */
export function closedError(): AppError {
  return new AppError(STORE_ERRORS.closed, 'The store is closing; the request was not carried out.', {
    hint: 'Try again when the server is up.',
  })
}

/** Refuses to read from a store that was closed. */
export function assertOpen(connection: Connection): void {
  if (!connection.open) throw closedError()
}
