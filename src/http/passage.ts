import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/**
 * The stations of a request. All pass the first three and the last. Those of the fast lane come next; whatever it does not take goes on to
 * those of the framework, from `route` on, and in its handler may pass some of the others again.
 */
export const STATIONS = [
  'arrive',
  'turn',
  'identify',
  'recall',
  'parse',
  'run',
  'present',
  'route',
  'authenticate',
  'admit',
  'handle',
  'send',
] as const
export type Station = (typeof STATIONS)[number]

/** What is published on the channel when a request enters a station; the time in it ends when the next one is entered. */
export interface StationEntered {
  readonly request: IncomingMessage
  readonly station: Station
  /** Milliseconds, as `performance.now()` has them. */
  readonly at: number
}

/** Tells whoever subscribes (`node:diagnostics_channel`) where requests are; as long as nobody does, a station costs one look. */
export const STATION_CHANNEL = channel('quarry.request.station')

declare module 'node:http' {
  interface IncomingMessage {
    /** Undefined for requests that came another way than over a socket. */
    passage?: Passage
  }
}

/** The way of one request through the server. */
export class Passage {
  readonly request: IncomingMessage
  /** Under what it counts where users are kept apart: the id of a user, or the address of somebody unknown. */
  readonly user: string
  /** `performance.now()`, before it waited for its turn. */
  readonly arrivedAt: number
  /** The fast lane has found that its list takes longer than the request thread may give it. */
  takesLonger = false
  /** What the fast lane has met after it had waited for it: the framework tells the client. */
  failure: { readonly error: unknown } | null = null

  constructor(request: IncomingMessage, user: string, arrivedAt: number) {
    this.request = request
    this.user = user
    this.arrivedAt = arrivedAt
    request.passage = this
    if (STATION_CHANNEL.hasSubscribers) this.#publish('arrive', arrivedAt)
  }

  /** Notes that the request enters a station. */
  enter(station: Station): void {
    if (STATION_CHANNEL.hasSubscribers) this.#publish(station, performance.now())
  }

  #publish(station: Station, at: number): void {
    STATION_CHANNEL.publish({ request: this.request, station, at } satisfies StationEntered)
  }
}
