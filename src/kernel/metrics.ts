import type { PoolMetrics } from './worker-pool.ts'

/** A number that the program tells of itself. Each room declares its metrics in its own `metrics.ts` with `defineMetrics`. */
export interface MetricSpec {
  /** As Prometheus has it: `quarry_writer_waiting`; a counter ends with `_total`. */
  readonly name: string
  /** A counter only grows; a gauge is what something is at present; a histogram counts by size. */
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** One line for the documentation: what is counted or measured. */
  readonly title: string
  /** Names that tell its numbers apart; without one there is one number. */
  readonly labels?: readonly string[]
  /** Aggregation over the processes of a server; the sum if left out. */
  readonly together?: 'first' | 'average'
}

/** Present value of a metric: a number, or one for each value of its label. */
export type MetricValue = number | Iterable<readonly [label: string, value: number]>

export type Reading = readonly [spec: MetricSpec, value: MetricValue]

/** Reads metrics out on request; their owner keeps nothing for it but plain numbers. */
export type ReadMetrics = () => readonly Reading[]

export function defineMetrics<const Specs extends Readonly<Record<string, MetricSpec>>>(specs: Specs): Specs {
  return Object.freeze(specs)
}

function ofPool(name: string, kind: MetricSpec['kind'], title: string): MetricSpec {
  return { name, kind, title, labels: ['pool'] }
}

/** Metrics of the parts that every room may use. */
export const KERNEL_METRICS = defineMetrics({
  poolThreads: ofPool('quarry_pool_threads', 'gauge', 'Worker threads that there are.'),
  poolBusy: ofPool('quarry_pool_busy', 'gauge', 'Worker threads that have a task.'),
  poolWaiting: ofPool('quarry_pool_waiting', 'gauge', 'Tasks that wait for a worker thread.'),
  poolDone: ofPool('quarry_pool_tasks_total', 'counter', 'Tasks of worker threads that came to their end.'),
  poolEnded: ofPool(
    'quarry_pool_tasks_ended_total',
    'counter',
    'Tasks of worker threads that were ended: by their limit, for want of memory, or at the end of the server.',
  ),
  poolSpent: ofPool('quarry_pool_cpu_seconds_total', 'counter', 'Processor time of worker threads.'),
  events: {
    name: 'quarry_events_total',
    kind: 'counter',
    title: 'Events that the log was told, those too that it was too quiet to write.',
    labels: ['event'],
  },
})

export function poolMetrics(name: string, metrics: PoolMetrics): readonly Reading[] {
  const { threads, busy, waiting, done, ended, spentMs } = metrics
  return [
    [KERNEL_METRICS.poolThreads, [[name, threads]]],
    [KERNEL_METRICS.poolBusy, [[name, busy]]],
    [KERNEL_METRICS.poolWaiting, [[name, waiting]]],
    [KERNEL_METRICS.poolDone, [[name, done]]],
    [KERNEL_METRICS.poolEnded, [[name, ended]]],
    [KERNEL_METRICS.poolSpent, [[name, spentMs / 1000]]],
  ]
}

/** The other processes of a server that has several. */
export interface Peers {
  /** Asks each of them; whoever does not answer in time is left out. */
  ask(): Promise<readonly unknown[]>
  /** Says what this process answers when another one asks. Answers are plain data. */
  answerWith(answer: () => Promise<unknown>): void
}
