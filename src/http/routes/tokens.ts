import { actorOf, assertMayWrite, keptTo, type Session } from '../../accounts/session.ts'
import { endOtherSessions } from '../../accounts/sessions.ts'
import {
  createToken,
  listTokens,
  reachOfToken,
  revokeToken,
  TOKEN_DAYS,
  TOKEN_NAME_LENGTH,
  type TokenSummary,
} from '../../accounts/tokens.ts'
import { isoInstant } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { API_PREFIX } from '../address.ts'
import { type RequestContext, sessionOf } from '../exchange/context.ts'
import { dataResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { ID, INSTANT, listOf, nullable, object, SECRET, TEXT } from '../openapi/schemas.ts'
import { invalidField, readFields, readNoBody } from '../request/body.ts'
import { assertNoParameters, invalidParameter, knownParameters, pathId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'

const TOKEN_SCHEMA = object({
  _id: ID,
  name: TEXT,
  kind: { enum: ['session', 'api'] },
  accountId: ID,
  oneAccount: { type: 'boolean', description: 'Whether it works for that account only.' },
  readOnly: { type: 'boolean' },
  createdAt: INSTANT,
  lastUsedAt: nullable(INSTANT),
  expiresAt: nullable(INSTANT),
  isCurrent: { type: 'boolean', description: 'True for the token of this very request.' },
})

export const ENDED_SCHEMA = object({
  message: TEXT,
  ended: { type: 'integer', description: 'How many other sessions were open and are over.' },
})

export function presentToken(token: TokenSummary, session: Session): JsonObject {
  return {
    _id: token.id,
    name: token.name,
    kind: token.kind,
    accountId: token.accountId,
    oneAccount: token.oneAccount,
    readOnly: token.readOnly,
    createdAt: isoInstant(token.createdAt),
    lastUsedAt: token.lastUsedAt === null ? null : isoInstant(token.lastUsedAt),
    expiresAt: token.expiresAt === null ? null : isoInstant(token.expiresAt),
    isCurrent: token.id === session.token.id,
  }
}

const BODY = object(
  {
    name: { type: 'string', minLength: 1, maxLength: TOKEN_NAME_LENGTH },
    expiresInDays: { type: ['integer', 'null'], minimum: TOKEN_DAYS.least, maximum: TOKEN_DAYS.most, default: null },
    readOnly: { type: 'boolean', default: false },
    accountId: { ...ID, description: 'Keeps the token to this account; else it works for all of yours.' },
  },
  ['expiresInDays', 'readOnly', 'accountId'],
)

export function createTokenRoute({ accounts }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/tokens`,
    access: 'session',
    operation: {
      id: 'createToken',
      tag: 'Tokens',
      summary: 'Create an API token',
      description:
        'The token itself is in this answer and nowhere else afterwards. Without an X-Account-Id it acts in the account of this request.',
      body: { schema: BODY, example: { name: 'laptop', expiresInDays: 90, readOnly: true } },
      success: {
        status: 201,
        description: 'The credential, and what is kept of it.',
        schema: object({ 'X-Account-Id': ID, 'X-Auth-Token': SECRET, token: TOKEN_SCHEMA }),
      },
      failures: [403],
    },
    handler: async (context) => {
      const session = sessionOf(context)
      assertMayWrite(session)
      assertNoParameters(context)
      const { accountId, ...fields } = readTokenFields(context)
      const reach = reachOfToken(session, accountId)
      const { secret, token } = await createToken(
        accounts,
        { userId: session.user.id, ...reach, ...fields },
        actorOf(session),
      )
      const data = { 'X-Account-Id': token.accountId, 'X-Auth-Token': secret, token: presentToken(token, session) }
      return dataResponse(data, 201, { location: `${API_PREFIX}/tokens/${token.id}`, 'cache-control': 'no-store' })
    },
  }
}

function readTokenFields(context: RequestContext) {
  const fields = readFields(context, ['name', 'expiresInDays', 'readOnly', 'accountId'])
  const { name, expiresInDays = null, readOnly = false, accountId } = fields
  if (typeof name !== 'string') throw invalidField('name', 'a text by which you will know the token')
  if (expiresInDays !== null && typeof expiresInDays !== 'number') {
    throw invalidField('expiresInDays', 'a whole number of days, or null for no expiry')
  }
  if (typeof readOnly !== 'boolean') throw invalidField('readOnly', 'true or false')
  if (accountId !== undefined && typeof accountId !== 'string') {
    throw invalidField('accountId', 'the id of one of your accounts, or absent for all of them')
  }
  return { name, expiresInDays, readOnly, accountId }
}

export function listTokensRoute({ accounts }: HttpServices): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/tokens`,
    access: 'session',
    operation: {
      id: 'listTokens',
      tag: 'Tokens',
      summary: 'List your API tokens and open sessions',
      description: 'A token that is kept to one account is told of those that are kept to it as well.',
      success: { description: 'The tokens, without their secrets.', schema: listOf(TOKEN_SCHEMA) },
    },
    handler: async (context) => {
      assertNoParameters(context)
      const session = sessionOf(context)
      const tokens = await listTokens(accounts, session.user.id, keptTo(session))
      return dataResponse(tokens.map((token) => presentToken(token, session)))
    },
  }
}

export function revokeTokenRoute({ accounts }: HttpServices): Route {
  return {
    method: 'DELETE',
    path: `${API_PREFIX}/tokens/:id`,
    access: 'session',
    operation: {
      id: 'revokeToken',
      tag: 'Tokens',
      summary: 'Revoke one of your tokens',
      success: { description: 'The token does not work any more.', schema: object({ message: TEXT, _id: ID }) },
      failures: [403, 404],
    },
    handler: async (context) => {
      const session = sessionOf(context)
      assertMayWrite(session)
      assertNoParameters(context)
      readNoBody(context)
      const id = pathId(context)
      await revokeToken(accounts, session.user.id, id, { keptTo: keptTo(session), by: actorOf(session) })
      return dataResponse({ message: `Token ${id} successfully deleted`, _id: id })
    },
  }
}

/** Parameters for all sessions but one: both are needed, so that nothing ends because one was left out. */
const OTHER_SESSIONS: Readonly<Record<string, string>> = { kind: 'session', others: 'true' }

export function endOtherSessionsRoute({ accounts }: HttpServices): Route {
  return {
    method: 'DELETE',
    path: `${API_PREFIX}/tokens`,
    access: 'session',
    operation: {
      id: 'endOtherSessions',
      tag: 'Tokens',
      summary: 'End all your sessions but the one of this request',
      description: 'API tokens stay. Both parameters are needed.',
      query: Object.entries(OTHER_SESSIONS).map(([name, value]) => ({
        name,
        description: `Always ${value}.`,
        schema: { enum: [value] },
        example: value,
      })),
      success: { description: 'They are over.', schema: ENDED_SCHEMA },
      failures: [403],
    },
    handler: async (context) => {
      const parameters = knownParameters(context, Object.keys(OTHER_SESSIONS))
      for (const [name, value] of Object.entries(OTHER_SESSIONS)) {
        const given = parameters.get(name) ?? ''
        if (given !== value) throw invalidParameter(name, given, `${value} here, and nothing else`)
      }
      readNoBody(context)
      const ended = await endOtherSessions(accounts, sessionOf(context))
      return dataResponse({ message: 'Your other sessions are over', ended })
    },
  }
}
