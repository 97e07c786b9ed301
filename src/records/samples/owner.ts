import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { RandomSource } from '../../kernel/names.ts'
import { type AccountRow, NO_WORDS } from '../../store/port/account-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { contentId } from '../ids.ts'
import type { RecordDeps } from '../work/deps.ts'

/** Name of the account of the samples, and of its user. */
export const SAMPLES_OWNER = 'samples'
/** The account of the samples. */
export const SAMPLES_ACCOUNT_ID = contentId('samples', 'account')
/** The user to whom the samples belong. */
export const SAMPLES_USER_ID = contentId('samples', 'user')

/** Reads the account of the samples, or makes it, with a user whom nobody can be. */
export async function samplesOwner(deps: RecordDeps): Promise<AccountRow> {
  const present = await deps.accounts.findAccount(SAMPLES_ACCOUNT_ID)
  if (present !== null) return present
  const createdAt = deps.clock()
  const account: AccountRow = {
    id: SAMPLES_ACCOUNT_ID,
    name: SAMPLES_OWNER,
    slug: SAMPLES_OWNER,
    type: 'personal',
    email: null,
    createdAt,
    ...NO_WORDS,
  }
  const user = {
    id: SAMPLES_USER_ID,
    name: SAMPLES_OWNER,
    slug: SAMPLES_OWNER,
    email: null,
    defaultAccountId: SAMPLES_ACCOUNT_ID,
    createdAt,
  }
  const nobody = { passwordHash: hashOfNoPassword(deps.random), disabledAt: createdAt }
  if ((await deps.accounts.insertUser({ ...user, ...nobody }, account)) === 'done') return account
  const message = `The name "${SAMPLES_OWNER}" belongs to a user, so the samples have no account.`
  throw new AppError(RECORD_ERRORS.samplesNameTaken, message, { hint: 'Start with --no-samples.' })
}

/** The session in which the server itself acts for the samples. */
export function samplesSession(account: AccountRow): Session {
  return {
    user: { id: SAMPLES_USER_ID, name: SAMPLES_OWNER, slug: SAMPLES_OWNER, email: null },
    account,
    role: 'owner',
    token: { id: 'samples', kind: 'api', oneAccount: true },
    readOnly: false,
    endsAt: Number.POSITIVE_INFINITY,
    scope: { kind: 'account', accountId: account.id },
    origin: { via: 'server', address: null, request: null },
  }
}

/** An argon2id hash that was not made from a password, of a form that comparing with it takes as long as with any other. */
function hashOfNoPassword(random: RandomSource): string {
  const unpadded = (size: number): string => Buffer.from(random(size)).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(16)}$${unpadded(32)}`
}
