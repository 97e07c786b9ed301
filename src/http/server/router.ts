import type { HTTPMethod } from 'find-my-way'
import createRouter from 'find-my-way'
import { AppError } from '../../kernel/errors.ts'
import { nearestName } from '../../kernel/names.ts'
import { API_PREFIX, API_VERSION, foreignVersion } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { Endpoint, RequestContext } from '../exchange/context.ts'
import type { Route } from '../exchange/route.ts'
import type { RequestMetrics } from '../metrics-page.ts'
import { readTypesOf } from '../request/arriving-body.ts'

/** Distances of two parts of an address: the same, some of its words in any order, or a slip of the keyboard. */
const SAME = 0
const WORDS = 1
const SLIP = 2

/** An address that there is, as its parts; those that stand for any text begin with a colon. */
type AddressPattern = readonly string[]

/** Finds the address probably meant, part by part: `bank` and `materials-bank` mean `bank-materials`; a missing API prefix is added. */
function nearestAddress(path: string, patterns: readonly AddressPattern[]): string | null {
  const prefix = API_PREFIX.split('/').slice(1)
  const given = path.split('/').filter((part) => part !== '')
  const bare = prefix.every((part, index) => given[index] === part) ? given.slice(prefix.length) : given
  const readings = [given, [...prefix, ...bare], [...prefix, bare.join('-')]]
  let nearest: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const reading of readings) {
    for (const pattern of patterns) {
      const distance = distanceOf(reading, pattern)
      if (distance >= least) continue
      least = distance
      nearest = `/${pattern.map((part, index) => (part.startsWith(':') ? reading[index] : part)).join('/')}`
    }
  }
  return nearest
}

function distanceOf(given: readonly string[], pattern: AddressPattern): number {
  if (given.length !== pattern.length) return Number.POSITIVE_INFINITY
  return given.reduce((sum, part, index) => sum + partDistance(part, pattern[index] ?? ''), 0)
}

function partDistance(given: string, known: string): number {
  if (known.startsWith(':') || given === known) return SAME
  const words = known.split('-')
  if (given.split(/[-_]/).every((word) => words.includes(word))) return WORDS
  return nearestName(given, [known]) === null ? Number.POSITIVE_INFINITY : SLIP
}

/** Knows which addresses there are, for the requests that the router turns away. */
interface RouteTable {
  /** The methods that an address has; empty when there is no such address. */
  methodsAt(path: string): readonly string[]
  /** True when a path is the address of something by itself, whatever of the kind `/materials/:id` it fits too. */
  isFixed(path: string): boolean
  /** Explains why there is no route: no such version, no such address, or not for this method. */
  refusalOf(method: string, path: string): AppError
}

/** Builds the table; look-ups walk all routes, which only requests without a route have to wait for. */
function createRouteTable(routes: readonly Route[]): RouteTable {
  const patterns = routes.flatMap((route) =>
    [route.path, ...(route.aliases ?? [])].map((path) => ({
      method: route.method as string,
      segments: segmentsOf(path),
    })),
  )
  const addresses = [...new Set(routes.map(({ path }) => path))].map(segmentsOf)

  const fixed = new Set(
    patterns.filter(({ segments }) => !segments.some(isParameter)).map(({ segments }) => segments.join('/')),
  )
  const isFixed = (path: string): boolean => fixed.has(path.slice(1, path.endsWith('/') ? -1 : undefined))

  function methodsAt(path: string): readonly string[] {
    const segments = segmentsOf(path)
    const fitting = patterns.filter((pattern) => fits(pattern.segments, segments))
    const own = fitting.filter((pattern) => !pattern.segments.some(isParameter))
    const methods = (own.length > 0 ? own : fitting).map(({ method }) => method)
    if (methods.length === 0) return []
    return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort()
  }

  return {
    methodsAt,
    isFixed,
    refusalOf(method, path) {
      const methods = methodsAt(path)
      if (methods.length > 0) return wrongMethod(method, path, methods)
      const version = foreignVersion(path)
      return version === null ? unknownRoute(path, nearestAddress(path, addresses)) : unknownVersion(version)
    },
  }
}

function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/').slice(1)
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':')
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  )
}

function wrongMethod(method: string, path: string, methods: readonly string[]): AppError {
  const allowed = methods.join(', ')
  return new AppError(HTTP_ERRORS.wrongMethod, `${method} does not exist at ${shown(path)}; there are ${allowed}.`, {
    path: shown(path),
    allowed: methods,
  })
}

function unknownRoute(path: string, close: string | null): AppError {
  const hint =
    close === null
      ? `Records are at ${API_PREFIX}/materials; ${API_PREFIX}/openapi.json lists all addresses.`
      : `Did you mean ${close}?`
  return new AppError(HTTP_ERRORS.unknownRoute, `There is nothing at ${shown(path)}. ${hint}`, {
    path: shown(path),
    hint,
  })
}

function unknownVersion(version: string): AppError {
  return new AppError(HTTP_ERRORS.unknownVersion, `There is no API version ${version}; there is ${API_VERSION}.`, {
    hint: `Use ${API_PREFIX}.`,
    supported: [API_VERSION],
  })
}

function shown(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}

/** One method at one address, as the router has it. */
interface RoutedEndpoint extends Endpoint {
  readonly route: Route
  readonly isParametric: boolean
}

export interface Router {
  /** Gives a request its endpoint and the parameters of its path; refuses what has none (400, 404, 405). */
  route(context: RequestContext): Route
  /** The methods of an address; empty when there is no such address. */
  methodsAt(path: string): readonly string[]
  /** The refusal of a request without an endpoint. */
  refusalOf(context: RequestContext): AppError
}

const LONGEST_PARAMETER = 512

export function createServerRouter(routes: readonly Route[], metrics: RequestMetrics | null): Router {
  const table = createRouteTable(routes)
  const router = createRouter({
    ignoreTrailingSlash: true,
    maxParamLength: LONGEST_PARAMETER,
    // Parameters of the query are read by our own reader, which refuses what this one would guess.
    querystringParser: () => null,
    onBadUrl: () => {
      throw new AppError(HTTP_ERRORS.malformedUrl, 'The path is not percent-encoded UTF-8. A lone % is %25.')
    },
    onMaxParamLength: () => {
      throw new AppError(HTTP_ERRORS.unknownRoute, 'A part of the path is too long to be an identifier.')
    },
  })
  for (const route of routes) {
    const counter = metrics?.counterOf(route.method, route.path) ?? null
    const readTypes = readTypesOf(route)
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const endpoint: RoutedEndpoint = { route, path, counter, readTypes, isParametric: path.includes(':') }
      const methods: HTTPMethod[] =
        route.method === 'GET' && route.answersHead !== false ? ['GET', 'HEAD'] : [route.method]
      router.on(methods, path, () => {}, endpoint)
    }
  }
  const refusalOf = ({ method, path }: RequestContext) => table.refusalOf(method, path)
  return {
    methodsAt: table.methodsAt,
    refusalOf,
    route(context) {
      const found = router.find(context.method as HTTPMethod, context.url)
      if (found === null) throw refusalOf(context)
      const endpoint = found.store as RoutedEndpoint | null
      // An unreadable address has a handler that says so.
      if (endpoint === null) return found.handler(context.raw, context.response, {}, null, {})
      // `materials/search` is no material, whatever the method.
      if (endpoint.isParametric && table.isFixed(context.path)) throw refusalOf(context)
      context.endpoint = endpoint
      context.parameters = found.params as Readonly<Record<string, string>>
      return endpoint.route
    },
  }
}
