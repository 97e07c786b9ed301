import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import type { Reading } from '../../kernel/metrics.ts'
import { DAMAGE_HINT, STORE_ERRORS } from '../errors.ts'
import { STORE_METRICS } from '../metrics.ts'
import { type ByteRange, type FileContent, type FileStore, isSha256 } from '../port/file-store.ts'
import { type Bucket, BucketFault, PART_BYTES } from './bucket.ts'
import { contentPath } from './content-path.ts'
import { Uploads } from './intake.ts'

/** Objects of a content: its bytes; a mark that is written whenever it is used; a mark that it is being removed. Marks are empty. */
const FILES = 'files/'
const USED = 'used/'
const REMOVING = 'removing/'
const NOTHING = new Uint8Array(0)

/** A removal that has lasted longer has been given up by a process that is gone. */
const LONGEST_REMOVAL_MS = 300_000
/** So long after it was begun, a removal goes no further. */
const PATIENT_MS = 30_000
const LOOK_AGAIN_MS = 100

/** Folders of what is under way, in a folder of this machine. */
const INCOMING = 'incoming'
const WHOLE = 'whole'
const BORROWED = 'borrowed'

/** Keeps contents in a bucket, each as an object under its hash; what arrives is gathered in a folder first, so that it can break off and go on. */
export class BucketFiles implements FileStore {
  readonly #bucket: Bucket
  readonly #folder: string
  readonly #uploads: Uploads
  readonly #removed = { files: 0, bytes: 0 }

  constructor(bucket: Bucket, folder: string) {
    this.#bucket = bucket
    this.#folder = folder
    this.#uploads = new Uploads(join(folder, INCOMING))
  }

  arrived(upload: string): Promise<number> {
    return this.#uploads.arrived(upload)
  }

  take(upload: string, offset: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    return this.#uploads.take(upload, offset, bytes)
  }

  /** Where the bucket does not take it, what has arrived is there still. */
  async keep(upload: string): Promise<FileContent> {
    const content = await this.#uploads.keep(upload, join(this.#folder, WHOLE, upload))
    const path = contentPath(join(this.#folder, WHOLE, upload), content.sha256)
    try {
      await this.#store(content, path)
    } catch (error) {
      await rename(path, join(this.#folder, INCOMING, `${upload}.part`))
      throw storeFault(error)
    } finally {
      await rm(join(this.#folder, WHOLE, upload), { recursive: true, force: true })
    }
    return content
  }

  drop(upload: string): Promise<void> {
    return this.#uploads.drop(upload)
  }

  async find(sha256: string): Promise<number | null> {
    const key = keyOf(FILES, sha256)
    return this.#reading(async () => {
      await this.#use(sha256)
      const found = await this.#bucket.look(key)
      if (found === null) await this.#bucket.delete(keyOf(USED, sha256))
      return found?.size ?? null
    })
  }

  async *read(sha256: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const bytes = await this.#reading(() =>
      this.#bucket.read(keyOf(FILES, sha256), range?.from ?? 0, range?.to ?? null),
    )
    if (bytes === null) throw missingContent(sha256)
    try {
      yield* bytes
    } catch (error) {
      throw error instanceof AppError ? error : readingFault('the line to the bucket was cut')
    }
  }

  async borrow(sha256: string): Promise<{ readonly path: string; release(): Promise<void> }> {
    if ((await this.find(sha256)) === null) throw missingContent(sha256)
    const path = join(this.#folder, BORROWED, randomUUID())
    const release = () => rm(path, { force: true })
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      await pipeline(this.read(sha256), createWriteStream(path, { mode: 0o600 }))
    } catch (error) {
      await release()
      throw error
    }
    return { path, release }
  }

  /** Contents and marks come in one order. */
  async *unusedFor(milliseconds: number): AsyncGenerator<string> {
    for (const folder of [INCOMING, WHOLE, BORROWED]) await dropOld(join(this.#folder, folder), milliseconds)
    const before = Date.now() - milliseconds
    const marks = this.#bucket.list(USED)
    let mark = await marks.next()
    for await (const { key, at } of this.#bucket.list(FILES)) {
      const sha256 = key.slice(-64)
      while (mark.done !== true && mark.value.key.slice(-64) < sha256) mark = await marks.next()
      const used = mark.done !== true && mark.value.key.slice(-64) === sha256 ? mark.value.at : 0
      if (isSha256(sha256) && Math.max(at, used) <= before) yield sha256
    }
  }

  /** Says that it is being removed before it looks when it was used: who uses it says so before looking for that, and one of both sees the other. */
  async remove(sha256: string, unusedForMs: number): Promise<number | null> {
    const begun = Date.now()
    const found = await this.#unused(sha256, unusedForMs)
    if (found === null) return null
    await this.#bucket.put(keyOf(REMOVING, sha256), NOTHING)
    try {
      if ((await this.#unused(sha256, unusedForMs)) === null || Date.now() - begun > PATIENT_MS) return null
      await this.#bucket.delete(keyOf(FILES, sha256))
    } finally {
      await this.#bucket.delete(keyOf(REMOVING, sha256))
    }
    await this.#bucket.delete(keyOf(USED, sha256))
    this.#removed.files += 1
    this.#removed.bytes += found.size
    return found.size
  }

  metrics(): readonly Reading[] {
    return [
      [STORE_METRICS.filesRemoved, this.#removed.files],
      [STORE_METRICS.fileBytesRemoved, this.#removed.bytes],
    ]
  }

  close(): Promise<void> {
    return this.#uploads.close()
  }

  async #unused(sha256: string, milliseconds: number): Promise<{ readonly size: number } | null> {
    const before = Date.now() - milliseconds
    const found = await this.#bucket.look(keyOf(FILES, sha256))
    if (found === null || found.at > before) return null
    const mark = await this.#bucket.look(keyOf(USED, sha256))
    return mark !== null && mark.at > before ? null : found
  }

  /** Marks a content as used, and waits until nobody is about to remove it. */
  async #use(sha256: string): Promise<void> {
    await this.#bucket.put(keyOf(USED, sha256), NOTHING)
    const key = keyOf(REMOVING, sha256)
    for (let mark = await this.#bucket.look(key); mark !== null; mark = await this.#bucket.look(key)) {
      if (Date.now() - mark.at > LONGEST_REMOVAL_MS) await this.#bucket.delete(key)
      else await wait(LOOK_AGAIN_MS)
    }
  }

  async #store({ sha256, size }: FileContent, path: string): Promise<void> {
    const key = keyOf(FILES, sha256)
    await this.#use(sha256)
    if ((await this.#bucket.look(key))?.size === size) return
    const file = await open(path)
    const read = async (from: number, length: number): Promise<Uint8Array> => {
      const bytes = new Uint8Array(length)
      for (let at = 0; at < length; ) {
        const { bytesRead } = await file.read(bytes, at, length - at, from + at)
        if (bytesRead === 0) throw new Error('the file has become shorter')
        at += bytesRead
      }
      return bytes
    }
    try {
      if (size <= PART_BYTES) await this.#bucket.put(key, await read(0, size), sha256)
      else await this.#bucket.putInParts(key, size, read)
    } finally {
      await file.close()
    }
    if ((await this.#bucket.look(key))?.size !== size) throw new BucketFault(null, 'the bucket has not all of it')
  }

  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      throw error instanceof BucketFault ? readingFault(error.message) : error
    }
  }
}

function keyOf(kind: string, sha256: string): string {
  if (!isSha256(sha256)) throw new Error('no SHA-256 names a file')
  return `${kind}${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}

function missingContent(sha256: string): AppError {
  return new AppError(STORE_ERRORS.fileMissing, `The content ${sha256} is not in the bucket.`, { hint: DAMAGE_HINT })
}

function readingFault(reason: string): AppError {
  return new AppError(STORE_ERRORS.unreadable, `The file could not be read: ${reason}.`, { hint: 'Try again.' })
}

function storeFault(error: unknown): unknown {
  if (!(error instanceof BucketFault)) return error
  return new AppError(STORE_ERRORS.filesNotWritable, `The file could not be stored: ${error.message}.`, {
    hint: 'Go on with it later: what has arrived is kept for a day.',
  })
}

/** Removes what is in a folder and was not written to for so long. */
async function dropOld(folder: string, milliseconds: number): Promise<void> {
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name)
      const { mtimeMs } = await stat(path)
      if (Date.now() - mtimeMs >= milliseconds) await rm(path, { recursive: true, force: true })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
