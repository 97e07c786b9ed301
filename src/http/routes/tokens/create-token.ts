import type { FastifyRequest } from 'fastify'
import { createToken, TOKEN_DAYS, TOKEN_NAME_LENGTH } from '../../../accounts/create-token.ts'
import { assertMayWrite } from '../../../accounts/permissions.ts'
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
  },
  ['expiresInDays', 'readOnly'],
)

export function createTokenRoute({ accounts }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/tokens`,
    access: 'session',
    operation: {
      id: 'createToken',
      tag: 'Tokens',
      summary: 'Create an API token for the account of this request',
      description: 'The token itself is in this answer and nowhere else afterwards.',
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
      const { secret, token } = await createToken(accounts, {
        userId: session.user.id,
        accountId: session.account.id,
        ...readTokenFields(request),
      })
      const data = { 'X-Account-Id': token.accountId, 'X-Auth-Token': secret, token: presentToken(token, session) }
      return sendData(reply, data, 201, { location: `${API_PREFIX}/tokens/${token.id}`, 'cache-control': 'no-store' })
    },
  }
}

function readTokenFields(request: FastifyRequest) {
  const { name, expiresInDays = null, readOnly = false } = readFields(request, ['name', 'expiresInDays', 'readOnly'])
  if (typeof name !== 'string') throw invalidField('name', 'a text by which you will know the token')
  if (expiresInDays !== null && typeof expiresInDays !== 'number') {
    throw invalidField('expiresInDays', 'a whole number of days, or null for no expiry')
  }
  if (typeof readOnly !== 'boolean') throw invalidField('readOnly', 'true or false')
  return { name, expiresInDays, readOnly }
}
