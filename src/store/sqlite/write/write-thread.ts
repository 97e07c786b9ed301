import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { connect } from '../database.ts'
import { batchRunner } from './run-batch.ts'
import type { WriteAnswer, WriteRequest, WriterOptions } from './write-job.ts'

/** Most jobs in one commit: waiting readers and other processes get their turn in between. */
const BATCH_JOBS = 256

const port = parentPort
if (port === null) throw new Error('write-thread runs as a worker thread only')

/** How long work goes on that nobody waits for, before jobs that came meanwhile get their turn. */
const SLICE_MS = 10

const { file, mostRevisions, buildsCompounds } = workerData as WriterOptions
const connection = connect(file, 'write')
const runBatch = batchRunner(connection, mostRevisions)

let isWorking = false

/** Whatever arrived while the last commit was under way goes into the next one. */
port.on('message', (first: WriteRequest) => {
  const requests = [first]
  while (requests.length < BATCH_JOBS) {
    const next = receiveMessageOnPort(port)
    if (next === undefined) break
    requests.push(next.message as WriteRequest)
  }
  const jobs = requests.filter((request) => request !== 'close')
  if (jobs.length > 0) {
    const outcomes = runBatch(
      jobs.map((request) => request.job),
      (at, done, total) => port.postMessage({ number: jobs[at]?.number, progress: [done, total] } as WriteAnswer),
    )
    jobs.forEach((request, index) => {
      port.postMessage({ number: request.number, ...outcomes[index] } as WriteAnswer)
    })
  }
  if (requests.includes('close')) {
    connection.close()
    port.close()
  } else if (buildsCompounds && !isWorking) {
    isWorking = true
    setImmediate(goOn)
  }
})

/** Makes and unmakes compound indexes in slices, each in a commit of its own, until there is nothing left to do. */
function goOn(): void {
  if (!connection.open) return
  const [outcome] = runBatch([{ kind: 'compound', work: { action: 'work', milliseconds: SLICE_MS } }])
  isWorking = outcome !== undefined && 'result' in outcome && outcome.result === 'more'
  if (isWorking) setImmediate(goOn)
}
