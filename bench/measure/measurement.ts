import type { LoadResult } from '../load/loader.ts'
import { percentile } from '../load/statistics.ts'

/** One server under one workload. */
export interface Measurement {
  readonly contestant: string
  readonly workload: string
  readonly requests: number
  /** CPU time of the server, all threads and child processes, divided by the requests. */
  readonly cpuMicros: number
  readonly perSecond: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly worstMs: number
}

/** A workload that a server is not timed under, because it cannot be asked that or its answer was not right. */
export interface Refusal {
  readonly contestant: string
  readonly workload: string
  readonly fault: string
}

/** Sums up a load. */
export function measurementOf(
  about: Pick<Measurement, 'contestant' | 'workload'>,
  { answered, seconds, latenciesMs }: LoadResult,
  cpuMicros: number,
): Measurement {
  return {
    ...about,
    requests: answered,
    cpuMicros: cpuMicros / answered,
    perSecond: answered / seconds,
    medianMs: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    worstMs: percentile(latenciesMs, 1),
  }
}
