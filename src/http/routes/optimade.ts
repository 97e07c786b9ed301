import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import {
  assertHintedVersion,
  baseInfo,
  dataDocument,
  links,
  OPTIMADE_ROOT,
  optimadeAddress,
  structuresInfo,
  VERSION_SEGMENTS,
} from '../../optimade/document.ts'
import {
  readCommonParameters,
  readEntryQuery,
  readListingQuery,
  type UrlParameters,
} from '../../optimade/entry-query.ts'
import { OPTIMADE_ERRORS } from '../../optimade/errors.ts'
import { assertFewEnough, getStructure, listStructures, withSameAs } from '../../optimade/structures.ts'
import type { Scope } from '../../query/plan.ts'
import type { RequestContext } from '../exchange/context.ts'
import { contentResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { pathId, readParameters } from '../request/parameters.ts'
import { documentResponse } from '../response/fault.ts'
import type { RequestCaches } from '../response/response-cache.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'

const JSON_API = /^\s*application\/vnd\.api\+json\s*(?:;|$)/i
const PARAMETER = /;\s*(?!q\s*=)[^;\s]/i

export interface OptimadeRequest {
  readonly parameters: UrlParameters
  /** Path and query below the base address, for the document that answers. */
  readonly representation: string
  /** Address of the server's root, as the client sees it. */
  readonly base: string
  /** The whole address without its parameters. */
  readonly url: string
}

function readOptimadeRequest(context: RequestContext): OptimadeRequest {
  assertAcceptable(context.headers.accept)
  const { path, query } = context
  const { representation, isVersioned } = optimadeAddress(context.url)
  const parameters = readParameters(query)
  if (!isVersioned) assertHintedVersion(parameters.get('api_hint'))
  const { base } = context
  return { parameters, representation, base, url: `${base}${path}` }
}

/** JSON:API has no parameters of its media type, and wants whoever insists on some to be told; `q` is none of the type's. */
function assertAcceptable(accept: string | undefined): void {
  const named = (accept ?? '').split(',').filter((range) => JSON_API.test(range))
  if (named.length === 0 || named.some((range) => !PARAMETER.test(range))) return
  const message = 'Accept names application/vnd.api+json only with parameters, and the type has none.'
  const hint = 'Send Accept: application/vnd.api+json.'
  throw new AppError(OPTIMADE_ERRORS.notAcceptable, `${message} ${hint}`, { path: 'Accept', hint })
}

/** The address of the page that begins at an offset, everything else being asked as before. */
function pageUrl({ url, parameters }: OptimadeRequest, offset: number): string {
  const pairs = [...parameters].filter(([name]) => name !== 'page_offset' && name !== 'page_number')
  const query = [...pairs, ['page_offset', String(offset)]]
  return `${url}?${query.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`
}

/** The API that OPTIMADE clients know, over public materials and for anyone; the specification describes it. */
export function optimadeRoutes(
  services: HttpServices,
  settings: HttpSettings,
  caches: RequestCaches,
): readonly Route[] {
  return [
    versionsRoute(),
    documentRoute('/info', services, ({ base }) => baseInfo(base)),
    documentRoute('/info/structures', services, structuresInfo),
    documentRoute('/links', services, ({ base }) => links(base)),
    listRoute(services, settings, caches),
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
    handler: () => contentResponse('text/csv; header=present', 'version\n1\n'),
  }
}

function documentRoute(endpoint: string, services: HttpServices, write: (asked: OptimadeRequest) => Json): Route {
  return {
    ...everywhere(endpoint),
    handler: (context) => {
      const asked = readOptimadeRequest(context)
      const warnings = readCommonParameters(asked.parameters)
      const data = write(asked)
      const matching = Array.isArray(data) ? data.length : 1
      return documentResponse(dataDocument(data, { ...answeredOf(services, asked), matching, warnings }))
    },
  }
}

const PUBLIC: Scope = { kind: 'public' }

function listRoute(services: HttpServices, { bounds }: HttpSettings, { responses }: RequestCaches): Route {
  const { store } = services.records
  return {
    ...everywhere('/structures'),
    handler: async (context) => {
      const asked = readOptimadeRequest(context)
      // Links have the host.
      const question = `${asked.base}${context.url}`
      const counter = await store.readChangeCounter(PUBLIC, context.arrivedAt)
      const cached = responses.get(PUBLIC, question, counter)
      if (cached !== null) return cached
      const query = readListingQuery(asked.parameters, bounds)
      assertFewEnough(query)
      const terms = { user: context.user, request: context.id }
      const { entries: found, matching, hasMore } = await listStructures(store, query, terms)
      const { entries, warnings } = await withSameAs(services.records, terms, query, found)
      const next = hasMore ? pageUrl(asked, query.offset + query.limit) : null
      const told = [...query.warnings, ...warnings]
      const answered = { ...answeredOf(services, asked), matching, hasMore, warnings: told }
      const response = documentResponse(dataDocument(entries, answered, { links: { next }, included: [] }))
      // What took too long to count or to compare may come to its end the next time.
      const isWhole = matching !== null && warnings.length === 0
      return isWhole ? responses.put(PUBLIC, question, counter, response) : response
    },
  }
}

function entryRoute(services: HttpServices): Route {
  return {
    ...everywhere('/structures/:id'),
    handler: async (context) => {
      const asked = readOptimadeRequest(context)
      const query = readEntryQuery(asked.parameters)
      const found = await getStructure(services.records.store, pathId(context), query)
      const terms = { user: context.user, request: context.id }
      const { entries, warnings } = await withSameAs(services.records, terms, query, [found])
      const [entry = found] = entries
      const told = [...query.warnings, ...warnings]
      const answered = { ...answeredOf(services, asked), matching: 1, warnings: told }
      return documentResponse(dataDocument(entry, answered, { included: [] }))
    },
  }
}

function answeredOf({ records }: HttpServices, { representation }: OptimadeRequest) {
  return { representation, time: isoInstant(records.clock()) }
}
