import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** The stations of a request, in their order; within `handle`, those of a list are `recall`, `parse`, `run` and `present`. */
export const STATIONS = [
  'arrive',
  'turn',
  'route',
  'authenticate',
  'admit',
  'body',
  'handle',
  'recall',
  'parse',
  'run',
  'present',
  'send',
] as const
export type Station = (typeof STATIONS)[number]

/** The message on the channel when a request enters a station; the time in it ends when the next one is entered. */
export interface StationEntered {
  readonly request: IncomingMessage
  readonly station: Station
  /** Milliseconds, as `performance.now()` has them. */
  readonly at: number
}

/** Tells subscribers of `node:diagnostics_channel` where requests are; without any, a station costs one look. */
export const STATION_CHANNEL = channel('quarry.request.station')

/** Publishes that a request enters a station. */
export function enterStation(request: IncomingMessage, station: Station, at?: number): void {
  if (!STATION_CHANNEL.hasSubscribers) return
  STATION_CHANNEL.publish({ request, station, at: at ?? performance.now() } satisfies StationEntered)
}
