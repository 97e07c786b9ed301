import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { AccountRow } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import type { Membership } from './list-accounts.ts'
import { assertMayWrite } from './permissions.ts'
import { actorOf, type Session } from './session.ts'
import { assertEmail, assertOrganizationName } from './user-name.ts'

/** Organizations that one user may own. */
const MOST_OWNED = 100

/** Creates an account that several users can belong to; the asker is its owner. */
export async function createOrganization(
  deps: AccountDeps,
  session: Session,
  request: { readonly name: string; readonly email?: string | null },
): Promise<Membership> {
  assertMayWrite(session)
  assertTokenReachesAll(session)
  const { name } = request
  const email = request.email ?? null
  assertOrganizationName(name)
  if (email !== null) assertEmail(email)
  await assertFewOwned(deps, session.user.id)

  const createdAt = deps.clock()
  const slug = name.toLowerCase()
  const account: AccountRow = { id: newId(deps.random), name, slug, type: 'organization', email, createdAt }
  const result = await deps.store.insertAccount(account, session.user.id, actorOf(session))
  if (result === 'done') return { account, role: 'owner', isDefault: false }
  throw new AppError(ACCOUNT_ERRORS.nameTaken, `The name "${name}" is taken. Choose another one.`, { path: 'name' })
}

/** A token for one account could not even read what it makes here. */
function assertTokenReachesAll({ token, account }: Session): void {
  if (!token.oneAccount) return
  throw new AppError(
    ACCOUNT_ERRORS.tokenOfOneAccount,
    `This token works for the account ${account.name} only, so it creates no other.`,
    { hint: 'Log in, or use a token that was not created for one account.' },
  )
}

async function assertFewOwned(deps: AccountDeps, userId: string): Promise<void> {
  const accounts = await deps.store.accountsOf(userId)
  const owned = accounts.filter(({ type, role }) => type === 'organization' && role === 'owner').length
  if (owned < MOST_OWNED) return
  throw new AppError(ACCOUNT_ERRORS.tooMany, `You own ${owned} organizations, the most one user may own.`, {
    hint: 'Delete organizations without records, or pass their ownership on.',
  })
}
