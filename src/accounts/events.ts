import { defineEvents } from '../kernel/log.ts'

export const ACCOUNT_EVENTS = defineEvents({
  loginSucceeded: {
    name: 'login.succeeded',
    level: 'info',
    title: 'A user logged in.',
    audit: true,
    fields: ['request', 'user', 'address'],
  },
  loginFailed: {
    name: 'login.failed',
    level: 'warn',
    title:
      'A login was refused: a wrong name or password, or a disabled user. `user` is null when nobody has the name that was given.',
    audit: true,
    fields: ['request', 'user', 'address'],
  },
  loginSlowedDown: {
    name: 'login.slowed-down',
    level: 'warn',
    title: 'A login was not tried, since too many had failed before.',
    audit: false,
    fields: ['request', 'address'],
  },
  auditFailed: {
    name: 'audit.failed',
    level: 'error',
    title: 'A failed login could not be written into the audit.',
    audit: false,
    fields: ['request'],
  },
  tokenEndFailed: {
    name: 'token.end-failed',
    level: 'warn',
    title: 'That a token has ended could not be written down; it was refused, and its next use tries again.',
    audit: false,
    fields: ['tokenId'],
  },
})
