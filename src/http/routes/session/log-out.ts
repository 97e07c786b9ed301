import { logOut } from '../../../accounts/sessions.ts'
import { API_PREFIX } from '../../address.ts'
import { MESSAGE } from '../../openapi/schemas.ts'
import { readNoBody } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { sendData } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'

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
        status: 200,
        description: 'The token does not work any more.',
        schema: MESSAGE,
        example: { message: 'You are successfully logged out' },
      },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      readNoBody(request)
      await logOut(accounts, sessionOf(request))
      return sendData(reply, { message: 'You are successfully logged out' })
    },
  }))
}
