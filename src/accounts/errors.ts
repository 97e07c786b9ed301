import { defineErrors } from '../kernel/errors.ts'

/** The rows of the error catalogue that users, credentials and permissions can cause. */
export const ACCOUNT_ERRORS = defineErrors({
  invalidUserName: { code: 40070, title: 'A user name does not follow the rules for names.' },
  invalidEmail: { code: 40071, title: 'An e-mail address is not well formed.' },
  invalidPassword: { code: 40072, title: 'A password is too short or too long.' },
  guessablePassword: {
    code: 40083,
    title: 'A new password is common, a variant of a common one, or little more than the name of its user.',
  },
  invalidTokenName: { code: 40073, title: 'The name of a token is empty, too long or holds control characters.' },
  invalidTokenExpiry: { code: 40074, title: 'The lifetime of a token is out of bounds.' },
  tooManyTokens: { code: 40075, title: 'The user has as many API tokens as one user may have.' },
  invalidAccountName: { code: 40076, title: 'The name of an organization does not follow the rules for names.' },
  invalidRole: { code: 40077, title: 'A role is not owner, administrator or member.' },
  tooMany: {
    code: 40078,
    title: 'A user has as many organizations, or an organization as many members, as there may be.',
  },
  personalAccount: { code: 40079, title: 'A personal account has one member and stays as long as its user.' },
  invalidTitle: { code: 40084, title: 'The title of an organization is empty, too long or no single line.' },
  invalidDescription: {
    code: 40085,
    title: 'The description of an organization is too long or holds control characters.',
  },
  unauthorized: { code: 40101, title: 'The credential is missing, malformed, unknown, expired or revoked.' },
  wrongLogin: { code: 40102, title: 'The name or the password of a login is wrong.' },
  readOnly: { code: 40301, title: 'A read-only token was used for a write.' },
  notAMember: { code: 40302, title: 'The user does not belong to the account.' },
  roleNotEnough: { code: 40303, title: 'The role of the user in the account does not permit the action.' },
  tokenOfOneAccount: { code: 40304, title: 'A token for one account was used for another account of its user.' },
  wrongPassword: { code: 40305, title: 'The current password, which a change of it asks for, is wrong.' },
  userNotFound: { code: 40420, title: 'There is no such user.' },
  tokenNotFound: { code: 40421, title: 'The user has no such token.' },
  accountNotFound: { code: 40422, title: 'The user belongs to no such account.' },
  memberNotFound: { code: 40423, title: 'The account has no such member.' },
  nameTaken: { code: 40920, title: 'Another user or account has this name.' },
  emailTaken: { code: 40921, title: 'Another user has this e-mail address.' },
  ownerStays: {
    code: 40922,
    title: 'The owner of an account can leave only after somebody else has become its owner.',
  },
  accountNotEmpty: { code: 40923, title: 'The account still has records, so it cannot be deleted.' },
  tooManyLogins: { code: 42901, title: 'Too many failed logins for one name or from one address.' },
  loginsBusy: { code: 50320, title: 'More passwords wait to be verified than the server takes on.' },
})
