import { unauthorized } from '../../accounts/sessions.ts'
import { BULK_CHANGES } from '../../records/use-cases/bulk-tasks.ts'
import { bankKinds } from '../../records/work/bank.ts'
import { API_PREFIX } from '../address.ts'
import { holdPlace } from '../bounds/held.ts'
import { sessionOf } from '../exchange/context.ts'
import { contentResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { TEXT } from '../openapi/schemas.ts'
import { findCredentials, type PageSession, type SessionCache } from '../request/authenticate.ts'
import { assertNoParameters } from '../request/parameters.ts'
import { ChangeFeed, eventStream } from '../response/change-feed.ts'
import type { HttpServices } from '../services.ts'

const EVENTS_TYPE = 'text/event-stream'

/** Parts that tell whether a session still holds. */
export interface EventParts {
  readonly sessions: SessionCache
  readonly page: PageSession
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
}

/** Tells whoever keeps the connection in which collections something changes, and nothing more: what it is, they ask. */
export function eventsRoute({ records, kinds }: HttpServices, { sessions, page, closing }: EventParts): Route {
  const feed = new ChangeFeed(records.store)
  closing.addEventListener('abort', () => feed.close())
  const told = new Set([BULK_CHANGES, ...[...kinds, ...bankKinds(kinds)].map(({ collection }) => collection)])
  return {
    method: 'GET',
    path: `${API_PREFIX}/events`,
    access: 'session',
    answersHead: false,
    operation: {
      id: 'listenToEvents',
      tag: 'Server',
      summary: 'Hear in which collections something changes',
      description:
        'Server-sent events, for as long as the session holds: ready at first, then changed with {"collections":["materials"]}, at most one a second. ' +
        'A collection is named when something of it has changed that your account sees; what it is, a list tells.',
      success: { description: 'Events.', schema: TEXT, types: [EVENTS_TYPE] },
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { scope } = sessionOf(context)
      const credentials = findCredentials(context.raw, page)
      if (credentials === null) throw unauthorized()
      holdPlace('streams', context)
      const signal = AbortSignal.any([closing, context.signal])
      const parts = eventStream({
        listen: (hear) => feed.listen(scope, hear),
        mayGoOn: sessions.follow(credentials),
        isTold: (collection) => told.has(collection),
        signal,
      })
      // Its end is that of the connection: nobody waits for another request on it when the server closes.
      return contentResponse(EVENTS_TYPE, parts, { connection: 'close', 'x-accel-buffering': 'no' })
    },
  }
}
