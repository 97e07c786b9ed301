import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'

/** The refusal of a record of an import before anything is known of its content. */
export function invalidImport(message: string, path?: string, hint?: string): AppError {
  const data = { ...(path === undefined ? {} : { path }), ...(hint === undefined ? {} : { hint }) }
  return new AppError(RECORD_ERRORS.invalidImport, message, data)
}
