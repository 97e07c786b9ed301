import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../kernel/errors.ts'
import { assertHintedVersion, optimadeAddress } from '../../../optimade/document.ts'
import type { UrlParameters } from '../../../optimade/entry-query.ts'
import { OPTIMADE_ERRORS } from '../../../optimade/errors.ts'
import { splitTarget } from '../../address.ts'
import { readParameters } from '../../request/parameters.ts'

const JSON_API = /^\s*application\/vnd\.api\+json\s*(?:;|$)/i
const PARAMETER = /;\s*(?!q\s*=)[^;\s]/i

/** A request to the OPTIMADE API, taken apart. */
export interface OptimadeRequest {
  readonly parameters: UrlParameters
  /** What follows the base address, for the document that answers. */
  readonly representation: string
  /** Where the client reaches the root of the server. */
  readonly base: string
  /** The whole address without its parameters. */
  readonly url: string
}

export function readOptimadeRequest(request: FastifyRequest): OptimadeRequest {
  assertAcceptable(request.headers.accept)
  const { path, query } = splitTarget(request.url)
  const { representation, isVersioned } = optimadeAddress(request.url)
  const parameters = readParameters(query)
  if (!isVersioned) assertHintedVersion(parameters.get('api_hint'))
  const { base } = request
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
export function pageUrl({ url, parameters }: OptimadeRequest, offset: number): string {
  const pairs = [...parameters].filter(([name]) => name !== 'page_offset' && name !== 'page_number')
  const query = [...pairs, ['page_offset', String(offset)]]
  return `${url}?${query.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`
}
