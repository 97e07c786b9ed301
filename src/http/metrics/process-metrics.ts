import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Metric } from './write-metrics.ts'

const MICROSECONDS = 1e6
const NANOSECONDS = 1e9

/** How often the delay of the event loop is sampled, in milliseconds; a delay is at least this long when nothing waits. */
const RESOLUTION_MS = 20

/** Measures the process: memory, processor time, and how long the request thread keeps others waiting. */
export class ProcessMetrics {
  #delay: IntervalHistogram | null = null
  #utilization = performance.eventLoopUtilization()

  /** Reads all measures. Those of the event loop are since the last reading; the delay is sampled from the first one on. */
  read(): readonly Metric[] {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    return [
      counter('process_cpu_user_seconds_total', 'Processor time in the program.', user / MICROSECONDS),
      counter('process_cpu_system_seconds_total', 'Processor time in the system.', system / MICROSECONDS),
      gauge('process_start_time_seconds', 'When the process began, in Unix time.', performance.timeOrigin / 1000),
      gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
      gauge('nodejs_heap_size_used_bytes', 'JavaScript objects of the request thread.', heapUsed),
      gauge('nodejs_external_memory_bytes', 'Memory outside of the heap that JavaScript objects hold.', external),
      gauge(
        'nodejs_eventloop_utilization',
        'Share of time in which the request thread worked.',
        this.#readUtilization(),
      ),
      ...this.#readDelay(),
    ]
  }

  close(): void {
    this.#delay?.disable()
  }

  #readUtilization(): number {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, this.#utilization)
    this.#utilization = now
    return utilization
  }

  /** Sampling costs a timer: it begins when somebody looks. */
  #readDelay(): readonly Metric[] {
    if (this.#delay === null) {
      this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
      this.#delay.enable()
      return []
    }
    const { mean, max, count } = this.#delay
    const p99 = this.#delay.percentile(99)
    this.#delay.reset()
    if (count === 0) return []
    return [
      gauge('nodejs_eventloop_lag_mean_seconds', 'Delay of the event loop, on average.', mean / NANOSECONDS),
      gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop, 99th percentile.', p99 / NANOSECONDS),
      gauge('nodejs_eventloop_lag_max_seconds', 'Delay of the event loop, longest.', max / NANOSECONDS),
    ]
  }
}

function counter(name: string, help: string, value: number): Metric {
  return { name, type: 'counter', help, samples: [{ value }] }
}

function gauge(name: string, help: string, value: number): Metric {
  return { name, type: 'gauge', help, samples: [{ value }] }
}
