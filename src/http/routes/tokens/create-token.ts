import type { FastifyRequest } from 'fastify'
import { actorOf, assertMayWrite } from '../../../accounts/session.ts'
import { createToken, reachOfToken, TOKEN_DAYS, TOKEN_NAME_LENGTH } from '../../../accounts/tokens.ts'
import { API_PREFIX } from '../../address.ts'
import { ID, object, SECRET } from '../../openapi/schemas.ts'
import { invalidField, readFields } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { sendData } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { presentToken, TOKEN_SCHEMA } from './present-token.ts'

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
    handler: async (request, reply) => {
      const session = sessionOf(request)
      assertMayWrite(session)
      assertNoParameters(request)
      const { accountId, ...fields } = readTokenFields(request)
      const reach = reachOfToken(session, accountId)
      const { secret, token } = await createToken(
        accounts,
        { userId: session.user.id, ...reach, ...fields },
        actorOf(session),
      )
      const data = { 'X-Account-Id': token.accountId, 'X-Auth-Token': secret, token: presentToken(token, session) }
      return sendData(reply, data, 201, { location: `${API_PREFIX}/tokens/${token.id}`, 'cache-control': 'no-store' })
    },
  }
}

function readTokenFields(request: FastifyRequest) {
  const fields = readFields(request, ['name', 'expiresInDays', 'readOnly', 'accountId'])
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
