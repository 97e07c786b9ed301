import type { FastifyReply } from 'fastify'
import { isoInstant } from '../../../kernel/clock.ts'
import type { Json } from '../../../kernel/json.ts'
import { dataDocument, OPTIMADE_ROOT, VERSION_SEGMENTS } from '../../../optimade/document.ts'
import { readCommonParameters, readEntryQuery, readListingQuery } from '../../../optimade/entry-query.ts'
import { baseInfo, links, structuresInfo } from '../../../optimade/info.ts'
import { getStructure, listStructures } from '../../../optimade/structures.ts'
import { pathId } from '../../request/path-id.ts'
import { userOf } from '../../request/user-of.ts'
import { sendDocument } from '../../response/optimade.ts'
import { withStandardHeaders } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { type OptimadeRequest, pageUrl, readOptimadeRequest } from './optimade-request.ts'

/** The API that OPTIMADE clients know, over public materials and for anyone; the specification describes it. */
export function optimadeRoutes(services: HttpServices, settings: HttpSettings): readonly Route[] {
  return [
    versionsRoute(),
    documentRoute('/info', services, ({ base }) => baseInfo(base)),
    documentRoute('/info/structures', services, structuresInfo),
    documentRoute('/links', services, ({ base }) => links(base)),
    listRoute(services, settings),
    entryRoute(services),
  ]
}

/** Gives a route its addresses: below each version, and below none. */
function everywhere(endpoint: string): Pick<Route, 'path' | 'aliases' | 'access' | 'method'> {
  const [path = '', ...others] = VERSION_SEGMENTS.map((segment) => `${OPTIMADE_ROOT}/${segment}${endpoint}`)
  return { method: 'GET', path, aliases: [...others, `${OPTIMADE_ROOT}${endpoint}`], access: 'guest' }
}

/** The one answer that is no JSON, and the one address that stands below no version. */
function versionsRoute(): Route {
  return {
    method: 'GET',
    path: `${OPTIMADE_ROOT}/versions`,
    access: 'guest',
    handler: (_request, reply: FastifyReply) =>
      withStandardHeaders(reply, {}).code(200).type('text/csv; header=present').send('version\n1\n'),
  }
}

function documentRoute(endpoint: string, services: HttpServices, write: (asked: OptimadeRequest) => Json): Route {
  return {
    ...everywhere(endpoint),
    handler: (request, reply) => {
      const asked = readOptimadeRequest(request)
      const warnings = readCommonParameters(asked.parameters)
      const data = write(asked)
      const matching = Array.isArray(data) ? data.length : 1
      return sendDocument(reply, dataDocument(data, { ...answeredOf(services, asked), matching, warnings }))
    },
  }
}

function listRoute(services: HttpServices, { bounds }: HttpSettings): Route {
  return {
    ...everywhere('/structures'),
    handler: async (request, reply) => {
      const asked = readOptimadeRequest(request)
      const query = readListingQuery(asked.parameters, bounds)
      const { entries, matching, hasMore } = await listStructures(services.records.store, query, {
        user: userOf(request),
        request: request.id,
      })
      const next = hasMore ? pageUrl(asked, query.offset + query.limit) : null
      const answered = { ...answeredOf(services, asked), matching, hasMore, warnings: query.warnings }
      return sendDocument(reply, dataDocument(entries, answered, { links: { next }, included: [] }))
    },
  }
}

function entryRoute(services: HttpServices): Route {
  return {
    ...everywhere('/structures/:id'),
    handler: async (request, reply) => {
      const asked = readOptimadeRequest(request)
      const query = readEntryQuery(asked.parameters)
      const entry = await getStructure(services.records.store, pathId(request), query)
      const answered = { ...answeredOf(services, asked), matching: 1, warnings: query.warnings }
      return sendDocument(reply, dataDocument(entry, answered, { included: [] }))
    },
  }
}

function answeredOf({ records }: HttpServices, { representation }: OptimadeRequest) {
  return { representation, time: isoInstant(records.clock()) }
}
