import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { connect, MAIN_MEMORY } from '../database.ts'
import { freeBytesBeside } from '../health/disk-watch.ts'
import { batchGatherer } from './gather-batch.ts'
import { batchRunner } from './run-batch.ts'
import type { NumberedJob, WriteAnswer, WriteRequest, WriterOptions } from './write-job.ts'

const port = parentPort
if (port === null) throw new Error('write-thread runs as a worker thread only')

/** How long work goes on that nobody waits for, before jobs that came meanwhile get their turn. */
const SLICE_MS = 10

const { file, mostRevisions, audit, limits, leastFreeBytes, buildsCompounds } = workerData as WriterOptions
const connection = connect(file, 'write', { ...MAIN_MEMORY, mappedMb: 0 })
const runBatch = batchRunner(connection, mostRevisions, audit, limits)
const gather = batchGatherer()

/** How often it is looked for such work that comes by itself, from a record that an index cannot hold or from another process. */
const LOOK_MS = 1000

let isWorking = false
let looked = Number.NEGATIVE_INFINITY

/** Whatever arrived while the last commit was under way goes into the next one. */
port.on('message', (message: WriteRequest) => {
  let first: WriteRequest | undefined = message
  let isOver = false
  while (first !== undefined) {
    if (first === 'close') {
      isOver = true
      break
    }
    const { batch, next } = gather(first, receive)
    run(batch)
    first = next
  }
  if (isOver) {
    connection.close()
    port.close()
  } else if (buildsCompounds && !isWorking && performance.now() - looked > LOOK_MS) {
    isWorking = true
    setImmediate(goOn)
  }
})

function receive(): WriteRequest | undefined {
  return receiveMessageOnPort(port as MessagePort)?.message as WriteRequest | undefined
}

function run(batch: readonly NumberedJob[]): void {
  if (batch.some(({ job }) => job.kind === 'compound')) looked = Number.NEGATIVE_INFINITY
  const outcomes = runBatch(batch.map(({ job }) => job))
  for (const [at, outcome] of outcomes.entries()) {
    port?.postMessage({ number: batch[at]?.number ?? 0, ...outcome } satisfies WriteAnswer)
  }
}

/** Makes and unmakes compound indexes in slices, each in a commit of its own, until there is nothing left to do. */
function goOn(): void {
  if (!connection.open) return
  if (freeBytesBeside(file) < leastFreeBytes) {
    isWorking = false
    looked = performance.now()
    return
  }
  const [outcome] = runBatch([{ kind: 'compound', work: { action: 'work', milliseconds: SLICE_MS } }])
  if (outcome !== undefined && 'failure' in outcome) {
    port?.postMessage({ unasked: outcome.failure } satisfies WriteAnswer)
  }
  isWorking = outcome !== undefined && 'result' in outcome && outcome.result === 'more'
  if (isWorking) setImmediate(goOn)
  else looked = performance.now()
}
