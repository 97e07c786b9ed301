import { ListRequests } from '../request/list-requests.ts'
import type { HttpSettings } from '../settings.ts'
import { ResponseCache } from './response-cache.ts'

/** Results of requests, kept for later ones. */
export interface RequestCaches {
  readonly responses: ResponseCache
  readonly lists: ListRequests
}

/** Makes the caches of a server. */
export function createRequestCaches(settings: HttpSettings): RequestCaches {
  return { responses: new ResponseCache(settings.responseCacheBytes), lists: new ListRequests(settings) }
}
