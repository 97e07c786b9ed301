import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import { stepBack } from '../../../kernel/step-back.ts'
import { CLOSE, ownersPort, type Reply } from '../../../kernel/worker-channel.ts'
import type { Change } from '../../port/record-store.ts'
import { connect } from '../base/database.ts'
import { batchGatherer } from './gather-batch.ts'
import { batchRunner } from './run-batch.ts'
import type { JobOutcome, NumberedJob, WriteMessage, WriteRequest, WriterOptions } from './write-job.ts'

const port = ownersPort()
stepBack('store')

const { file, mostRevisions, audit, limits, segmentSizes, patienceMs } = workerData as WriterOptions
const connection = connect(file, 'write')
const runBatch = batchRunner(connection, { mostRevisions, audit, limits, segmentSizes, patienceMs })
const gather = batchGatherer()
interface SentBatch {
  readonly changes: readonly Change[]
  /** Beginning of the next change's text. */
  readonly begun: string
}

/** By the numbers under which it was sent. */
const ahead = new Map<number, SentBatch>()

/** Jobs that arrived while the last commit was under way go into the next one. */
port.on('message', (message: WriteMessage) => {
  let first = completed(message)
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
  for (;;) {
    const message = receiveMessageOnPort(port)?.message as WriteMessage | undefined
    if (message === undefined) return undefined
    const request = completed(message)
    if (request !== undefined) return request
  }
}

/** A request with what was sent ahead of it; nothing where the message is no more than that. */
function completed(message: WriteMessage): WriteRequest | undefined {
  if (message === CLOSE) return message
  if (!('job' in message)) {
    const sent = ahead.get(message.ahead) ?? { changes: [], begun: '' }
    const isPiece = 'piece' in message
    ahead.set(
      message.ahead,
      isPiece ? { ...sent, begun: sent.begun + message.piece } : { changes: joined(sent, message.changes), begun: '' },
    )
    return undefined
  }
  const { number, job } = message
  const sent = job.kind === 'apply' && job.ahead !== undefined ? ahead.get(job.ahead) : undefined
  if (job.kind !== 'apply' || job.ahead === undefined || sent === undefined) return message
  ahead.delete(job.ahead)
  return { number, job: { ...job, changes: joined(sent, job.changes) } }
}

function joined({ changes, begun }: SentBatch, [next, ...others]: readonly Change[]): readonly Change[] {
  if (next === undefined) return changes
  return [...changes, 'text' in next ? { ...next, text: begun + next.text } : next, ...others]
}

function run(batch: readonly NumberedJob[]): void {
  const outcomes = runBatch(batch.map(({ job }) => job))
  for (const [at, result] of outcomes.entries()) {
    port.postMessage({ number: batch[at]?.number ?? 0, result } satisfies Reply<JobOutcome>)
  }
}
