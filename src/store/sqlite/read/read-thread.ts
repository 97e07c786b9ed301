import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { backUpDatabase } from '../care/back-up.ts'
import { checkDatabase } from '../care/check/check-database.ts'
import { connect } from '../database.ts'
import { storageFault } from '../storage-fault.ts'
import { NO_COMPOUNDS } from './compound/ready-compounds.ts'
import { countRecords } from './count-records.ts'
import { effortUntil, PageTooLarge } from './effort.ts'
import { orderOf } from './export-order.ts'
import { beginExport, readSlice } from './export-slice.ts'
import type {
  ReadAnswer,
  ReadFailure,
  ReadJob,
  ReadRequest,
  ReadResult,
  ReadResults,
  ReadThreadData,
} from './read-job.ts'
import { readPage } from './read-page.ts'
import { createReader } from './reader.ts'
import { buildList } from './rows/build-list.ts'

const port = parentPort
if (port === null) throw new Error('read-thread runs as a worker thread only')

const { file, usesCompounds } = workerData as ReadThreadData
const reader = createReader(connect(file, 'read'), null, usesCompounds ? undefined : NO_COMPOUNDS)
/** Less is copied as fast. */
const LEAST_HANDED_OVER = 64 * 1024

type Progress = (done: number, total: number) => void

async function run({ job, deadline }: ReadRequest, progress: Progress): Promise<ReadResult> {
  switch (job.kind) {
    case 'page':
      return pageWithin(job, deadline ?? Number.POSITIVE_INFINITY)
    case 'count':
      return countRecords(reader, job.plan, effortUntil(deadline ?? Number.POSITIVE_INFINITY, job.budgetMs))
    case 'export-begin':
      return beginExport(reader, job.plan)
    case 'export-slice':
      return readSlice(reader, job.plan, job.from, job.makes)
    case 'export-order':
      return orderOf(job.parts)
    case 'list':
      return buildList(reader, job.of)
    case 'check':
      return checkDatabase(reader.connection, progress)
    case 'backup':
      await backUpDatabase(file, job.target, progress)
      return null
  }
}

function pageWithin(
  { plan, budgetMs, mostBytes }: Extract<ReadJob, { kind: 'page' }>,
  deadline: number,
): ReadResults['page'] {
  try {
    return readPage(reader, plan, effortUntil(deadline, budgetMs, mostBytes))
  } catch (error) {
    if (error instanceof PageTooLarge) return { tooLarge: error.bytes }
    throw error
  }
}

/** What is handed over instead of being copied: bytes that nobody else has a part of. */
function partsOf(result: ReadResult): ArrayBuffer[] {
  if (result === null || typeof result !== 'object') return []
  const bytes = 'page' in result ? result.page.documents : 'bytes' in result ? result.bytes : null
  const isAlone =
    bytes !== null && bytes.byteLength >= LEAST_HANDED_OVER && bytes.byteLength === bytes.buffer.byteLength
  return isAlone && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
}

function failureOf(thrown: unknown): ReadFailure {
  const error = storageFault(thrown) ?? thrown
  if (error instanceof AppError) return { known: true, spec: error.spec, message: error.message, data: error.data }
  return { known: false, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

port.on('message', async (request: ReadRequest) => {
  const { number } = request
  const answer = (message: ReadAnswer): void => port.postMessage(message)
  try {
    const result = await run(request, (done, total) => answer({ number, progress: [done, total] }))
    port.postMessage({ number, result } satisfies ReadAnswer, partsOf(result))
  } catch (error) {
    answer({ number, failure: failureOf(error) })
  }
})
