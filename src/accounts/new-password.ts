import { AppError } from '../kernel/errors.ts'
import { loadCommonPasswords } from './common-passwords.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { isVariantOfCommon, withoutWords } from './password-variants.ts'
import { normalizePassword, PASSWORD_LENGTH } from './passwords.ts'

/** Whose password it is to be. */
export interface PasswordOwner {
  readonly name: string
  readonly email: string | null
}

/** Characters that a password has to have beside the names that everybody knows. */
const LEAST_BESIDE_NAMES = 8

/**
 * Refuses a new password that would be guessed: too short, common, a variant of a common one, or the user's own name or address. One
 * that was given out under other rules still works.
 */
export async function assertNewPassword(password: string, owner: PasswordOwner): Promise<void> {
  assertLength(password)
  if (withoutWords(password, wordsOf(owner)).length < LEAST_BESIDE_NAMES) {
    throw new AppError(
      ACCOUNT_ERRORS.guessablePassword,
      'This password is little more than the name or the e-mail address of the user, or of this program.',
      { path: 'password', hint: HINT },
    )
  }
  if (!isVariantOfCommon(password, await loadCommonPasswords())) return
  throw new AppError(
    ACCOUNT_ERRORS.guessablePassword,
    'This password is among those that are guessed first: a common one, a variant of one, or a walk over the keyboard.',
    { path: 'password', hint: HINT },
  )
}

const HINT = 'Several words that nobody expects together are long enough and easy to remember.'

function assertLength(password: string): void {
  const length = [...normalizePassword(password)].length
  if (length >= PASSWORD_LENGTH.least && length <= PASSWORD_LENGTH.most) return
  throw new AppError(
    ACCOUNT_ERRORS.invalidPassword,
    `A password has ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters; this one has ${length}.`,
    { path: 'password' },
  )
}

function wordsOf({ name, email }: PasswordOwner): readonly string[] {
  const address = email === null ? [] : [email, email.slice(0, email.indexOf('@'))]
  return [name, ...address, 'quarry']
}
