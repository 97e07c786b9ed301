import { AppError } from '../../kernel/errors.ts'
import { STORE_ERRORS } from '../errors.ts'
import { isDamage } from './database.ts'

export const DAMAGE_HINT =
  'Tell the operator of the server: `quarry check` finds all damage, a backup has what was written.'

const UNREADABLE = /^SQLITE_(IOERR|CANTOPEN|FULL|NOMEM|PROTOCOL|PERM|READONLY)/

/** Puts into words what SQLite reported while something was read; null when it is no fault of the storage. */
export function storageFault(error: unknown): AppError | null {
  if (isDamage(error)) return damageMet('The database is damaged where this would be read.', error)
  if (!(error instanceof Error && 'code' in error && UNREADABLE.test(String(error.code)))) return null
  return new AppError(STORE_ERRORS.unreadable, 'The storage could not be read.', { hint: 'Try again.' }, error)
}

/** What is told to whoever meets damage; the message says where. */
export function damageMet(message: string, cause?: unknown): AppError {
  return new AppError(STORE_ERRORS.damagedFile, message, { hint: DAMAGE_HINT }, cause)
}
