import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../kernel/errors.ts'
import { explainFileFault } from '../../kernel/file-fault.ts'
import type { AttachedFile } from '../../records/attached-files.ts'
import type { ExportPart } from '../../records/exchange/export-parts.ts'
import type { ExportTally } from '../../records/exchange/export-tally.ts'
import { unfinished } from '../../records/exchange/exported.ts'
import { MANIFEST, NOT_EXPORTED, placeOfFile } from '../../records/exchange/manifest.ts'
import { zipExport } from '../../records/exchange/zip-export.ts'
import { DAMAGED, faultInWords, MISSING } from '../../store/errors.ts'
import type { FileStore } from '../../store/port/file-store.ts'
import { CLI_ERRORS } from './errors.ts'

/** Parts of an export, and the storage that its files come from. */
export interface Outgoing {
  readonly parts: AsyncIterable<ExportPart>
  readonly files: FileStore
  readonly tally: ExportTally
}

/** Writes an export to a `.zip`, which gets its name when it is complete, or into a folder, where what was interrupted is gone on with. */
export async function writeExport(target: string, outgoing: Outgoing): Promise<void> {
  try {
    await (isZip(target) ? writeZip(target, outgoing) : writeFolder(target, outgoing))
  } catch (error) {
    throw writeFailure(error, target)
  }
}

/** Turns a fault of the file system into what the user can do about it. */
export function writeFailure(error: unknown, file: string): unknown {
  if (error instanceof AppError || !(error as NodeJS.ErrnoException).syscall) return error
  const { reason, hint } = explainFileFault(error, resolve(file), 'write')
  return new AppError(CLI_ERRORS.unwritableFile, `${file} cannot be written: ${reason}.`, { hint }, error)
}

function isZip(target: string): boolean {
  return /\.zip$/i.test(target)
}

async function writeZip(target: string, { parts, files, tally }: Outgoing): Promise<void> {
  const partial = `${target}.${process.pid}.partial`
  try {
    await pipeline(zipExport(parts, files, tally), createWriteStream(partial, { mode: 0o600 }))
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function writeFolder(folder: string, { parts, files, tally }: Outgoing): Promise<void> {
  await begin(folder)
  for await (const part of parts) {
    if ('lines' in part) await writeRecords(join(folder, part.name), tally.records(part))
    else {
      const fault = await writeContent(join(folder, placeOfFile(part.owner, part.file)), part.file, files)
      if (fault === null) tally.file(part.file)
      else tally.fault(part, fault)
    }
  }
  if (tally.faults.length > 0)
    writeFileSync(join(folder, NOT_EXPORTED), `${tally.faults.join('\n')}\n`, { mode: 0o600 })
  writeFileSync(join(folder, unfinished(MANIFEST)), tally.manifest(), { mode: 0o600 })
  await rename(join(folder, unfinished(MANIFEST)), join(folder, MANIFEST))
}

/** Begins a folder, or goes on with one of an earlier export, whose records and faults are written anew; refuses one with something else in it. */
async function begin(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  const [done, begun] = [MANIFEST, unfinished(MANIFEST)]
  if (names.length > 0 && !names.includes(done) && !names.includes(begun)) {
    throw new AppError(CLI_ERRORS.fileExists, `${folder} has something in it that is no export.`, {
      hint: 'Name a folder that is empty, or not there yet.',
    })
  }
  writeFileSync(join(folder, begun), '', { mode: 0o600 })
  const old = names.filter((name) => name === done || name === NOT_EXPORTED || name.endsWith('.ndjson'))
  for (const name of old) await rm(join(folder, name), { force: true })
}

async function writeRecords(path: string, lines: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(lines, createWriteStream(unfinished(path), { mode: 0o600 }))
  await rename(unfinished(path), path)
}

/** Writes a content unless it is there; gives its fault, or null. What fails of the place that is written to is thrown. */
async function writeContent(path: string, file: AttachedFile, files: FileStore): Promise<string | null> {
  if ((await files.find(file.sha256)) === null) return MISSING
  let fault: string | null = null
  const hash = createHash('sha256')
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of files.read(file.sha256)) {
        hash.update(piece)
        yield piece
      }
    } catch (error) {
      fault = faultInWords(error)
      throw error
    }
  }
  try {
    if (await isThere(path, file)) return null
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await pipeline(pieces(), createWriteStream(unfinished(path), { mode: 0o600 }))
    if (hash.digest('hex') === file.sha256) {
      await rename(unfinished(path), path)
      return null
    }
    fault = DAMAGED
  } catch (error) {
    if (fault === null && !NAME_FAULTS.has(String((error as NodeJS.ErrnoException).code))) throw error
    fault ??= 'has a name that a folder does not take beside the others (an archive, as --to FILE.zip, does)'
  }
  await rm(unfinished(path), { force: true }).catch(() => {})
  return fault
}

/** Codes of a file that is called like a folder of another one, or longer than names may be here. */
const NAME_FAULTS: ReadonlySet<string> = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

async function isThere(path: string, { size, sha256 }: AttachedFile): Promise<boolean> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || !found.isFile() || found.size !== size) return false
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex') === sha256
}
