import { HTTP_FIGURES } from '../figures.ts'
import { type MetricObject, metricOf, type Sample } from './metric-object.ts'

/** Upper bounds of the histogram, in milliseconds: a look-up, a page, a slow page, a scan, an export. */
const BOUNDS_MS = [1, 5, 25, 100, 500, 2500] as const

/** What requests that no route takes are counted under: wrong addresses and methods, preflights. */
const NO_ROUTE = { method: 'any', route: 'none' } as const

/** What is answered before the framework finds the route: single records, lists that were asked before, and answers that are remembered. */
const FAST_LANE = { method: 'GET', route: 'fast-lane' } as const

/** The counters of one route. */
export interface RequestCounter {
  readonly method: string
  readonly route: string
  /** By class of the status: at 2 the answers with 2xx. */
  readonly statuses: number[]
  /** How many answers fell into each interval of `BOUNDS_MS`, the last one being open. */
  readonly intervals: number[]
  milliseconds: number
}

/** Counts answers. Whoever answers holds its counter, so that a request costs three additions and no look-up. */
export class RequestMetrics {
  readonly #counters: RequestCounter[] = []
  readonly unrouted = this.counterOf(NO_ROUTE.method, NO_ROUTE.route)
  readonly unframed = this.counterOf(FAST_LANE.method, FAST_LANE.route)

  /** Makes the counter of a route. */
  counterOf(method: string, route: string): RequestCounter {
    const counter = {
      method,
      route,
      statuses: [0, 0, 0, 0, 0, 0],
      intervals: Array.from({ length: BOUNDS_MS.length + 1 }, () => 0),
      milliseconds: 0,
    }
    this.#counters.push(counter)
    return counter
  }

  /** Reads all counters; a route that nobody has asked is left out. */
  read(): readonly MetricObject[] {
    const asked = this.#counters.filter(({ intervals }) => intervals.some((count) => count > 0))
    return [
      metricOf(HTTP_FIGURES.requests, asked.flatMap(statusSamples)),
      metricOf(HTTP_FIGURES.durations, asked.flatMap(durationSamples)),
    ]
  }
}

/** Counts one answer; runs at every request. */
export function countAnswer(counter: RequestCounter, status: number, milliseconds: number): void {
  let interval = 0
  while (milliseconds > (BOUNDS_MS[interval] ?? Number.POSITIVE_INFINITY)) interval++
  counter.intervals[interval] = (counter.intervals[interval] ?? 0) + 1
  const statusClass = Math.floor(status / 100)
  counter.statuses[statusClass] = (counter.statuses[statusClass] ?? 0) + 1
  counter.milliseconds += milliseconds
}

function statusSamples({ method, route, statuses }: RequestCounter): Sample[] {
  return statuses.flatMap((value, index) =>
    value === 0 ? [] : [{ labels: { method, route, status: `${index}xx` }, value }],
  )
}

function durationSamples({ method, route, intervals, milliseconds }: RequestCounter): Sample[] {
  const labels = { method, route }
  const { name } = HTTP_FIGURES.durations
  let below = 0
  const buckets = intervals.map((count, index): Sample => {
    below += count
    const bound = BOUNDS_MS[index]
    const le = bound === undefined ? '+Inf' : String(bound / 1000)
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: milliseconds / 1000 },
    { metricName: `${name}_count`, labels, value: below },
  ]
}
