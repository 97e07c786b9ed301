import { assertMayWrite } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { jobKind } from '../../records/kinds/plain-kinds.ts'
import { createPublicCounts, getRecord } from '../../records/use-cases/read-records.ts'
import { API_PREFIX } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { sessionOf } from '../exchange/context.ts'
import { dataResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { readNoBody } from '../request/body.ts'
import { assertNoParameters, pathId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { namesOf } from './collection.ts'

/** Refuses to run a job in so many words: a client that waits for it to finish would wait for ever. */
export function submitJobRoute({ records }: HttpServices): Route {
  const { itemPath, tag } = namesOf(jobKind)
  return {
    method: 'POST',
    path: `${itemPath}/submit`,
    access: 'session',
    repeats: 'needless',
    operation: {
      id: 'submitJob',
      tag,
      summary: 'Tell that nothing is computed here',
      description: 'Always 501. Run the job elsewhere and write what comes of it: PATCH its status, create properties.',
      success: { description: 'Never given.', schema: object({}) },
      failures: [403, 404, 501],
    },
    handler: async (context) => {
      assertNoParameters(context)
      readNoBody(context)
      const session = sessionOf(context)
      assertMayWrite(session)
      const { id } = await getRecord({ deps: records, kind: jobKind, session }, pathId(context))
      throw new AppError(
        HTTP_ERRORS.notComputing,
        `The job ${id} is stored and was not started: this server keeps jobs, it does not run them.`,
        { hint: `Run it elsewhere, PATCH /jobs/${id} with {"status":"finished"}, and create its properties.` },
      )
    },
  }
}

/** Routes that existing clients use beside records: clusters for jobs, and counts. */
export function otherRoutes(services: HttpServices): readonly Route[] {
  return [clustersRoute(), entityCountsRoute(services)]
}

function clustersRoute(): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/other/clusters`,
    // Address used by the newest client.
    aliases: [`${API_PREFIX}/infrastructure/clusters`],
    access: 'session',
    operation: {
      id: 'listClusters',
      tag: 'Server',
      summary: 'List the clusters that jobs can run on: none, since nothing is computed here',
      success: { description: 'An empty array.', schema: listOf({ type: 'object' }), example: [] },
    },
    handler: (context) => {
      assertNoParameters(context)
      sessionOf(context)
      return dataResponse([])
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
        description: 'How many there are for everybody to see; private ones do not count.',
        schema: listOf(object({ name: TEXT, count: { type: 'integer' } })),
      },
    },
    handler: async (context) => {
      assertNoParameters(context)
      const counts = await publicCounts()
      return dataResponse(counts.map(({ kind, count }): JsonObject => ({ name: namesOf(kind).Many, count })))
    },
  }
}
