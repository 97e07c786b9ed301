import { threadNumber } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { ownBytes } from '../../kernel/room.ts'
import { stepBack } from '../../kernel/step-back.ts'
import { type Progress, serveCalls } from '../../kernel/worker-channel.ts'
import type { Page } from '../port/record-store.ts'
import type { ReadFailure, ReadOutcome, ReadRequest, ThreadTerms } from './read-job.ts'

/** Less is copied as fast. */
const LEAST_HANDED_OVER = 64 * 1024

type JobHandler<Job> = (job: Job, terms: ThreadTerms, progress: Progress) => unknown

/** Makes the calling thread a reader thread. `faultOf` says in the words of the catalogue what a store has against a job. */
export function serveReads<Job>(run: JobHandler<Job>, faultOf: (error: unknown) => unknown): void {
  stepBack('store')
  serveCalls<ReadRequest<Job>, ReadOutcome<unknown>>(async (request, progress) => {
    if (request === null) return { result: { result: threadNumber() }, handOver: [] }
    const { job, terms } = request
    try {
      const result = await run(job, terms, progress)
      return { result: { result }, handOver: partsOf(result) }
    } catch (error) {
      return { result: { failure: failureOf(faultOf(error)) }, handOver: [] }
    }
  })
}

/** A page that can be handed over: its room stays here. */
export function withOwnBytes(page: Page): Page {
  return { ...page, documents: ownBytes(page.documents) }
}

function failureOf(error: unknown): ReadFailure {
  if (!(error instanceof AppError)) return { known: false, reason: inWords(error) }
  const { spec, message, data, cause } = error
  return { known: true, spec, message, data, cause: cause === undefined ? null : inWords(cause) }
}

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Buffers to hand over instead of copying: those that nothing else has a part of. */
function partsOf(result: unknown): ArrayBuffer[] {
  return [...new Set(large(result).flatMap((part) => (isAlone(part, part.buffer) ? [part.buffer] : [])))]
}

/** The bytes that are a result, or a part of one; those of columns are in memory that threads share. */
function large(value: unknown): readonly ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(large)
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(large)
}

function isAlone({ byteLength }: ArrayBufferView, buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return byteLength >= LEAST_HANDED_OVER && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer
}
