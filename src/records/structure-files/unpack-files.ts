import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError } from '../../kernel/errors.ts'
import { DEFAULT_LIMITS } from '../../structure/formats/crystal.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import type { IncomingFile } from './import-structure-files.ts'
import type { NamedFile } from './structure-file.ts'
import { tarEntries } from './tar-entries.ts'
import { zipEntries } from './zip-entries.ts'

/** How much may come out of archives; what a file may hold is bounded by itself. */
export interface UnpackLimits {
  readonly files: number
  /** Bytes, of all files together. */
  readonly total: number
  /** Bytes, of one file. */
  readonly longest: number
}

export const DEFAULT_UNPACK_LIMITS: UnpackLimits = {
  files: 10_000,
  total: 512 * 1024 * 1024,
  longest: DEFAULT_LIMITS.textLength,
}

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i
const PACKED = /\.gz$/i

/** Tells by its name whether a file holds others: `.zip`, `.tar`, `.tar.gz`, `.tgz`. */
export function isArchive(name: string): boolean {
  return ARCHIVE.test(name)
}

/** Gives the files themselves and those within archives; what cannot be taken out of an archive becomes a refusal. */
export async function* unpackFiles(
  files: AsyncIterable<NamedFile>,
  limits: UnpackLimits = DEFAULT_UNPACK_LIMITS,
): AsyncGenerator<IncomingFile> {
  const allowance = new Allowance(limits)
  for await (const file of files) {
    try {
      for await (const entry of entriesOf(file, limits)) yield accept(entry, allowance, limits)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      yield { name: file.name, refusal: error }
      // What is said once for all files needs no repetition for each of them.
      if (allowance.isUsedUp) return
    }
  }
}

async function* entriesOf(file: NamedFile, { longest, total }: UnpackLimits): AsyncGenerator<ArchiveEntry> {
  const { name, bytes } = file
  if (/\.zip$/i.test(name)) yield* within(name, zipEntries(bytes, longest))
  else if (/\.tar$/i.test(name)) yield* within(name, tarEntries(once(bytes), longest))
  else if (isArchive(name)) yield* within(name, tarEntries(gunzip(bytes, total), longest))
  else if (PACKED.test(name)) yield await unpackOne(file, longest)
  else yield { name, size: bytes.length, bytes }
}

/** Names files by archive and place; what an operating system adds to archives is left out. */
async function* within(archive: string, entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    const isHidden = entry.name.split(/[\\/]/).some((part) => /^\.[^.]/.test(part) || part === '__MACOSX')
    if (!isHidden) yield { ...entry, name: `${archive}/${entry.name.slice(0, 400)}` }
  }
}

function accept(entry: ArchiveEntry, allowance: Allowance, { longest }: UnpackLimits): IncomingFile {
  const { name, size, bytes } = entry
  allowance.spend(size)
  if (bytes === null) return { name, refusal: tooLong(`The file has ${size} bytes`, longest) }
  if (!isArchive(name)) return { name, bytes }
  const message = 'An archive within an archive is not unpacked.'
  return { name, refusal: new AppError(RECORD_ERRORS.unreadableArchive, message, { hint: 'Send it by itself.' }) }
}

async function unpackOne({ name, bytes }: NamedFile, longest: number): Promise<ArchiveEntry> {
  const chunks: Uint8Array[] = []
  for await (const chunk of gunzip(bytes, longest)) chunks.push(chunk)
  const whole = Buffer.concat(chunks)
  return { name: name.replace(PACKED, ''), size: whole.length, bytes: whole }
}

async function* gunzip(bytes: Uint8Array, longest: number): AsyncGenerator<Uint8Array> {
  let length = 0
  try {
    for await (const chunk of pipeline(once(bytes), createGunzip(), () => {}) as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > longest) throw tooLong('The unpacked file has more bytes', longest)
      yield chunk
    }
  } catch (error) {
    if (error instanceof AppError || !String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    const message = `The file is not whole, or not packed by gzip: ${(error as Error).message}.`
    throw new AppError(RECORD_ERRORS.unreadableArchive, message, { hint: 'Pack it again.' }, error)
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function tooLong(what: string, longest: number): AppError {
  return new AppError(RECORD_ERRORS.archiveTooLarge, `${what}; at most ${longest} can be read.`)
}

/** Counts what has come out of archives so far. */
class Allowance {
  private readonly limits: UnpackLimits
  private files = 0
  private total = 0

  constructor(limits: UnpackLimits) {
    this.limits = limits
  }

  get isUsedUp(): boolean {
    return this.files > this.limits.files || this.total > this.limits.total
  }

  spend(bytes: number): void {
    this.files += 1
    this.total += bytes
    if (!this.isUsedUp) return
    const { files, total } = this.limits
    throw new AppError(
      RECORD_ERRORS.archiveTooLarge,
      `There are more than ${files} files, or together they have more than ${total} bytes; this file and what follows is not read.`,
      { hint: 'Send what follows in another request, or use `quarry import`, which has no such limit.' },
    )
  }
}
