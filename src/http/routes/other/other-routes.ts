import type { JsonObject } from '../../../kernel/json.ts'
import { createPublicCounts } from '../../../records/count-public-records.ts'
import { API_PREFIX } from '../../address.ts'
import { listOf, object, TEXT } from '../../openapi/schemas.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { sendData } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { namesOf } from '../records/collection.ts'

/** What existing clients ask beside records: where jobs can run, and how much there is. */
export function otherRoutes(services: HttpServices): readonly Route[] {
  return [clustersRoute(), entityCountsRoute(services)]
}

function clustersRoute(): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/other/clusters`,
    // Where the newest client asks.
    aliases: [`${API_PREFIX}/infrastructure/clusters`],
    access: 'session',
    operation: {
      id: 'listClusters',
      tag: 'Server',
      summary: 'List the clusters that jobs can run on: none, since nothing is computed here',
      success: { status: 200, description: 'An empty array.', schema: listOf({ type: 'object' }), example: [] },
      failures: [],
    },
    handler: (request, reply) => {
      assertNoParameters(request)
      sessionOf(request)
      return sendData(reply, [])
    },
  }
}

function entityCountsRoute({ records, kinds }: HttpServices): Route {
  const publicCounts = createPublicCounts(records, kinds)
  return {
    method: 'GET',
    path: `${API_PREFIX}/other/entity-counts`,
    access: 'guest',
    operation: {
      id: 'countEntities',
      tag: 'Server',
      summary: 'Count the public records of each kind',
      success: {
        status: 200,
        description: 'How many there are for everybody to see; private ones do not count.',
        schema: listOf(object({ name: TEXT, count: { type: 'integer' } })),
      },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const counts = await publicCounts()
      return sendData(
        reply,
        counts.map(({ kind, count }): JsonObject => ({ name: namesOf(kind).Many, count })),
      )
    },
  }
}
