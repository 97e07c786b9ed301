import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import {
  assertHintedVersion,
  baseInfo,
  type DocumentMeta,
  dataDocument,
  landingPage,
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
import {
  assertFewEnough,
  filterWarnings,
  getStructure,
  listStructures,
  withSameAs,
  writeStructure,
  writeStructures,
} from '../../optimade/structures.ts'
import { clip } from '../../query/context.ts'
import type { Scope } from '../../query/plan.ts'
import type { RequestContext } from '../exchange/context.ts'
import { contentResponse, listTag, type Response } from '../exchange/response.ts'
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
  /** Version of the specification by which is answered. */
  readonly version: string
  /** Address of the server's root, as the client sees it. */
  readonly base: string
  /** The whole address without its parameters. */
  readonly url: string
}

function readOptimadeRequest(context: RequestContext): OptimadeRequest {
  assertAcceptable(context.headers.accept)
  const { path, query } = context
  const { representation, isVersioned, version } = optimadeAddress(context.url)
  const parameters = readParameters(query)
  if (!isVersioned) assertHintedVersion(parameters.get('api_hint'))
  const { base } = context
  return { parameters, representation, version, base, url: `${base}${path}` }
}

/** JSON:API has no parameters of its media type, and wants whoever insists on some to be told; `q` is none of the type's. */
function assertAcceptable(accept: string | undefined): void {
  const named = (accept ?? '').split(',').filter((range) => JSON_API.test(range))
  if (named.length === 0 || named.some((range) => !PARAMETER.test(range))) return
  const message = 'Accept names application/vnd.api+json only with parameters, and the type has none.'
  const hint = 'Send Accept: application/vnd.api+json.'
  throw new AppError(OPTIMADE_ERRORS.notAcceptable, `${message} ${hint}`, { path: 'Accept', hint })
}

/** The address of the page that begins at an offset, everything else being asked as before; after a page of none, one of the usual size. */
function pageUrl({ url, parameters }: OptimadeRequest, offset: number): string {
  const replaced = ['page_offset', 'page_number', ...(parameters.get('page_limit') === '0' ? ['page_limit'] : [])]
  const pairs = [...parameters].filter(([name]) => !replaced.includes(name))
  const query = [...pairs, ['page_offset', String(offset)]]
  return `${url}?${query.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`
}

/** What the answers of all addresses are made with. */
interface Parts {
  readonly services: HttpServices
  readonly settings: HttpSettings
  readonly caches: RequestCaches
}

/** The API that OPTIMADE clients know, over public materials and for anyone; the specification describes it. */
export function optimadeRoutes(
  services: HttpServices,
  settings: HttpSettings,
  caches: RequestCaches,
): readonly Route[] {
  const parts = { services, settings, caches }
  return [
    landingRoute(settings),
    versionsRoute(),
    documentRoute('/info', parts, ({ base, version }) => baseInfo(base, version)),
    documentRoute('/info/structures', parts, structuresInfo),
    documentRoute('/links', parts, ({ base }) => links(base, settings.identity)),
    listRoute(parts),
    entryRoute(parts),
  ]
}

/** Gives a route its addresses: below each version, and below none. */
function everywhere(endpoint: string): Pick<Route, 'path' | 'aliases' | 'access' | 'method'> {
  const [path = '', ...others] = VERSION_SEGMENTS.map((segment) => `${OPTIMADE_ROOT}/${segment}${endpoint}`)
  return { method: 'GET', path, aliases: [...others, `${OPTIMADE_ROOT}${endpoint}`], access: 'guest' }
}

/** The addresses that clients are given, which a person opens in a browser. */
function landingRoute({ identity }: HttpSettings): Route {
  const headers = { 'content-security-policy': "default-src 'none'" }
  return {
    ...everywhere(''),
    handler: ({ base }) => contentResponse('text/html; charset=utf-8', landingPage(base, identity), headers),
  }
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

function documentRoute(endpoint: string, parts: Parts, write: (asked: OptimadeRequest) => Json): Route {
  return {
    ...everywhere(endpoint),
    handler: (context) =>
      recalled(context, parts, (asked) => {
        const warnings = readCommonParameters(asked.parameters)
        const data = write(asked)
        const matching = Array.isArray(data) ? data.length : 1
        return { data: JSON.stringify(data), isWhole: true, answered: { matching, available: matching, warnings } }
      }),
  }
}

const PUBLIC: Scope = { kind: 'public' }

/** An answer before it has what all documents have. */
interface Made {
  /** JSON already. */
  readonly data: string | Buffer
  readonly answered: Omit<DocumentMeta, 'identity' | 'representation' | 'version' | 'time'>
  /** False where a budget ended the work: the next time may bring the rest. */
  readonly isWhole: boolean
  /** Fields beside the data. */
  readonly more?: JsonObject
}

/** Answers from what is kept, or makes the answer and keeps it until something public changes; its tag follows from what was asked, and of what state. */
async function recalled(
  context: RequestContext,
  { services, settings, caches }: Parts,
  make: (asked: OptimadeRequest) => Made | Promise<Made>,
): Promise<Response> {
  const { records, edition } = services
  const asked = readOptimadeRequest(context)
  // Links have the host.
  const question = `${asked.base}${context.url}`
  const counter = await records.store.readChangeCounter(PUBLIC, context.arrivedAt)
  const kept = caches.responses.get(PUBLIC, question, counter)
  if (kept !== null) return kept
  const { data, answered, isWhole, more } = await make(asked)
  const { representation, version } = asked
  const { identity } = settings
  const meta = { ...answered, identity, representation, version, time: isoInstant(records.clock()) }
  const etag = listTag({ edition, scope: PUBLIC, target: question, counter, strict: false })
  const response = documentResponse(dataDocument(data, meta, more), 200, isWhole ? { etag } : {})
  return isWhole ? caches.responses.put(PUBLIC, question, counter, response) : response
}

function listRoute(parts: Parts): Route {
  const { records } = parts.services
  return {
    ...everywhere('/structures'),
    handler: (context) =>
      recalled(context, parts, async (asked) => {
        const query = readListingQuery(asked.parameters, parts.settings.bounds)
        assertFewEnough(query)
        const terms = { user: context.user, request: context.id }
        const { structures: found, matching, available, hasMore } = await listStructures(records.store, query, terms)
        const { structures, warnings } = await withSameAs(records, terms, query, found)
        const next = hasMore ? pageUrl(asked, query.offset + query.limit) : null
        const ofFilter = await filterWarnings(records.store, query, matching === 0, context.arrivedAt)
        const told = [...query.warnings, ...ofFilter, ...warnings]
        return {
          data: writeStructures(structures, query),
          answered: { matching, available, hasMore, warnings: told },
          // What took too long to count or to compare may come to its end the next time.
          isWhole: matching !== null && available !== null && warnings.length === 0,
          more: { links: { next }, included: [] },
        }
      }),
  }
}

function entryRoute(parts: Parts): Route {
  const { records } = parts.services
  return {
    ...everywhere('/structures/:id'),
    handler: (context) =>
      recalled(context, parts, async (asked) => {
        const query = readEntryQuery(asked.parameters)
        const id = pathId(context)
        const found = await getStructure(records.store, id)
        const terms = { user: context.user, request: context.id }
        const { warnings } = await withSameAs(records, terms, query, found === null ? [] : [found])
        const missing = found === null ? [`There is no public structure ${JSON.stringify(clip(id, 64))}.`] : []
        const told = [...missing, ...query.warnings, ...warnings]
        return {
          data: found === null ? 'null' : writeStructure(found, query),
          answered: { matching: found === null ? 0 : 1, warnings: told },
          isWhole: warnings.length === 0,
          more: { included: [] },
        }
      }),
  }
}
