import { defineErrors } from '../kernel/errors.ts'

/** The rows of the error catalogue that users, credentials and permissions can cause. */
export const ACCOUNT_ERRORS = defineErrors({
  invalidUserName: { code: 40070, title: 'A user name does not follow the rules for names.' },
  invalidEmail: { code: 40071, title: 'An e-mail address is not well formed.' },
  invalidPassword: { code: 40072, title: 'A password is too short or too long.' },
  invalidTokenName: { code: 40073, title: 'The name of a token is empty, too long or holds control characters.' },
  invalidTokenExpiry: { code: 40074, title: 'The lifetime of a token is out of bounds.' },
  tooManyTokens: { code: 40075, title: 'The user has as many API tokens as one user may have.' },
  unauthorized: { code: 40101, title: 'The credential is missing, malformed, unknown, expired or revoked.' },
  wrongLogin: { code: 40102, title: 'The name or the password of a login is wrong.' },
  readOnly: { code: 40301, title: 'A read-only token was used for a write.' },
  notAMember: { code: 40302, title: 'The user does not belong to the account.' },
  userNotFound: { code: 40420, title: 'There is no such user.' },
  tokenNotFound: { code: 40421, title: 'The user has no such token.' },
  nameTaken: { code: 40920, title: 'Another user or account has this name.' },
  emailTaken: { code: 40921, title: 'Another user has this e-mail address.' },
  tooManyLogins: { code: 42901, title: 'Too many failed logins for one name or from one address.' },
  loginsBusy: { code: 50320, title: 'More passwords wait to be verified than the server takes on.' },
})
