import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import { CLOSE, ownersPort, type Reply } from '../../../kernel/worker-channel.ts'
import { connect, MAIN_MEMORY } from '../base/database.ts'
import { batchGatherer } from './gather-batch.ts'
import { batchRunner } from './run-batch.ts'
import type { JobOutcome, NumberedJob, WriteRequest, WriterOptions } from './write-job.ts'

const port = ownersPort()

const { file, mostRevisions, audit, limits, segmentSizes } = workerData as WriterOptions
const connection = connect(file, 'write', { ...MAIN_MEMORY, mappedMb: 0 })
const runBatch = batchRunner(connection, { mostRevisions, audit, limits, segmentSizes })
const gather = batchGatherer()

/** Whatever arrived while the last commit was under way goes into the next one. */
port.on('message', (message: WriteRequest) => {
  let first: WriteRequest | undefined = message
  let isOver = false
  while (first !== undefined) {
    if (first === CLOSE) {
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
  return receiveMessageOnPort(port)?.message as WriteRequest | undefined
}

function run(batch: readonly NumberedJob[]): void {
  const outcomes = runBatch(batch.map(({ job }) => job))
  for (const [at, result] of outcomes.entries()) {
    port.postMessage({ number: batch[at]?.number ?? 0, result } satisfies Reply<JobOutcome>)
  }
}
