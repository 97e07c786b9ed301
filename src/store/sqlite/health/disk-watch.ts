import { accessSync, constants, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../../../kernel/log.ts'
import { STORE_EVENTS } from '../../events.ts'

/** How often it is looked. */
const LOOK_MS = 5000
/** Whoever wants to know more often is told what was seen last. */
const LEAST_MS = 1000
/** With less, SQLite may report that a disk is full in other words: an index of the log that cannot grow is an error of the disk. */
const FULL_BYTES = 2 ** 20

/**
 * Looks at the disk now and then, in place of each write: how much room is left, and whether the database is still there and may be
 * written. An open file tells nothing of that; it goes on when its name has been given to another.
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

  /** Why nothing can be written, as a sentence; null when something can. */
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
