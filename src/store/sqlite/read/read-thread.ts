import { workerData } from 'node:worker_threads'
import { type Progress, tellOwner } from '../../../kernel/worker-channel.ts'
import { type Effort, ENDLESS_EFFORT, effortUntil, PageTooLarge } from '../../segments/effort.ts'
import { isAlwaysLong } from '../../segments/find-records.ts'
import { readColumns, type UsualColumns } from '../../segments/usual-columns.ts'
import type { LimitedJob, PageJob, ThreadTerms } from '../../threads/read-job.ts'
import { serveReads, withOwnBytes } from '../../threads/serve-reads.ts'
import { connect, inSnapshot, storageFault } from '../base/database.ts'
import { backUpDatabase } from '../care/back-up.ts'
import { checkDatabase } from '../care/check/check-database.ts'
import { tendingStepFinder } from '../segments/merge-segments.ts'
import { beginExport, readSlice } from './export-slice.ts'
import { namedAmong } from './named-files.ts'
import type { ReadJob, ReadResults, ReadThreadData } from './read-job.ts'
import { countRecords, readFields, readPage, surveyRecords } from './read-page.ts'
import { singleReads } from './read-record.ts'
import { createReader } from './reader.ts'

const { file, memory } = workerData as ReadThreadData
const connection = connect(file, 'read')
const nextStep = tendingStepFinder(connection)
const reader = createReader(connection, {
  isPatient: true,
  handing: { most: memory.handedOver, over: tellOwner },
  memory,
  state: { held: null },
})
const { columns } = reader
const singles = singleReads(reader, Number.POSITIVE_INFINITY)

async function run(job: ReadJob, terms: ThreadTerms, progress: Progress): Promise<ReadResults[ReadJob['kind']]> {
  switch (job.kind) {
    case 'page':
      return findPage(job, begin(job, terms))
    case 'count':
      return countRecords(reader, job.plan, begin(job, terms))
    case 'survey':
      return surveyRecords(reader, job, begin(job, terms, !isAlwaysLong(job.survey)))
    case 'fields':
      return readFields(reader, job.asker, job.asks, begin({ ...job, chunks: [] }, terms))
    case 'single':
      return (singles[job.method] as (...parameters: unknown[]) => unknown)(...job.parameters)
    case 'export-begin':
      return beginExport(reader, job.plan, effortUntil({ ...terms, budgetMs: null }))
    case 'export-slice':
      return readSlice(reader, job.plan, job.from)
    case 'tend':
      return nextStep(job.inQuiet, job.sizes)
    case 'columns':
      readUsual(job.usual)
      return null
    case 'check':
      return checkDatabase(connection, progress)
    case 'backup':
      await backUpDatabase(file, job.target, progress)
      return null
    case 'named-files':
      return namedAmong(connection, job.hashes)
  }
}

/** Reads columns until half of what a thread may keep of them is used. */
function readUsual(usual: readonly UsualColumns[]): void {
  columns.lend([])
  inSnapshot(connection, () => {
    for (const { place, names, ...shelf } of usual) {
      const { segments } = reader.views.view(shelf, place, { isKept: true, effort: ENDLESS_EFFORT })
      for (const segment of segments) if (columns.bytes < memory.columns / 2) readColumns(segment, names)
    }
  })
}

/** Takes over the columns that come with a job, and limits what it may take. */
function begin(job: LimitedJob, terms: ThreadTerms, isForOwner = true): Effort {
  columns.lend(job.chunks, isForOwner)
  return effortUntil({ ...terms, ...job })
}

function findPage({ plan }: PageJob, effort: Effort): ReadResults['page'] {
  try {
    return { page: withOwnBytes(readPage(reader, plan, effort)) }
  } catch (error) {
    if (error instanceof PageTooLarge) return { tooLarge: error.bytes }
    throw error
  }
}

/** Runs a job, and holds nothing of it afterwards. */
async function runJob(...job: Parameters<typeof run>): ReturnType<typeof run> {
  try {
    return await run(...job)
  } finally {
    columns.release()
  }
}

serveReads<ReadJob>(runJob, (error) => storageFault(error) ?? error)
