import type { AccountDeps } from '../../accounts/deps.ts'
import { listAccounts, type Membership } from '../../accounts/organizations.ts'
import { changePassword } from '../../accounts/password-change.ts'
import type { Session } from '../../accounts/session.ts'
import { type Credentials, logIn, logOut } from '../../accounts/sessions.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { bodyText } from '../../records/work/client-body.ts'
import { API_PREFIX } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type RequestContext, sessionOf } from '../exchange/context.ts'
import { FORM_TYPE } from '../exchange/head.ts'
import { dataResponse, jsonResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { ID, listOf, MESSAGE, nullable, object, SECRET, TEXT } from '../openapi/schemas.ts'
import { bodyBytes, invalidField, pickFields, readFields, readNoBody } from '../request/body.ts'
import { assertNoParameters, readParameters } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { ENDED_SCHEMA } from './tokens.ts'

/** Names of the login in bodies that clients send. */
const LOGIN_FIELDS = ['username', 'user', 'email'] as const

/** A name and a password fit many times over; a guest gets no more. */
export const LOGIN_BODY_LIMIT = 16 * 1024

export function logInRoute({ accounts }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/login`,
    access: 'guest',
    bodyLimit: LOGIN_BODY_LIMIT,
    operation: {
      id: 'logIn',
      tag: 'Session',
      summary: 'Exchange a name and a password for a credential',
      description: 'The pair is in `data` and, for clients that read the first level, beside it.',
      body: {
        schema: object({ username: { type: 'string', description: 'User name or e-mail address.' }, password: TEXT }),
        example: { username: 'ada', password: 'correct horse battery staple' },
        isForm: true,
      },
      success: {
        description: 'The credential; it works until logout, or until it was not used for some time.',
        schema: object({ 'X-Account-Id': ID, 'X-Auth-Token': SECRET }),
      },
      failures: [401, 429],
    },
    handler: async (context) => {
      const { accountId, token } = await logInFrom(context, accounts)
      const pair = { 'X-Account-Id': accountId, 'X-Auth-Token': token }
      const body = { status: 'success', data: pair, ...pair }
      return jsonResponse(200, JSON.stringify(body), { 'cache-control': 'no-store' })
    },
  }
}

/** Logs in with the name and the password in the body. */
export function logInFrom(context: RequestContext, accounts: AccountDeps): Promise<Credentials> {
  const { address, id: request, headers } = context
  return logIn(accounts, { ...readLogin(context), address, request, program: headers['user-agent'] })
}

function readLogin(context: RequestContext): { login: string; password: string } {
  const fields = isForm(context) ? readForm(context) : readFields(context, [...LOGIN_FIELDS, 'password'])
  const given = LOGIN_FIELDS.filter((name) => fields[name] !== undefined)
  if (given.length > 1) {
    throw new AppError(
      HTTP_ERRORS.invalidBodyField,
      `The fields ${given.join(' and ')} mean the same; send one of them.`,
      { path: given[1] ?? '' },
    )
  }
  const login = fields[given[0] ?? 'username']
  const { password } = fields
  if (typeof login !== 'string' || login === '') throw invalidField('username', 'a user name or e-mail address')
  if (typeof password !== 'string' || password === '') throw invalidField('password', 'a text')
  return { login, password }
}

function isForm(context: RequestContext): boolean {
  return (context.headers['content-type'] ?? '').toLowerCase().startsWith(FORM_TYPE)
}

function readForm(context: RequestContext) {
  const text = bodyText(bodyBytes(context))
  return pickFields(Object.fromEntries(readParameters(text)), [...LOGIN_FIELDS, 'password'])
}

/** The specification says GET, every client says POST. */
export function logOutRoutes({ accounts }: HttpServices): readonly Route[] {
  return (['GET', 'POST'] as const).map((method) => ({
    method,
    path: `${API_PREFIX}/logout`,
    access: 'session',
    // A HEAD that ends a session would be a surprise.
    answersHead: false,
    operation: {
      id: method === 'GET' ? 'logOut' : 'logOutByPost',
      tag: 'Session',
      summary: 'End the session: the token is dead afterwards',
      success: {
        description: 'The token does not work any more.',
        schema: MESSAGE,
        example: { message: 'You are successfully logged out' },
      },
    },
    handler: async (context) => {
      assertNoParameters(context)
      readNoBody(context)
      await logOut(accounts, sessionOf(context))
      return dataResponse({ message: 'You are successfully logged out' })
    },
  }))
}

const ACCOUNTS = listOf(
  object({
    entity: object({
      _id: ID,
      name: TEXT,
      slug: TEXT,
      type: { enum: ['personal', 'organization'] },
      title: nullable(TEXT),
    }),
    role: { enum: ['owner', 'administrator', 'member'] },
    isDefault: { type: 'boolean' },
  }),
)
export const ME_SCHEMA = object({
  user: object({
    entity: object({ _id: ID, name: TEXT, slug: TEXT, email: nullable(TEXT), defaultAccountId: ID }),
    accounts: ACCOUNTS,
  }),
  accounts: ACCOUNTS,
})

export function showMeRoute({ accounts }: HttpServices): Route {
  return {
    method: 'GET',
    // Newer clients ask here, whatever version they use for records.
    path: '/api/v1/users/me',
    aliases: [`${API_PREFIX}/users/me`],
    access: 'session',
    operation: {
      id: 'showMe',
      tag: 'Users',
      summary: 'Show the user of this request and the accounts that the user belongs to',
      success: { description: 'The user and its accounts, one of them the default.', schema: ME_SCHEMA },
    },
    handler: async (context) => {
      assertNoParameters(context)
      const session = sessionOf(context)
      const memberships = await listAccounts(accounts, session.user.id)
      return dataResponse(presentMe(session, memberships))
    },
  }
}

export function presentMe({ user }: Session, memberships: readonly Membership[]): JsonObject {
  const defaultAccountId = memberships.find(({ isDefault }) => isDefault)?.account.id ?? null
  const accounts = memberships.map(({ account: { id, name, slug, type, title }, role, isDefault }) => ({
    entity: { _id: id, name, slug, type, title },
    role,
    isDefault,
  }))
  const entity = { _id: user.id, name: user.name, slug: user.slug, email: user.email, defaultAccountId }
  // Clients look for the accounts in either place, by their age.
  return { user: { entity, accounts }, accounts }
}

export function changePasswordRoute({ accounts }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/users/me/password`,
    access: 'session',
    bodyLimit: LOGIN_BODY_LIMIT,
    operation: {
      id: 'changePassword',
      tag: 'Users',
      summary: 'Change your password, and end all your other sessions',
      description:
        'The present password has to be shown; who guesses it is slowed down as at a login. The session of this request and API tokens stay.',
      body: {
        schema: object({ currentPassword: TEXT, password: { type: 'string', description: 'The new one.' } }),
        example: { currentPassword: 'correct horse battery staple', password: 'nine copper kettles in a row' },
      },
      success: { description: 'The new password holds.', schema: ENDED_SCHEMA },
      failures: [403, 429],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { currentPassword: current, password } = readFields(context, ['currentPassword', 'password'])
      if (typeof current !== 'string') throw invalidField('currentPassword', 'the password of now')
      if (typeof password !== 'string') throw invalidField('password', 'the new password')
      const ended = await changePassword(accounts, sessionOf(context), { current, password })
      return dataResponse({ message: 'Your password is changed', ended })
    },
  }
}
