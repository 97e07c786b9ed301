import { workerData } from 'node:worker_threads'
import { tellOwner } from '../../../kernel/worker-channel.ts'
import { NumberCipher } from '../../number-cipher.ts'
import { effortUntil, PageTooLarge } from '../../segments/effort.ts'
import { isAlwaysLong } from '../../segments/find-records.ts'
import type { LimitedJob, PageJob, ThreadTerms } from '../../threads/read-job.ts'
import { serveReads, withOwnBytes } from '../../threads/serve-reads.ts'
import { connect, patiently } from '../base/database.ts'
import { readFault, writeFault } from '../base/faults.ts'
import { patienceWith } from '../base/patience.ts'
import { mergeShelf } from '../write/merge.ts'
import { beginExport, readSlice } from './export-slice.ts'
import { namedAmong } from './named-files.ts'
import { openReader } from './open-reader.ts'
import type { ReadJob, ReadResults, ReadThreadData } from './read-job.ts'
import { countMatches, readPage, surveyRecords } from './read-page.ts'
import type { PatientEffort } from './within.ts'

const { url, replicaUrl, program, timeBudgetMs, writeTimeoutMs, areSpread, numberKey, memory, sizes } =
  workerData as ReadThreadData

/** One job at a time needs one connection. It is opened when it is needed, so that a thread that only merges has none to read. */
const CONNECTIONS = 1
const of = { program, connections: CONNECTIONS }
const sql = connect({ ...of, url, statementTimeoutMs: timeBudgetMs })
const writing = connect({ ...of, url, statementTimeoutMs: writeTimeoutMs })
const replica = replicaUrl === undefined ? null : connect({ ...of, url: replicaUrl, statementTimeoutMs: timeBudgetMs })
const reader = openReader({
  sql,
  replica,
  cipher: new NumberCipher(numberKey),
  areSpread,
  memory,
  handing: { most: memory.handedOver, over: tellOwner },
})
const { columns } = reader

async function run(job: ReadJob, terms: ThreadTerms): Promise<ReadResults[ReadJob['kind']]> {
  switch (job.kind) {
    case 'page':
      return within(job, terms, (effort) => findPage(job, effort))
    case 'count':
      return within(job, terms, (effort) => countMatches(reader, job, effort))
    case 'survey':
      return within(job, terms, (effort) => surveyRecords(reader, job, effort), !isAlwaysLong(job.survey))
    case 'export-begin':
      return beginExport(reader, job.plan, effortUntil({ ...terms, budgetMs: null }))
    case 'export-slice':
      return readSlice(reader, job.plan, job.from)
    case 'merge':
      await mergeShelf(writing, job.shelf, sizes, job.inQuiet).catch((error) => Promise.reject(writeFault(error)))
      return null
    case 'named-files':
      return namedAmong(sql, job.hashes)
  }
}

async function findPage({ plan }: PageJob, effort: PatientEffort): Promise<ReadResults['page']> {
  try {
    return { page: withOwnBytes(await readPage(reader, { plan }, effort)) }
  } catch (error) {
    if (error instanceof PageTooLarge) return { tooLarge: error.bytes }
    throw error
  }
}

/** Does what a query asks for no longer than it may last, and than somebody waits for it. */
async function within<Result>(
  job: LimitedJob,
  terms: ThreadTerms,
  work: (effort: PatientEffort) => Promise<Result>,
  isForOwner = true,
): Promise<Result> {
  const { began, gone } = terms
  const passedMs = performance.timeOrigin + performance.now() - began
  const patience = patienceWith(sql, { budgetMs: timeBudgetMs, passedMs }, leaving(gone))
  columns.lend(job.chunks, isForOwner)
  try {
    return await patiently(sql, work({ ...effortUntil({ ...terms, ...job }), patience }), timeBudgetMs)
  } finally {
    columns.release()
    patience.close()
    if (gone !== null) Atomics.notify(gone, 0)
  }
}

/** Aborted when nobody waits for the answer any more. */
function leaving(gone: Int32Array | null): AbortSignal | undefined {
  if (gone === null) return undefined
  const controller = new AbortController()
  const { value } = Atomics.waitAsync(gone, 0, 0)
  if (typeof value === 'string') controller.abort()
  else void value.then(() => controller.abort())
  return controller.signal
}

serveReads<ReadJob>(run, (error) => readFault(error, timeBudgetMs))
