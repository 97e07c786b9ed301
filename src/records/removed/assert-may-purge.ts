import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'

/** Refuses to delete for good what other members of the account may want back. */
export function assertMayPurge({ role, account }: Session): void {
  if (role === 'owner' || role === 'administrator') return
  throw new AppError(
    RECORD_ERRORS.mayNotPurge,
    `Members of ${account.slug} delete records so that they can be restored; for good is up to its owner and administrators.`,
    { hint: 'Leave purge out, or ask one of them.' },
  )
}
