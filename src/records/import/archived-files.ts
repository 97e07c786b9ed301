import { createReadStream, statSync } from 'node:fs'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { assertProportion, gunzip, UNPACKING_BOUNDS } from './gunzip.ts'
import { tarEntries } from './tar-entries.ts'

/** A file of an archive, whose bytes come as they are unpacked. */
export interface ArchivedFile {
  /** As the archive has it, with `/` between folders. */
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Most files that are taken out of one archive, and most bytes of them. */
const MOST_FILES = 10_000
const MOST_BYTES = 8 * 1024 ** 3
/** Files of a tar are held one at a time. */
const LONGEST_IN_TAR = 512 * 1024 * 1024

/** Archives that files of calculations come in; those of AiiDA are zip archives. */
const ZIP = /\.(?:zip|aiida)$/i
const TAR = /\.(?:tar|tgz|tar\.gz)$/i

/** Tells by its name whether a file holds others. */
export function holdsFiles(name: string): boolean {
  return ZIP.test(name) || TAR.test(name)
}

/** Reads the files of an archive on disk, one after the other; each has to be read before the next one is asked for. What is hidden is left out. */
export async function* archivedFiles({
  name,
  path,
}: {
  readonly name: string
  readonly path: string
}): AsyncGenerator<ArchivedFile> {
  const packed = statSync(path).size
  let [files, bytes] = [0, 0]
  for await (const file of ZIP.test(name) ? filesOfZip(path) : filesOfTar(name, path)) {
    files += 1
    bytes += file.size
    if (files > MOST_FILES || bytes > MOST_BYTES) throw tooLarge()
    assertProportion(packed, bytes, UNPACKING_BOUNDS)
    const plain = plainName(file.name)
    if (plain !== null) yield { name: plain, bytes: file.bytes }
  }
}

function tooLarge(): AppError {
  const message = `The archive has more than ${MOST_FILES} files, or together they have more than ${MOST_BYTES} bytes.`
  return new AppError(RECORD_ERRORS.archiveTooLarge, message, { hint: 'Send what is in it in several archives.' })
}

/** Name without what would lead elsewhere; null for what is hidden. */
function plainName(name: string): string | null {
  const parts = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.some((part) => part.startsWith('.') || part === '__MACOSX')
    ? null
    : parts.join('/')
}

type SizedFile = ArchivedFile & { readonly size: number }

async function* filesOfZip(path: string): AsyncGenerator<SizedFile> {
  const zip = await openPromise(path).catch(refuse)
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: size } = entry
      if (name.endsWith('/')) continue
      if (entry.isEncrypted())
        throw unreadable(`${JSON.stringify(name.slice(0, 200))} is encrypted`, 'Pack the files without a password.')
      yield { name, size, bytes: piecesOf(zip, entry) }
    }
  } catch (error) {
    refuse(error)
  } finally {
    zip.close()
  }
}

/** A file that nobody reads is not unpacked. */
async function* piecesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* await zip.openReadStreamPromise(entry)
  } catch (error) {
    refuse(error)
  }
}

async function* filesOfTar(name: string, path: string): AsyncGenerator<SizedFile> {
  const stream = createReadStream(path)
  try {
    for await (const entry of tarEntries(/gz$/i.test(name) ? gunzip(stream) : stream, LONGEST_IN_TAR)) {
      if (entry.bytes === null) throw tooLarge()
      yield { name: entry.name, size: entry.size, bytes: once(entry.bytes) }
    }
  } catch (error) {
    refuse(error)
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function refuse(error: unknown): never {
  if (error instanceof AppError) throw error
  throw unreadable((error as Error).message.replace(/\.+$/, ''), 'Pack the files again.')
}

function unreadable(why: string, hint: string): AppError {
  return new AppError(RECORD_ERRORS.unreadableArchive, `The archive cannot be read: ${why}.`, { hint })
}
