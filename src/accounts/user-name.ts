import { AppError } from '../kernel/errors.ts'
import { ACCOUNT_ERRORS } from './errors.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,63}$/

/** Refuses a user name that could be mistaken for an e-mail address or does not fit into an address bar. */
export function assertUserName(name: string): void {
  if (NAME.test(name)) return
  throw new AppError(
    ACCOUNT_ERRORS.invalidUserName,
    `${quoted(name)} cannot be a user name: use 2 to 64 letters, digits, ".", "_" or "-", a letter or digit first.`,
    { path: 'name' },
  )
}

/** Refuses the name of an organization by the same rules: users and organizations share one set of names. */
export function assertOrganizationName(name: string): void {
  if (NAME.test(name)) return
  throw new AppError(
    ACCOUNT_ERRORS.invalidAccountName,
    `${quoted(name)} cannot be an organization's name: use 2 to 64 letters, digits, ".", "_" or "-", a letter or digit first.`,
    { path: 'name' },
  )
}

/** Refuses what is certainly no e-mail address; only a message to it could show that it is one. */
export function assertEmail(email: string): void {
  const at = email.indexOf('@')
  const wellFormed = at > 0 && at < email.length - 1 && at === email.lastIndexOf('@')
  if (wellFormed && email.length <= 254 && !/[\s\p{Cc}]/u.test(email)) return
  throw new AppError(
    ACCOUNT_ERRORS.invalidEmail,
    `${quoted(email)} is not an e-mail address such as ada@example.org.`,
    {
      path: 'email',
    },
  )
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
