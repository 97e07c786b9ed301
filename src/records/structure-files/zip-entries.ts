import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { ArchiveEntry } from './archive-entry.ts'

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
