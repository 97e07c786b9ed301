import type { FastifyRequest } from 'fastify'
import { optimadeAddress } from '../../../optimade/documents/address.ts'
import { assertHintedVersion } from '../../../optimade/documents/api-hint.ts'
import type { UrlParameters } from '../../../optimade/structures/entry-query.ts'
import { splitTarget } from '../../address.ts'
import { readParameters } from '../../request/parameters.ts'

/** A request to the OPTIMADE API, taken apart. */
export interface OptimadeRequest {
  readonly parameters: UrlParameters
  /** What follows the base address, for the document that answers. */
  readonly representation: string
  /** Scheme and host by which the client reached the server. */
  readonly origin: string
  /** The address without its parameters, from the origin on. */
  readonly url: string
}

export function readOptimadeRequest(request: FastifyRequest): OptimadeRequest {
  const { path, query } = splitTarget(request.url)
  const { representation, isVersioned } = optimadeAddress(request.url)
  const parameters = readParameters(query)
  if (!isVersioned) assertHintedVersion(parameters.get('api_hint'))
  const origin = `${request.protocol}://${request.host}`
  return { parameters, representation, origin, url: `${origin}${path}` }
}

/** The address of the page that begins at an offset, everything else being asked as before. */
export function pageUrl({ url, parameters }: OptimadeRequest, offset: number): string {
  const pairs = [...parameters].filter(([name]) => name !== 'page_offset' && name !== 'page_number')
  const query = [...pairs, ['page_offset', String(offset)]]
  return `${url}?${query.map(([name = '', value = '']) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`
}
