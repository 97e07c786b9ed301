import { createToken } from '../accounts/create-token.ts'
import { createUser } from '../accounts/create-user.ts'
import { listUsers } from '../accounts/list-users.ts'
import type { Services } from './open-services.ts'

/** The credentials of the first user; they exist in this value and nowhere else. */
export interface FirstUser {
  readonly name: string
  readonly password: string
  readonly accountId: string
  readonly token: string
}

const FIRST_USER_NAME = 'admin'

/** Creates the first user with a password and a token when there is nobody yet; null when there is. */
export async function createFirstUser({ accounts }: Services): Promise<FirstUser | null> {
  if ((await listUsers(accounts)).length > 0) return null
  const password = Buffer.from(accounts.random(15)).toString('base64url')
  const user = await createUser(accounts, { name: FIRST_USER_NAME, password })
  const accountId = user.defaultAccountId
  const { secret } = await createToken(accounts, { userId: user.id, accountId, name: 'first start' })
  return { name: user.name, password, accountId, token: secret }
}
