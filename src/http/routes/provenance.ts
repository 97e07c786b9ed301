import type { RecordKind } from '../../records/record-kind.ts'
import { provJson } from '../../records/use-cases/prov-json.ts'
import { getProvenance } from '../../records/use-cases/provenance.ts'
import { API_PREFIX } from '../address.ts'
import { collectionOf } from '../exchange/context.ts'
import { dataResponse, jsonResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { invalidParameter, knownParameters, pathId } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { namesOf } from './collection.ts'

const NODE = object({ collection: TEXT, _id: TEXT, name: TEXT, createdAt: TEXT, creator: TEXT })
const LINK = object({ from: TEXT, to: TEXT, how: TEXT, jobId: TEXT })

/** What a record was made from, and what was made of it. */
export function provenanceRoute({ records }: HttpServices, kind: RecordKind): Route {
  const { itemPath, tag, one, One } = namesOf(kind)
  return {
    method: 'GET',
    path: `${itemPath}/provenance`,
    access: 'session',
    operation: {
      id: `get${One}Provenance`,
      tag,
      summary: `Tell what a ${one} was made from, and what was made of it`,
      query: [
        { name: 'format', description: 'prov: PROV-JSON, without an envelope.', schema: { ...TEXT, enum: ['prov'] } },
      ],
      success: {
        description: 'Records, and what each has to do with those before it.',
        schema: object({ record: TEXT, nodes: listOf(NODE), links: listOf(LINK), isCut: { type: 'boolean' } }),
      },
      failures: [403, 404],
    },
    handler: async (context) => {
      const format = knownParameters(context, ['format']).get('format')
      if (format !== undefined && format !== 'prov') throw invalidParameter('format', format, 'prov')
      const provenance = await getProvenance(collectionOf(context, records, kind), pathId(context))
      if (format === undefined) return dataResponse(provenance)
      return jsonResponse(200, JSON.stringify(provJson(provenance, `${context.base}${API_PREFIX}`)))
    },
  }
}
