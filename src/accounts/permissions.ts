import { AppError } from '../kernel/errors.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import type { Session } from './session.ts'

/** Refuses a session whose token may only read; every use case that writes calls it first. */
export function assertMayWrite(session: Session): void {
  if (!session.readOnly) return
  throw new AppError(
    ACCOUNT_ERRORS.readOnly,
    'This token is read-only: it may list and read, but not create, change or delete.',
    { hint: 'Use a token that was created without the read-only scope, or log in.' },
  )
}
