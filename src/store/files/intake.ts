import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { explainFileFault } from '../../kernel/file-fault.ts'
import { WorkerChannel } from '../../kernel/worker-channel.ts'
import { workerEntry } from '../../kernel/worker-entry.ts'
import { STORE_ERRORS } from '../errors.ts'
import type { FileContent } from '../port/file-store.ts'
import type { IntakeJob, IntakeOutcome } from './intake-job.ts'

/** Uploads that arrive in a folder, each a file until it is whole. One thread writes all of them, which starts with the first. */
export class Uploads {
  readonly #folder: string
  #channel: WorkerChannel<IntakeJob, IntakeOutcome> | null = null
  /** Files that the thread has open, by their uploads. */
  readonly #tickets = new Map<string, number>()
  /** The request that came last for an upload, by its place among all. */
  readonly #latest = new Map<string, number>()
  #turn = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async arrived(upload: string): Promise<number> {
    const found = await stat(this.#pathOf(upload)).catch(() => null)
    return found?.size ?? 0
  }

  /** Gives all that has arrived, and fails as the bytes fail. It begins with the first of them: a request that is over by then takes nothing over. */
  async take(upload: string, offset: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const turn = ++this.#turn
    this.#latest.set(upload, turn)
    const pieces = bytes[Symbol.asyncIterator]()
    let piece = await pieces.next()
    if (this.#latest.get(upload) !== turn) throw takenOver()
    const begun = await this.#call({ kind: 'begin', path: this.#pathOf(upload), offset })
    if (!('begun' in begun)) throw new Error('an upload was not begun')
    const { ticket } = begun.begun
    this.#tickets.set(upload, ticket)
    // One piece is written while the next one arrives.
    let writing = Promise.resolve(begun.begun.size)
    try {
      for (; piece.done !== true; piece = await pieces.next()) {
        await writing
        writing = this.#write(ticket, new Uint8Array(piece.value))
        writing.catch(() => {})
      }
      return await writing
    } catch (error) {
      await writing.catch(() => {})
      await this.#pause(upload, ticket)
      await pieces.return?.()
      throw error
    }
  }

  /** Puts what has arrived into a folder of contents. */
  async keep(upload: string, folder: string): Promise<FileContent> {
    const ticket = this.#tickets.get(upload) ?? null
    this.#tickets.delete(upload)
    this.#latest.delete(upload)
    const outcome = await this.#call({ kind: 'keep', path: this.#pathOf(upload), folder, ticket })
    if ('content' in outcome) return outcome.content
    throw new Error('an upload was kept without a content')
  }

  async drop(upload: string): Promise<void> {
    const ticket = this.#tickets.get(upload)
    if (ticket !== undefined) await this.#pause(upload, ticket)
    await rm(this.#pathOf(upload), { force: true })
  }

  async close(): Promise<void> {
    await this.#channel?.close()
    this.#channel = null
  }

  #pathOf(upload: string): string {
    return join(this.#folder, `${upload}.part`)
  }

  async #write(ticket: number, bytes: Uint8Array): Promise<number> {
    const outcome = await this.#call({ kind: 'write', ticket, bytes })
    if ('size' in outcome) return outcome.size
    throw takenOver()
  }

  async #pause(upload: string, ticket: number): Promise<void> {
    if (this.#tickets.get(upload) === ticket) {
      this.#tickets.delete(upload)
      this.#latest.delete(upload)
    }
    await this.#call({ kind: 'pause', ticket })
  }

  async #call(job: IntakeJob): Promise<Exclude<IntakeOutcome, { readonly fault: unknown }>> {
    const handOver = job.kind === 'write' ? [job.bytes.buffer as ArrayBuffer] : []
    this.#channel ??= this.#start()
    const outcome = await this.#channel.call(job, { handOver })
    if (!('fault' in outcome)) return outcome
    throw cannotStore(Object.assign(new Error(outcome.fault.message), { code: outcome.fault.code }), this.#folder)
  }

  #start(): WorkerChannel<IntakeJob, IntakeOutcome> {
    const channel = new WorkerChannel<IntakeJob, IntakeOutcome>({
      entry: workerEntry('store/files/intake-thread.ts'),
      data: null,
      onGone: () => {
        if (this.#channel === channel) this.#channel = null
      },
    })
    return channel
  }
}

function takenOver(): AppError {
  return new AppError(STORE_ERRORS.uploadTakenOver, 'Another request goes on with this upload.', {
    hint: 'Send one file in one request at a time.',
  })
}

/** The refusal of a file that cannot be written: a full disk, a folder that is not ours. */
export function cannotStore(cause: unknown, folder: string): AppError {
  const { reason, hint } = explainFileFault(cause, folder, 'write')
  return new AppError(STORE_ERRORS.filesNotWritable, `The file could not be stored: ${reason}.`, { hint }, cause)
}
