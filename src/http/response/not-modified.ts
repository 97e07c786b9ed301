import type { RequestContext } from '../exchange/context.ts'
import { emptyResponse, type Headers, type Response } from '../exchange/response.ts'
import { namesTag } from './entity-tag.ts'

/** Headers of an answer that are of its body, or are told with it. */
const OF_THE_BODY = /^(?:content-(?!security)|x-)/

/** Answers a GET with 304 where the client has what it would get (RFC 9110, 15.4.5). */
export function unlessKnown({ method, headers }: RequestContext, response: Response): Response {
  const { etag } = response.headers
  const known = headers['if-none-match']
  if (known === undefined || etag === undefined || response.status !== 200) return response
  if ((method !== 'GET' && method !== 'HEAD') || !namesTag(known, etag)) return response
  return emptyResponse(304, withoutBody(response.headers))
}

function withoutBody(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_BODY.test(name)))
}
