import { actorOf, assertMayWrite, keptTo } from '../../../accounts/session.ts'
import { revokeToken } from '../../../accounts/tokens.ts'
import { API_PREFIX } from '../../address.ts'
import { ID, object, TEXT } from '../../openapi/schemas.ts'
import { readNoBody } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { pathId } from '../../request/path-id.ts'
import { sendData } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'

export function revokeTokenRoute({ accounts }: HttpServices): Route {
  return {
    method: 'DELETE',
    path: `${API_PREFIX}/tokens/:id`,
    access: 'session',
    operation: {
      id: 'revokeToken',
      tag: 'Tokens',
      summary: 'Revoke one of your tokens',
      success: {
        status: 200,
        description: 'The token does not work any more.',
        schema: object({ message: TEXT, _id: ID }),
      },
      failures: [403, 404],
    },
    handler: async (request, reply) => {
      const session = sessionOf(request)
      assertMayWrite(session)
      assertNoParameters(request)
      readNoBody(request)
      const id = pathId(request)
      await revokeToken(accounts, session.user.id, id, { keptTo: keptTo(session), by: actorOf(session) })
      return sendData(reply, { message: `Token ${id} successfully deleted`, _id: id })
    },
  }
}
