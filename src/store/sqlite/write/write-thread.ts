import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { connect, MAIN_MEMORY } from '../database.ts'
import { batchGatherer } from './gather-batch.ts'
import { batchRunner } from './run-batch.ts'
import type { NumberedJob, WriteAnswer, WriteRequest, WriterOptions } from './write-job.ts'

const port = parentPort
if (port === null) throw new Error('write-thread runs as a worker thread only')

const { file, mostRevisions, audit, limits, segmentSizes } = workerData as WriterOptions
const connection = connect(file, 'write', { ...MAIN_MEMORY, mappedMb: 0 })
const runBatch = batchRunner(connection, { mostRevisions, audit, limits, segmentSizes })
const gather = batchGatherer()

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
  }
})

function receive(): WriteRequest | undefined {
  return receiveMessageOnPort(port as MessagePort)?.message as WriteRequest | undefined
}

function run(batch: readonly NumberedJob[]): void {
  const outcomes = runBatch(batch.map(({ job }) => job))
  for (const [at, outcome] of outcomes.entries()) {
    port?.postMessage({ number: batch[at]?.number ?? 0, ...outcome } satisfies WriteAnswer)
  }
}
