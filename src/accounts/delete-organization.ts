import { AppError } from '../kernel/errors.ts'
import type { AccountRow } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { accountNotFound, organizationFor } from './membership.ts'
import { assertMayWrite } from './permissions.ts'
import { actorOf, type Session } from './session.ts'

/** Removes an organization that has no records; its owner may. Memberships end, and tokens that were made in it die. */
export async function deleteOrganization(deps: AccountDeps, session: Session, accountId: string): Promise<AccountRow> {
  assertMayWrite(session)
  const account = await organizationFor(deps, session, accountId, 'owner')
  const result = await deps.store.removeAccount(accountId, actorOf(session))
  if (result === 'done') return account
  if (result === 'missing') throw accountNotFound(accountId)
  const { records } = result
  const what = records === 1 ? '1 record, which' : `${records} records, which`
  throw new AppError(ACCOUNT_ERRORS.accountNotEmpty, `${account.name} has ${what} would be lost; it was not deleted.`, {
    hint: 'Copy the records to another account and delete them for good here, then delete the organization.',
    records,
  })
}
