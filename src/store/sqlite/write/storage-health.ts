import { accessSync, constants, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, isOf } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { DAMAGE_HINT, damageMet, STORE_ERRORS } from '../../errors.ts'
import { STORE_EVENTS } from '../../events.ts'
import { storageFault } from '../base/database.ts'
import type { WriteFailure, WriteJob } from './write-job.ts'

const LOOK_MS = 5000
/** Shortest interval between looks; in between, the last result counts. */
const LEAST_MS = 1000
/** With less, SQLite may report that a disk is full in other words: an index of the log that cannot grow is an error of the disk. */
const FULL_BYTES = 2 ** 20

/**
 * Looks now and then, in place of each write, how much room is left and whether the database is still there and may be written:
 * an open file tells nothing of that, and goes on when its name has been given to another.
 */
export class DiskWatch {
  readonly #file: string
  readonly #leastFreeBytes: number
  readonly #log: Log
  readonly #opened: Stats
  readonly #timer: NodeJS.Timeout
  #obstacle: string | null = null
  #freeBytes = Number.POSITIVE_INFINITY
  #isLow = false
  #looked = Number.NEGATIVE_INFINITY

  constructor(file: string, leastFreeBytes: number, log: Log) {
    this.#file = file
    this.#leastFreeBytes = leastFreeBytes
    this.#log = log
    this.#opened = statSync(file)
    this.look()
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref()
  }

  /** Whether there is less room than is to be kept free. */
  get isLow(): boolean {
    return this.#isLow
  }

  /** Whether there is no room for a write that is worth the name. */
  get isFull(): boolean {
    return this.#freeBytes < FULL_BYTES
  }

  /** Obstacle to all writes, as a sentence; null when there is none. */
  get obstacle(): string | null {
    return this.#obstacle
  }

  end(): void {
    clearInterval(this.#timer)
  }

  /** Looks unless it has just been looked. */
  refresh(): void {
    if (performance.now() - this.#looked > LEAST_MS) this.look()
  }

  look(): void {
    this.#looked = performance.now()
    this.#obstacle = obstacleTo(this.#file, this.#opened)
    const free = freeBytesBeside(this.#file)
    this.#freeBytes = free
    const isLow = free < this.#leastFreeBytes
    if (isLow !== this.#isLow) this.#log.tell(isLow ? STORE_EVENTS.spaceLow : STORE_EVENTS.spaceBack, { bytes: free })
    this.#isLow = isLow
  }
}

/** As much as the user that this program runs as may take; endless where the system does not tell. */
export function freeBytesBeside(file: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function obstacleTo(file: string, opened: Stats): string | null {
  try {
    const { dev, ino } = statSync(file)
    if (dev !== opened.dev || ino !== opened.ino) return 'Another file has taken the place of the database.'
    accessSync(file, constants.R_OK | constants.W_OK)
    accessSync(dirname(file), constants.W_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return 'The file of the database is gone.'
    if (code === 'EROFS') return 'The disk of the database is mounted for reading only.'
    if (code === 'EACCES' || code === 'EPERM') return 'The database, or its directory, may not be written to.'
    return 'The disk of the database cannot be looked at.'
  }
}

/** A read that failed makes the storage doubtful for so long: whoever asks seldom shall hear of it, too. */
const READ_TROUBLE_MS = 30_000

/** Health of the open storage. It refuses jobs untried: writes to damaged data damage more; SQLite must not be first to find a full disk. */
export class StorageHealth {
  readonly #disk: DiskWatch
  readonly #log: Log
  /** Damage of the file does not go away by itself. */
  #isDamaged = false
  #failedWrite: string | null = null
  #failedReadAt = Number.NEGATIVE_INFINITY

  constructor(file: string, leastFreeBytes: number, log: Log) {
    this.#disk = new DiskWatch(file, leastFreeBytes, log)
    this.#log = log
  }

  end(): void {
    this.#disk.end()
  }

  /** Whether the last write failed for a reason that may have passed since. */
  get hasFailed(): boolean {
    return this.#failedWrite !== null
  }

  /** Reason why writes or reads fail, or cannot be counted on, as a sentence; null when all is well. */
  complaint(): string | null {
    this.#disk.refresh()
    if (this.#isDamaged) return 'The database is damaged: nothing is written to it.'
    if (this.#disk.obstacle !== null) return this.#disk.obstacle
    if (this.#disk.isFull) return 'The disk of the server is full.'
    if (this.#disk.isLow) return 'The disk of the server has less room left than it keeps free.'
    if (performance.now() - this.#failedReadAt < READ_TROUBLE_MS) return 'The storage could not be read a moment ago.'
    return this.#failedWrite
  }

  /** Reason for not trying a job; null when it is tried. */
  refusalOf(job: WriteJob): AppError | null {
    if (this.#isDamaged) return damageMet('The database is damaged; nothing was written to it.')
    const { obstacle, isLow } = this.#disk
    if (obstacle !== null) {
      return new AppError(STORE_ERRORS.notWritten, `${obstacle} Nothing was written.`, {
        hint: 'Tell the operator of the server.',
      })
    }
    return isLow && takesRoom(job) ? noRoom('has less room left than it keeps free') : null
  }

  /** Puts an error of SQLite into words, and remembers damage. Gives what is to be thrown in its place. */
  noteRead(error: unknown): unknown {
    const fault = storageFault(error) ?? error
    if (!(fault instanceof AppError)) return fault
    if (isOf(STORE_ERRORS.damagedFile, fault) || isOf(STORE_ERRORS.damagedRecord, fault)) this.#noteDamage(fault)
    if (isOf(STORE_ERRORS.unreadable, fault)) this.#failedReadAt = performance.now()
    return fault
  }

  noteWritten(): void {
    this.#failedWrite = null
  }

  /** Gives the error for whoever waits for the write. */
  noteFailedWrite({ cause, reason }: WriteFailure): Error {
    if (cause === 'job') return new Error(reason)
    if (cause === 'busy') return notWritten('another process kept it busy', reason)
    if (cause === 'damaged-record' || cause === 'damaged-file') {
      const fault =
        cause === 'damaged-file'
          ? damageMet('The database is damaged where this would be written; nothing of it was kept.', new Error(reason))
          : new AppError(STORE_ERRORS.damagedRecord, reason, { hint: DAMAGE_HINT })
      this.#noteDamage(fault)
      return fault
    }
    this.#disk.look()
    const isFull = this.#disk.isFull || /full|ENOSPC|EDQUOT/i.test(reason)
    const why = isFull ? 'its disk is full' : explain(reason)
    if (this.#failedWrite === null) this.#log.tell(STORE_EVENTS.writeFailed, { reason })
    this.#failedWrite = `The storage did not take the last write: ${why}.`
    return isFull ? noRoom('is full') : notWritten(why, reason)
  }

  /** A row that is not what was written is refused by itself, and spoils no other: the file around it is sound. */
  #noteDamage(fault: AppError): void {
    if (!this.#isDamaged) this.#log.tell(STORE_EVENTS.damageMet, { reason: fault.message }, fault.cause)
    if (isOf(STORE_ERRORS.damagedFile, fault)) this.#isDamaged = true
  }
}

/** Whether a job takes much room; others go on: people must be able to log in and delete. */
function takesRoom(job: WriteJob): boolean {
  switch (job.kind) {
    case 'apply':
    case 'applyEach':
      return job.changes.some(({ action }) => action === 'insert' || action === 'replace' || action === 'restore')
    case 'reindex':
    case 'backlog':
    case 'merge':
      return true
    default:
      return false
  }
}

function noRoom(what: string): AppError {
  return new AppError(STORE_ERRORS.noRoom, `The disk of the server ${what}; nothing of the write was kept.`, {
    hint: 'Room has to be made on the disk of its data; writes are then taken again without a restart. Reading goes on meanwhile, and so does deleting.',
  })
}

function notWritten(why: string, reason: string): AppError {
  return new AppError(
    STORE_ERRORS.notWritten,
    `The storage did not take the write: ${why}. Nothing of it was kept.`,
    { hint: 'Try again; if it stays, tell the operator of the server.' },
    new Error(reason),
  )
}

/** SQLite's own words may name files; these are for everybody. */
function explain(reason: string): string {
  return /readonly|permission|perm/i.test(reason) ? 'it cannot be written to' : 'it reported an error'
}
