import { keptTo } from '../../../accounts/session.ts'
import { listTokens } from '../../../accounts/tokens.ts'
import { API_PREFIX } from '../../address.ts'
import { listOf } from '../../openapi/schemas.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { sendData } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { presentToken, TOKEN_SCHEMA } from './present-token.ts'

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
      success: { status: 200, description: 'The tokens, without their secrets.', schema: listOf(TOKEN_SCHEMA) },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const session = sessionOf(request)
      const tokens = await listTokens(accounts, session.user.id, keptTo(session))
      return sendData(
        reply,
        tokens.map((token) => presentToken(token, session)),
      )
    },
  }
}
