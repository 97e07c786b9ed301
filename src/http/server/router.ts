import createRouter, { type HTTPMethod } from 'find-my-way'
import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { Endpoint } from '../exchange/endpoint.ts'
import type { Route } from '../exchange/route.ts'
import type { RequestMetrics } from '../metrics.ts'
import { readTypesOf } from '../request/arriving-body.ts'
import { createRouteTable } from './route-table.ts'

/** One method at one address, as the router has it. */
interface Found extends Endpoint {
  readonly route: Route
  /** Whether its path has parameters. */
  readonly isParametric: boolean
}

/** Finds the endpoint of requests. */
export interface Router {
  /** Gives a request its endpoint and the parameters of its path; refuses what has none (400, 404, 405). */
  route(context: RequestContext): Route
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
    const counter = metrics?.counterOf(route.method, route.path) ?? null
    const readTypes = readTypesOf(route)
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const endpoint: Found = { route, path, counter, readTypes, isParametric: path.includes(':') }
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
      const endpoint = found.store as Found | null
      // An unreadable address has a handler that says so.
      if (endpoint === null) return found.handler(context.raw, context.response, {}, null, {})
      // `materials/search` is no material, whatever the method.
      if (endpoint.isParametric && table.isFixed(context.url)) throw refusalOf(context)
      context.endpoint = endpoint
      context.parameters = found.params as Readonly<Record<string, string>>
      return endpoint.route
    },
  }
}
