import type { Mutant } from './mutant.ts'

const CHANNEL = 'src/kernel/worker-channel.ts'
const BEGIN = 'src/store/sqlite/write/gather-batch.ts'
const MARK = 'src/store/sqlite/read/current-state.ts'

const CHANNELS = { tests: ['test/kernel/worker-channel.test.ts'] }
const WRITERS = { tests: ['test/store/several-writers.test.ts'], named: 'leaves gaps' }
const STATES = { tests: ['test/store/current-state.test.ts'] }

/** Mistakes between threads and between processes. */
export const THREAD_MUTANTS: readonly Mutant[] = [
  {
    name: 'a call that was answered waits on',
    file: CHANNEL,
    find: '    this.#waiting.delete(reply.number)\n',
    replace: '',
    ...CHANNELS,
  },
  {
    name: 'a job that cannot be copied is waited for',
    file: CHANNEL,
    find: '      this.#worker.postMessage({ number, job } satisfies Call<Job>, [...handOver])\n      this.#waiting.set(number, { resolve, reject, progress, since: performance.now() })\n',
    replace:
      '      this.#waiting.set(number, { resolve, reject, progress, since: performance.now() })\n      this.#worker.postMessage({ number, job } satisfies Call<Job>, [...handOver])\n',
    ...CHANNELS,
  },
  {
    name: 'the fault of which a thread ended is not told',
    file: CHANNEL,
    find: '      fault = error\n',
    replace: '',
    ...CHANNELS,
  },
  {
    name: 'whoever waits for a thread is not told that it is gone',
    file: CHANNEL,
    find: '        for (const { reject } of this.#waiting.values()) reject(this.#gone)\n',
    replace: '',
    ...CHANNELS,
  },
  {
    name: 'parts of a job are copied instead of being handed over',
    file: CHANNEL,
    find: 'satisfies Call<Job>, [...handOver])',
    replace: 'satisfies Call<Job>, [])',
    ...CHANNELS,
  },
  {
    name: 'how far a job is, is taken for its result',
    file: CHANNEL,
    find: '      waiting?.progress?.(...reply.progress)\n      return\n',
    replace: '      waiting?.progress?.(...reply.progress)\n',
    ...CHANNELS,
  },
  {
    name: 'a writer leaves no gap for others',
    file: BEGIN,
    find: 'performance.now() - began >= LONG_BATCH_MS',
    replace: 'performance.now() - began < 0',
    ...WRITERS,
  },
  {
    name: 'writes that come soon after each other are one',
    file: MARK,
    find: 'header.readUInt32LE(CHANGE_COUNT) * 2 ** CHECKSUM_BITS + checksum',
    replace: 'Math.floor(header.readUInt32LE(CHANGE_COUNT) / 2)',
    ...STATES,
  },
]
