import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { unpackPlan } from '../../../query/plan/packed-plan.ts'
import { backUpDatabase } from '../care/back-up.ts'
import { checkDatabase } from '../care/check-database.ts'
import { type Connection, connect } from '../database.ts'
import { NO_COMPOUNDS } from './compound/ready-compounds.ts'
import { countRecords } from './count-records.ts'
import { streamDocuments } from './document-stream.ts'
import { effortUntil } from './effort.ts'
import type { ReadAnswer, ReadFailure, ReadJob, ReadRequest, ReadResult, ReadThreadData } from './read-job.ts'
import { readPage } from './read-page.ts'
import { createReader } from './reader.ts'
import { buildList } from './rows/build-list.ts'

const port = parentPort
if (port === null) throw new Error('read-thread runs as a worker thread only')

const { file, usesCompounds } = workerData as ReadThreadData
const reader = createReader(connect(file, 'read'), null, usesCompounds ? undefined : NO_COMPOUNDS)
const streams = new Map<number, { chunks: Generator<Uint8Array, void>; connection: Connection }>()

type Progress = (done: number, total: number) => void

async function run(job: ReadJob, progress: Progress): Promise<ReadResult> {
  switch (job.kind) {
    case 'page':
      return readPage(reader, unpackPlan(job.plan), effortUntil(job.deadline, job.budgetMs))
    case 'count':
      return countRecords(reader, unpackPlan(job.plan), effortUntil(job.deadline, job.budgetMs))
    case 'stream-start': {
      const connection = connect(file, 'read')
      streams.set(job.stream, { chunks: streamDocuments(connection, unpackPlan(job.plan)), connection })
      return null
    }
    case 'stream-next':
      return nextChunk(job.stream)
    case 'stream-end':
      endStream(job.stream)
      return null
    case 'list':
      return buildList(reader, job.of)
    case 'check':
      return checkDatabase(reader.connection, progress)
    case 'backup':
      await backUpDatabase(file, job.target, progress)
      return null
  }
}

function nextChunk(stream: number): Uint8Array | null {
  try {
    const next = streams.get(stream)?.chunks.next()
    if (next !== undefined && !next.done) return next.value
  } catch (error) {
    endStream(stream)
    throw error
  }
  endStream(stream)
  return null
}

function endStream(stream: number): void {
  const open = streams.get(stream)
  streams.delete(stream)
  open?.chunks.return()
  open?.connection.close()
}

function failureOf(error: unknown): ReadFailure {
  if (error instanceof AppError) return { known: true, spec: error.spec, message: error.message, data: error.data }
  return { known: false, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

port.on('message', async ({ number, job }: ReadRequest) => {
  const answer = (message: ReadAnswer): void => port.postMessage(message)
  try {
    const result = await run(job, (done, total) => answer({ number, progress: [done, total] }))
    answer({ number, result })
  } catch (error) {
    answer({ number, failure: failureOf(error) })
  }
})
