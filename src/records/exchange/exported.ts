import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { openZip, type ZipOnDisk } from '../import/zip-on-disk.ts'
import { type ExportManifest, MANIFEST, readManifest } from './manifest.ts'

/** An export on disk, a folder or an archive. Whoever opens it closes it. */
export interface OpenExport {
  readonly path: string
  readonly manifest: ExportManifest
  has(name: string): boolean
  read(name: string): AsyncIterable<Uint8Array>
  close(): void
}

/** Opens an export; null where the path leads to something else. Refuses a folder whose export has not ended. */
export async function openExported(path: string): Promise<OpenExport | null> {
  const place = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? folderPlace(path)
    : /\.zip$/i.test(path)
      ? await openZip(path)
      : null
  if (place === null) return null
  try {
    if (!place.has(MANIFEST)) {
      if (place.has(unfinished(MANIFEST))) throw notEnded(path)
      place.close()
      return null
    }
    const manifest = readManifest(await textOf(place.read(MANIFEST)))
    return {
      path,
      manifest,
      has: (name) => place.has(name),
      read: (name) => place.read(name),
      close: () => place.close(),
    }
  } catch (error) {
    place.close()
    throw error
  }
}

/** Name of a file until it is whole. */
export function unfinished(name: string): string {
  return `${name}.partial`
}

function folderPlace(folder: string): ZipOnDisk {
  return {
    has: (name) => existsSync(join(folder, name)),
    read: (name) => createReadStream(join(folder, name)),
    close: () => {},
  }
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function notEnded(path: string): AppError {
  return new AppError(RECORD_ERRORS.unreadableArchive, `The export to ${path} has not been carried out to its end.`, {
    hint: 'Run it again: it goes on where it was.',
  })
}
