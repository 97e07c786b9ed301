import { performance } from 'node:perf_hooks'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Reading } from '../../kernel/figures.ts'
import { HTTP_FIGURES } from '../figures.ts'
import type { MetricObject } from './metric-object.ts'

/** Of the process, so there is one, however many servers it has. To watch the event loop costs a timer: it begins when somebody looks. */
let ofProcess: Registry | null = null

/** Reads what `prom-client` knows of the process: processor time, memory, the delay of the event loop, garbage collection. */
export async function processMetrics(): Promise<readonly MetricObject[]> {
  if (ofProcess === null) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  const metrics = (await ofProcess.getMetricsAsJSON()) as unknown as readonly MetricObject[]
  return metrics.map((metric) => ({ ...metric, values: metric.values.filter(({ value }) => Number.isFinite(value)) }))
}

/** Makes the reader of the share of time in which the request thread worked since the last reading. */
export function utilizationReader(): () => Reading {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return [HTTP_FIGURES.utilization, utilization]
  }
}
