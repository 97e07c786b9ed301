import { workerData } from 'node:worker_threads'
import type { Progress } from '../../../kernel/worker-channel.ts'
import { type ChunkSource, SharedChunks } from '../../segments/column-cache.ts'
import { effortUntil, PageTooLarge } from '../../segments/effort.ts'
import { isAlwaysLong } from '../../segments/find-records.ts'
import type { CountJob, FieldsJob, PageJob, SurveyJob, ThreadTerms } from '../../threads/read-job.ts'
import { serveReads } from '../../threads/serve-reads.ts'
import { connect, storageFault } from '../base/database.ts'
import { backUpDatabase } from '../care/back-up.ts'
import { checkDatabase } from '../care/check/check-database.ts'
import { tendingStepFinder } from '../segments/merge-segments.ts'
import { segmentReader } from '../segments/segment-rows.ts'
import { beginExport, readSlice } from './export-slice.ts'
import { countRecords } from './read-backlog.ts'
import type { ReadJob, ReadResults, ReadThreadData } from './read-job.ts'
import { readFields, readPage, surveyRecords } from './read-page.ts'
import { singleReads } from './read-record.ts'
import { createReader } from './reader.ts'

const { file, memory } = workerData as ReadThreadData
const connection = connect(file, 'read')
const segments = segmentReader(connection)
const nextStep = tendingStepFinder(connection)
const known = new SharedChunks(memory.chunks)
const chunks: ChunkSource = {
  find: (segment, chunk) => known.get(segment, chunk),
  read: (segment, chunk) => known.share(segment, chunk, segments.chunk(segment, chunk)),
  findWorked: (segment, name) => known.get(segment, name),
  keepWorked: (segment, name, bytes) => void known.share(segment, name, bytes),
}
const reader = createReader(connection, { chunks, isPatient: true, memory, heldState: () => null })
const singles = singleReads(reader, Number.POSITIVE_INFINITY)

async function run(job: ReadJob, terms: ThreadTerms, progress: Progress): Promise<ReadResults[ReadJob['kind']]> {
  switch (job.kind) {
    case 'page':
      return findPage(job, terms)
    case 'count':
      return countMatches(job, terms)
    case 'survey':
      return survey(job, terms)
    case 'fields':
      return findFields(job, terms)
    case 'single':
      return (singles[job.method] as (...parameters: unknown[]) => unknown)(...job.parameters)
    case 'export-begin':
      return beginExport(reader, job.plan, effortUntil({ ...terms, budgetMs: null }))
    case 'export-slice':
      return readSlice(reader, job.plan, job.from)
    case 'tend':
      return nextStep(job.inQuiet, job.sizes)
    case 'check':
      return checkDatabase(connection, progress)
    case 'backup':
      await backUpDatabase(file, job.target, progress)
      return null
  }
}

function findPage({ plan, budgetMs, mostBytes, chunks: handles }: PageJob, terms: ThreadTerms): ReadResults['page'] {
  known.learn(handles)
  try {
    const page = readPage(reader, plan, effortUntil({ ...terms, budgetMs, mostBytes }))
    return { page, chunks: known.added }
  } catch (error) {
    if (error instanceof PageTooLarge) return { tooLarge: error.bytes, chunks: known.added }
    throw error
  }
}

function countMatches({ plan, budgetMs, chunks: handles }: CountJob, terms: ThreadTerms): ReadResults['count'] {
  known.learn(handles)
  return { count: countRecords(reader, plan, effortUntil({ ...terms, budgetMs })), chunks: known.added }
}

function survey({ plan, survey, budgetMs, chunks: handles }: SurveyJob, terms: ThreadTerms): ReadResults['survey'] {
  known.learn(handles)
  const found = surveyRecords(reader, { plan, survey }, effortUntil({ ...terms, budgetMs }))
  return { found, chunks: isAlwaysLong(survey) ? [] : known.added }
}

function findFields({ asker, asks, budgetMs }: FieldsJob, terms: ThreadTerms): ReadResults['fields'] {
  known.learn([])
  return { answers: readFields(reader, asker, asks, effortUntil({ ...terms, budgetMs })), chunks: known.added }
}

serveReads<ReadJob>(run, (error) => storageFault(error) ?? error)
