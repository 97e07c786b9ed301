import { type FileHandle, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import type { Reading } from '../../kernel/metrics.ts'
import { DAMAGE_HINT, STORE_ERRORS } from '../errors.ts'
import { STORE_METRICS } from '../metrics.ts'
import { type ByteRange, type FileContent, type FileStore, isSha256 } from '../port/file-store.ts'
import { contentPath } from './content-path.ts'
import { Uploads } from './intake.ts'

/** Folder of uploads among those of contents, whose names have two characters. */
const INCOMING = 'incoming'
/** Ends the name of a content that is being removed. */
const ASIDE = '.removed'

/** Keeps contents in a folder, each under its hash: `ab/cd/abcd…`. */
export class DirectoryFiles implements FileStore {
  readonly #folder: string
  readonly #uploads: Uploads
  readonly #removed = { files: 0, bytes: 0 }

  constructor(folder: string) {
    this.#folder = folder
    this.#uploads = new Uploads(join(folder, INCOMING))
  }

  arrived(upload: string): Promise<number> {
    return this.#uploads.arrived(upload)
  }

  take(upload: string, offset: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    return this.#uploads.take(upload, offset, bytes)
  }

  keep(upload: string): Promise<FileContent> {
    return this.#uploads.keep(upload, this.#folder)
  }

  drop(upload: string): Promise<void> {
    return this.#uploads.drop(upload)
  }

  async find(sha256: string): Promise<number | null> {
    const path = this.#pathOf(sha256)
    const now = new Date()
    const isThere = await utimes(path, now, now).then(
      () => true,
      () => false,
    )
    return isThere ? (await stat(path)).size : null
  }

  async *read(sha256: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const terms = range === undefined ? {} : { start: range.from, end: range.to - 1 }
    yield* (await this.#open(sha256)).createReadStream(terms)
  }

  async borrow(sha256: string): Promise<{ readonly path: string; release(): Promise<void> }> {
    if ((await this.find(sha256)) === null) throw missingFile(sha256)
    return { path: this.#pathOf(sha256), release: async () => {} }
  }

  async *unusedFor(milliseconds: number): AsyncGenerator<string> {
    await this.#dropUploads(milliseconds)
    for await (const path of filesIn(this.#folder, 2)) {
      if (path.endsWith(ASIDE)) await putBack(path)
      const sha256 = path.slice(-64)
      if (isSha256(sha256) && (await isOlder(path, milliseconds))) yield sha256
    }
  }

  /** Takes the content aside first: who finds it from then on stores it anew, and who had found it before is seen by its time. */
  async remove(sha256: string, unusedForMs: number): Promise<number | null> {
    const path = this.#pathOf(sha256)
    if (!(await isOlder(path, unusedForMs))) return null
    const aside = path + ASIDE
    try {
      await rename(path, aside)
    } catch {
      return null
    }
    const { size } = await stat(aside)
    if (!(await isOlder(aside, unusedForMs))) {
      await putBack(aside)
      return null
    }
    await rm(aside, { force: true })
    this.#removed.files += 1
    this.#removed.bytes += size
    return size
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

  async #dropUploads(milliseconds: number): Promise<void> {
    for await (const path of filesIn(join(this.#folder, INCOMING), 0)) {
      if (await isOlder(path, milliseconds)) await rm(path, { force: true })
    }
  }

  /** A content that was taken aside is on its way back, where anything names it. */
  async #open(sha256: string): Promise<FileHandle> {
    const path = this.#pathOf(sha256)
    for (const place of [path, path + ASIDE, path]) {
      const file = await open(place).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        return null
      })
      if (file !== null) return file
    }
    throw missingFile(sha256)
  }

  #pathOf(sha256: string): string {
    if (!isSha256(sha256)) throw new Error('no SHA-256 names a file')
    return contentPath(this.#folder, sha256)
  }
}

function missingFile(sha256: string): AppError {
  return new AppError(STORE_ERRORS.fileMissing, `The content ${sha256} is not in the storage.`, { hint: DAMAGE_HINT })
}

/** What was taken aside goes back and counts as used: who has stored it anew meanwhile has stored the same bytes. */
async function putBack(aside: string): Promise<void> {
  const path = aside.slice(0, -ASIDE.length)
  await rename(aside, path)
  const now = new Date()
  await utimes(path, now, now)
}

async function isOlder(path: string, milliseconds: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs >= milliseconds
}

/** Files so many folders down, in the order of their paths. */
async function* filesIn(folder: string, depth: number): AsyncGenerator<string> {
  const names: string[] = []
  try {
    for await (const entry of await opendir(folder)) {
      if (depth === 0 ? entry.isFile() : entry.isDirectory() && entry.name.length === 2) names.push(entry.name)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  for (const name of names.sort()) {
    if (depth === 0) yield join(folder, name)
    else yield* filesIn(join(folder, name), depth - 1)
  }
}
