import { AppError } from '../../../kernel/errors.ts'
import { HTTP_ERRORS } from '../../errors.ts'
import type { Operation } from '../../openapi/operation.ts'
import { object } from '../../openapi/schemas.ts'
import { sendData } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'

/** `/healthz`: the process answers. `/readyz`: it can read and write, too, or says why not. */
export function probeRoutes({ ping }: HttpServices): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      access: 'guest',
      isProbe: true,
      operation: probe('showHealth', 'Tell that the process answers', { healthy: { const: true } }),
      handler: (_request, reply) => sendData(reply, { healthy: true }),
    },
    {
      method: 'GET',
      path: '/readyz',
      access: 'guest',
      isProbe: true,
      operation: probe('showReadiness', 'Tell that the store can serve and write', { ready: { const: true } }),
      handler: async (_request, reply) => {
        await ping().catch((cause: unknown) => {
          const reason = cause instanceof AppError ? cause.message : 'The store cannot serve at the moment.'
          throw new AppError(HTTP_ERRORS.notReady, reason, { retryAfterSeconds: 5 }, cause)
        })
        return sendData(reply, { ready: true })
      },
    },
  ]
}

function probe(id: string, summary: string, data: Parameters<typeof object>[0]): Operation {
  return {
    id,
    tag: 'Server',
    summary,
    success: { status: 200, description: 'It is.', schema: object(data) },
    failures: [],
  }
}
