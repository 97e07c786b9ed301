import { API_PREFIX } from '../../address.ts'
import { object, TEXT } from '../../openapi/schemas.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { sendDataText } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { CONTENT, FORMAT, FRAME, readStructureBody, STRUCTURE_BODY_LIMIT } from './structure-body.ts'

export function analyzeStructureRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/structures/analyze`,
    access: 'session',
    bodyLimit: STRUCTURE_BODY_LIMIT,
    operation: {
      id: 'analyzeStructure',
      tag: 'Structures',
      summary: 'Say of a structure file what a material made from it would say',
      description: 'Formula, volume, density, symmetry, and what is odd about it. Nothing is stored.',
      body: {
        schema: object({ content: CONTENT, format: FORMAT, frame: FRAME, name: TEXT }, ['format', 'frame', 'name']),
        example: { content: '2\nLattice="4 0 0 0 4 0 0 0 4"\nCs 0 0 0\nCl 2 2 2\n', format: 'xyz' },
      },
      success: {
        status: 200,
        description: 'The fields that the server computes for materials.',
        schema: { type: 'object' },
      },
      failures: [422],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const { file } = await readStructureBody(records.work, request, [])
      return sendDataText(reply, await records.work.analyze(sessionOf(request).user.id, file))
    },
  }
}
