import { assertMayWrite } from '../../../accounts/session.ts'
import { AppError } from '../../../kernel/errors.ts'
import { getRecord } from '../../../records/get-record.ts'
import { jobKind } from '../../../records/kinds/job/job-kind.ts'
import { HTTP_ERRORS } from '../../errors.ts'
import { object } from '../../openapi/schemas.ts'
import { readNoBody } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { pathId } from '../../request/path-id.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import { namesOf } from '../records/collection.ts'

/** Refuses to run a job in so many words: a client that waits for it to finish would wait for ever. */
export function submitJobRoute({ records }: HttpServices): Route {
  const { itemPath, tag } = namesOf(jobKind)
  return {
    method: 'POST',
    path: `${itemPath}/submit`,
    access: 'session',
    operation: {
      id: 'submitJob',
      tag,
      summary: 'Tell that nothing is computed here',
      description: 'Always 501. Run the job elsewhere and write what comes of it: PATCH its status, create properties.',
      success: { status: 200, description: 'Never given.', schema: object({}) },
      failures: [403, 404, 501],
    },
    handler: async (request) => {
      assertNoParameters(request)
      readNoBody(request)
      const session = sessionOf(request)
      assertMayWrite(session)
      const { id } = await getRecord(records, jobKind, session, pathId(request))
      throw new AppError(
        HTTP_ERRORS.notComputing,
        `The job ${id} is stored and was not started: this server keeps jobs, it does not run them.`,
        { hint: `Run it elsewhere, PATCH /jobs/${id} with {"status":"finished"}, and create its properties.` },
      )
    },
  }
}
