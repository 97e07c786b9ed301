import { createReadStream, lstatSync } from 'node:fs'
import { mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Progress } from '../../kernel/worker-channel.ts'
import { type FileStore, isSha256 } from '../port/file-store.ts'
import type { ListedFiles, PrunedContents } from '../port/named-files.ts'
import { type CopiedContents, copyContents } from './contents.ts'
import { DirectoryFiles } from './directory-files.ts'

/** Folder beside backups that has the contents of files which they list. */
const FOLDER = 'quarry-files'
/** In it, a list for each backup: which contents it lists, so that nobody has to read all backups to know that. */
const LISTS = 'lists'
const LINES_TOGETHER = 10_000

/** Contents that no backup lists are kept for so long: another backup may be under way. */
const GRACE_MS = 86_400_000

/** Contents of files that the backups in one directory list, each once. */
export class BackupFolder {
  readonly path: string
  readonly #directory: string
  readonly files: FileStore

  /** The folder of the directory that a backup is in. */
  constructor(backup: string) {
    this.#directory = dirname(backup)
    this.path = join(this.#directory, FOLDER)
    this.files = new DirectoryFiles(this.path)
  }

  /** Copies the contents of a backup that is there, and writes down which they are. */
  async add(backup: string, listed: ListedFiles, from: FileStore, progress: Progress): Promise<CopiedContents> {
    if (listed.count === 0) return { count: 0, bytes: 0, faults: [] }
    const copied = await copyContents(from, this.files, listed, { progress })
    await this.#writeList(backup, listed)
    return copied
  }

  /** Removes contents that none of the backups lists. `list` reads what one of them lists of which that is not written down. */
  async prune(list: (backup: string) => ListedFiles): Promise<PrunedContents> {
    const pruned = { count: 0, bytes: 0 }
    const backups = await namesIn(this.#directory)
    const isUsed = new Set<string>()
    const lists = await namesIn(join(this.path, LISTS))
    for (const name of lists) if (!backups.includes(name)) await rm(join(this.path, LISTS, name), { force: true })
    for (const name of backups.filter((one) => one.endsWith('.db') || lists.includes(one))) {
      for (const sha256 of await this.#listOf(join(this.#directory, name), list)) isUsed.add(sha256)
    }
    for await (const sha256 of this.files.unusedFor(GRACE_MS)) {
      const bytes = isUsed.has(sha256) ? null : await this.files.remove(sha256, GRACE_MS)
      if (bytes === null) continue
      pruned.count += 1
      pruned.bytes += bytes
    }
    return pruned
  }

  close(): Promise<void> {
    return this.files.close()
  }

  /** The first line says of which file it is: another one may have come under its name. */
  async #writeList(backup: string, listed: ListedFiles): Promise<void> {
    const place = join(this.path, LISTS, basename(backup))
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    const file = await open(`${place}.partial`, 'w', 0o600)
    try {
      let lines = [stampOf(backup)]
      for (const { sha256 } of listed) {
        lines.push(sha256)
        if (lines.length < LINES_TOGETHER) continue
        await file.write(`${lines.join('\n')}\n`)
        lines = []
      }
      await file.write(`${[...lines, END].join('\n')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(`${place}.partial`, place)
  }

  async #listOf(backup: string, list: (backup: string) => ListedFiles): Promise<Iterable<string>> {
    const written = await readList(join(this.path, LISTS, basename(backup)), backup)
    return written ?? Array.from(list(backup), ({ sha256 }) => sha256)
  }
}

const END = 'end'

/** Null where there is no list of the file as it is. */
async function readList(place: string, backup: string): Promise<readonly string[] | null> {
  const lines: string[] = []
  try {
    for await (const line of createInterface({ input: createReadStream(place) })) lines.push(line)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
  return lines[0] === stampOf(backup) && lines.at(-1) === END ? lines.filter(isSha256) : null
}

function stampOf(backup: string): string {
  const { size, mtimeMs } = lstatSync(backup)
  return `${size} bytes, of ${Math.floor(mtimeMs)}`
}

/** Names of files, not of links nor of folders; none where there is no folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  try {
    for await (const entry of await opendir(folder)) if (entry.isFile()) names.push(entry.name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return names
}
