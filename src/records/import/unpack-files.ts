import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../kernel/errors.ts'
import { remedied } from '../../page/remedies.ts'
import { DEFAULT_LIMITS } from '../../structure/crystal.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { FileStream, NamedFile } from '../kinds/material/structure-files.ts'
import {
  assertProportion,
  gunzip,
  isGzipFault,
  NO_UNPACKING_BOUNDS,
  UNPACKING_BOUNDS,
  type UnpackingBounds,
} from './gunzip.ts'
import type { ImportItem } from './import-item.ts'
import { type ArchiveEntry, tarEntries } from './tar-entries.ts'

/** Reads the files of a zip archive, one at a time; one that says it is longer than `longest` is not unpacked. */
export async function* zipEntries(archive: Uint8Array, longest: number): AsyncGenerator<ArchiveEntry> {
  const buffer = Buffer.from(archive.buffer, archive.byteOffset, archive.length)
  const zip = await fromBufferPromise(buffer).catch(refuse)
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: size } = entry
      if (name.endsWith('/')) continue
      if (entry.isEncrypted()) throw encrypted(name)
      yield { name, size, bytes: size > longest ? null : await unpack(zip, entry) }
    }
  } catch (error) {
    refuse(error)
  } finally {
    zip.close()
  }
}

/** The stream fails when there are more or fewer bytes than the entry says. */
async function unpack(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function encrypted(name: string): AppError {
  return new AppError(RECORD_ERRORS.unreadableArchive, `${JSON.stringify(name.slice(0, 200))} is encrypted.`, {
    hint: 'Pack the files without a password.',
  })
}

function refuse(error: unknown): never {
  if (error instanceof AppError) throw error
  const message = `The zip archive is damaged: ${(error as Error).message}.`
  throw new AppError(RECORD_ERRORS.unreadableArchive, message, { hint: 'Pack the files again.' }, error)
}

/** Limits of unpacking archives; the contents of a file have their own. */
export interface UnpackLimits {
  readonly files: number
  /** Bytes, of all files together. */
  readonly total: number
  /** Bytes, of one file. */
  readonly longest: number
  /** Limits for each archive, by its own size. */
  readonly packed: UnpackingBounds
}

export const DEFAULT_UNPACK_LIMITS: UnpackLimits = {
  files: 10_000,
  total: 512 * 1024 * 1024,
  longest: DEFAULT_LIMITS.textLength,
  packed: UNPACKING_BOUNDS,
}

/** Limits for files on the operator's disk: only a single file stays bounded. */
export const UNPACK_LIMITS_OF_OPERATOR: UnpackLimits = {
  files: Number.POSITIVE_INFINITY,
  total: Number.POSITIVE_INFINITY,
  longest: DEFAULT_LIMITS.textLength,
  packed: NO_UNPACKING_BOUNDS,
}

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i
const PACKED = /\.gz$/i

/** Tells by its name whether a file holds others: `.zip`, `.tar`, `.tar.gz`, `.tgz`. */
export function isArchive(name: string): boolean {
  return ARCHIVE.test(name)
}

/** Gives the files themselves and those within archives; what cannot be taken out of an archive becomes a refusal. */
export async function* unpackFiles(
  files: AsyncIterable<NamedFile | FileStream>,
  limits: UnpackLimits = DEFAULT_UNPACK_LIMITS,
): AsyncGenerator<ImportItem> {
  const allowance = new Allowance(limits)
  for await (const file of files) {
    if ('open' in file) {
      yield { place: { file: file.name }, stream: file }
      continue
    }
    let unpacked = 0
    try {
      for await (const entry of entriesOf(file, limits)) {
        unpacked += entry.size
        assertProportion(file.bytes.length, unpacked, limits.packed)
        yield accept(entry, allowance, limits)
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      yield { place: { file: file.name }, refusal: error }
      // The refusal of all that follows is given once.
      if (allowance.isUsedUp) return
    }
  }
}

async function* entriesOf(file: NamedFile, { longest, total, packed }: UnpackLimits): AsyncGenerator<ArchiveEntry> {
  const { name, bytes } = file
  if (/\.zip$/i.test(name)) yield* within(name, zipEntries(bytes, longest))
  else if (/\.tar$/i.test(name)) yield* within(name, tarEntries(once(bytes), longest))
  else if (isArchive(name)) yield* within(name, tarEntries(unpacked(bytes, total, packed), longest))
  else if (PACKED.test(name)) yield await unpackOne(file, longest, packed)
  else yield { name, size: bytes.length, bytes }
}

/** Names files by archive and place; what an operating system adds to archives is left out. */
async function* within(archive: string, entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    const isHidden = entry.name.split(/[\\/]/).some((part) => /^\.[^.]/.test(part) || part === '__MACOSX')
    if (!isHidden) yield { ...entry, name: `${archive}/${entry.name.slice(0, 400)}` }
  }
}

function accept(entry: ArchiveEntry, allowance: Allowance, { longest }: UnpackLimits): ImportItem {
  const { name, size, bytes } = entry
  const place = { file: name }
  allowance.spend(size)
  if (bytes === null) return { place, refusal: tooLong(`The file has ${size} bytes`, longest) }
  if (!isArchive(name)) return { place, file: bytes }
  const message = 'An archive within an archive is not unpacked.'
  return { place, refusal: new AppError(RECORD_ERRORS.unreadableArchive, message, { hint: 'Send it by itself.' }) }
}

async function unpackOne({ name, bytes }: NamedFile, longest: number, bounds: UnpackingBounds): Promise<ArchiveEntry> {
  const chunks: Uint8Array[] = []
  for await (const chunk of unpacked(bytes, longest, bounds)) chunks.push(chunk)
  const whole = Buffer.concat(chunks)
  return { name: name.replace(PACKED, ''), size: whole.length, bytes: whole }
}

async function* unpacked(bytes: Uint8Array, longest: number, bounds: UnpackingBounds): AsyncGenerator<Uint8Array> {
  let length = 0
  try {
    for await (const chunk of gunzip(once(bytes), bounds)) {
      length += chunk.length
      if (length > longest) throw tooLong('The unpacked file has more bytes', longest)
      yield chunk
    }
  } catch (error) {
    if (!isGzipFault(error)) throw error
    const message = `The file is not whole, or not packed by gzip: ${error.message}.`
    throw new AppError(RECORD_ERRORS.unreadableArchive, message, { hint: 'Pack it again.' }, error)
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function tooLong(what: string, longest: number): AppError {
  return new AppError(RECORD_ERRORS.archiveTooLarge, `${what}; at most ${longest} can be read.`, {
    ...remedied('oneByOne'),
  })
}

/** Counts what has come out of archives so far. */
class Allowance {
  readonly #limits: UnpackLimits
  #files = 0
  #total = 0

  constructor(limits: UnpackLimits) {
    this.#limits = limits
  }

  get isUsedUp(): boolean {
    return this.#files > this.#limits.files || this.#total > this.#limits.total
  }

  spend(bytes: number): void {
    this.#files += 1
    this.#total += bytes
    if (!this.isUsedUp) return
    const { files, total } = this.#limits
    throw new AppError(
      RECORD_ERRORS.archiveTooLarge,
      `There are more than ${files} files, or together they have more than ${total} bytes; this file and what follows is not read.`,
      remedied('moreRequests'),
    )
  }
}
