import createRouter, { type HTTPMethod } from 'find-my-way'
import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestCounter, RequestMetrics } from '../metrics.ts'
import type { RequestContext } from '../request/context.ts'
import type { Route } from '../route.ts'
import { createRouteTable } from './route-table.ts'

/** One method at one address, as the router has it. */
export interface Endpoint {
  readonly route: Route
  /** The path under which the router has it: that of the route, or an alias. */
  readonly path: string
  /** Counts its answers; null when nobody will read them. */
  readonly counter: RequestCounter | null
  /** Whether its path has parameters. */
  readonly isParametric: boolean
}

/** Finds the endpoint of requests. */
export interface Router {
  /** Gives a request its endpoint and the parameters of its path; refuses what has none (400, 404, 405). */
  route(context: RequestContext): Endpoint
  /** The methods of an address; empty when there is no such address. */
  methodsAt(target: string): readonly string[]
  /** The refusal of a request without an endpoint. */
  refusalOf(context: RequestContext): AppError
}

const LONGEST_PARAMETER = 512

/** Puts all routes into a router. */
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
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const counter = metrics?.counterOf(route.method, path) ?? null
      const endpoint: Endpoint = { route, path, counter, isParametric: path.includes(':') }
      const methods: HTTPMethod[] =
        route.method === 'GET' && route.answersHead !== false ? ['GET', 'HEAD'] : [route.method]
      router.on(methods, path, () => {}, endpoint)
    }
  }
  const refusalOf = ({ method, url }: RequestContext) => table.refusalOf(method, url)
  return {
    methodsAt: table.methodsAt,
    refusalOf,
    route(context) {
      const found = router.find(context.method as HTTPMethod, context.url)
      if (found === null) throw refusalOf(context)
      const endpoint = found.store as Endpoint | null
      // An unreadable address has a handler that says so.
      if (endpoint === null) return found.handler(context.raw, context.response, {}, null, {})
      // `materials/search` is no material, whatever the method.
      if (endpoint.isParametric && table.isFixed(context.url)) throw refusalOf(context)
      context.endpoint = endpoint
      context.parameters = found.params as Readonly<Record<string, string>>
      return endpoint
    },
  }
}
