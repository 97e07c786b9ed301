import { workerData } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { type Progress, serveCalls } from '../../../kernel/worker-channel.ts'
import {
  type ChunkHandle,
  type ChunkName,
  type ChunkSource,
  SharedChunks,
  shared,
} from '../../segments/column-cache.ts'
import { effortUntil, PageTooLarge } from '../../segments/effort.ts'
import { connect, storageFault } from '../base/database.ts'
import { backUpDatabase } from '../care/back-up.ts'
import { checkDatabase } from '../care/check/check-database.ts'
import { mergeSegments } from '../segments/merge-segments.ts'
import { segmentReader } from '../segments/segment-rows.ts'
import { beginExport, readSlice } from './export-slice.ts'
import { countRecords } from './read-backlog.ts'
import type {
  ReadFailure,
  ReadJob,
  ReadOutcome,
  ReadRequest,
  ReadResult,
  ReadResults,
  ReadThreadData,
} from './read-job.ts'
import { readPage } from './read-page.ts'
import { createReader } from './reader.ts'

const { file, memory } = workerData as ReadThreadData
const connection = connect(file, 'read')
const segments = segmentReader(connection)
const known = new SharedChunks(memory.chunks)
/** What was read and worked out for the present job. */
let loaded: ChunkHandle[] = []
const chunks: ChunkSource = {
  find: (segment, chunk) => known.get(segment, chunk),
  read: (segment, chunk) => share(segment, chunk, segments.chunk(segment, chunk)),
  findWorked: (segment, name) => known.get(segment, name),
  keepWorked: (segment, name, bytes) => void share(segment, name, bytes),
}
const reader = createReader(connection, { chunks, isPatient: true, memory, heldState: () => null })

/** Less is copied as fast. */
const LEAST_HANDED_OVER = 64 * 1024

function share(segment: number, chunk: ChunkName, own: Uint8Array): Uint8Array {
  const bytes = shared(own)
  known.put(segment, chunk, bytes)
  loaded.push({ segment, chunk, bytes })
  return bytes
}

async function run({ job, deadline }: ReadRequest, progress: Progress): Promise<ReadResult> {
  switch (job.kind) {
    case 'page':
    case 'count':
      for (const { segment, chunk, bytes } of job.chunks) known.put(segment, chunk, bytes)
      loaded = []
      return job.kind === 'page' ? pageWithin(job, deadline) : countWithin(job, deadline)
    case 'export-begin':
      return beginExport(reader, job.plan)
    case 'export-slice':
      return readSlice(reader, job.plan, job.from)
    case 'merge':
      return mergeSegments(connection, job.segments)
    case 'check':
      return checkDatabase(connection, progress)
    case 'backup':
      await backUpDatabase(file, job.target, progress)
      return null
  }
}

const NEVER = Number.POSITIVE_INFINITY

function pageWithin(
  { plan, budgetMs, mostBytes }: Extract<ReadJob, { kind: 'page' }>,
  deadline: number | null,
): ReadResults['page'] {
  try {
    return { page: readPage(reader, plan, effortUntil(deadline ?? NEVER, budgetMs, mostBytes)), chunks: loaded }
  } catch (error) {
    if (error instanceof PageTooLarge) return { tooLarge: error.bytes, chunks: loaded }
    throw error
  }
}

function countWithin(
  { plan, budgetMs }: Extract<ReadJob, { kind: 'count' }>,
  deadline: number | null,
): ReadResults['count'] {
  return { count: countRecords(reader, plan, effortUntil(deadline ?? NEVER, budgetMs)), chunks: loaded }
}

/** What is handed over instead of being copied: bytes that nobody else has a part of. */
function partsOf(result: ReadResult): ArrayBuffer[] {
  const parts = large(result)
  return parts.map(({ buffer }) => buffer).filter((buffer, at) => isAlone(parts[at] as ArrayBufferView, buffer))
}

function large(result: ReadResult): readonly ArrayBufferView[] {
  if (result === null || typeof result !== 'object') return []
  if ('page' in result) return [result.page.documents]
  if ('bytes' in result) return [result.bytes]
  if ('numbers' in result) return [result.numbers]
  return 'parts' in result ? result.parts.flatMap(({ encoded }) => encoded.chunks) : []
}

function isAlone({ byteLength }: ArrayBufferView, buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return byteLength >= LEAST_HANDED_OVER && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer
}

function failureOf(thrown: unknown): ReadFailure {
  const error = storageFault(thrown) ?? thrown
  if (error instanceof AppError) return { known: true, spec: error.spec, message: error.message, data: error.data }
  return { known: false, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

serveCalls<ReadRequest, ReadOutcome>(async (request, progress) => {
  try {
    const result = await run(request, progress)
    return { result: { result }, handOver: partsOf(result) }
  } catch (error) {
    return { result: { failure: failureOf(error) }, handOver: [] }
  }
})
