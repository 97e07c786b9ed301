import { serveCalls } from '../../../src/kernel/worker-channel.ts'

/** What the thread of the tests does when it is called. */
export type CalledJob =
  | { readonly kind: 'echo'; readonly value: unknown }
  /** Replies when the next job has come. */
  | { readonly kind: 'wait'; readonly value: unknown }
  | { readonly kind: 'count'; readonly to: number }
  | { readonly kind: 'throw' }
  | { readonly kind: 'exit' }

let goOn = () => {}

serveCalls<CalledJob, unknown>(async (job, progress) => {
  goOn()
  switch (job.kind) {
    case 'echo':
      return { result: job.value, handOver: [] }
    case 'wait':
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      await new Promise((resolve) => setImmediate(resolve))
      return { result: job.value, handOver: [] }
    case 'count':
      for (let done = 1; done <= job.to; done++) progress(done, job.to)
      return { result: job.to, handOver: [] }
    case 'throw':
      setImmediate(() => {
        throw new Error('a fault of the thread')
      })
      return new Promise(() => {})
    case 'exit':
      return process.exit(3)
  }
})
