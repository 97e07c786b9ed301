import { createHash } from 'node:crypto'
import { DAMAGED, faultInWords, MISSING } from '../../store/errors.ts'
import type { FileStore } from '../../store/port/file-store.ts'
import type { AttachedFile } from '../attached-files.ts'
import { type ZipPart, zipOfParts } from '../zip-of-files.ts'
import type { ExportPart } from './export-parts.ts'
import type { ExportTally } from './export-tally.ts'
import { MANIFEST, NOT_EXPORTED, placeOfFile } from './manifest.ts'

/** Packs an export into one archive as it is read. What is missing or damaged of the files is left out, and named in the archive. */
export function zipExport(
  parts: AsyncIterable<ExportPart>,
  files: FileStore,
  tally: ExportTally,
): AsyncGenerator<Uint8Array> {
  return zipOfParts(entriesOf(parts, files, tally))
}

async function* entriesOf(
  parts: AsyncIterable<ExportPart>,
  files: FileStore,
  tally: ExportTally,
): AsyncGenerator<ZipPart> {
  for await (const part of parts) {
    if ('lines' in part) {
      yield { name: part.name, bytes: tally.records(part), packs: true }
      continue
    }
    const { owner, file } = part
    const bytes = await soundContent(files, file)
    if (typeof bytes === 'string') tally.fault(part, bytes)
    else {
      const { size, crc32 } = file
      yield { name: placeOfFile(owner, file), size, crc32, bytes }
      tally.file(file)
    }
  }
  if (tally.faults.length > 0) yield textPart(NOT_EXPORTED, `${tally.faults.join('\n')}\n`)
  yield textPart(MANIFEST, tally.manifest())
}

function textPart(name: string, text: string): ZipPart {
  return {
    name,
    bytes: (async function* () {
      yield Buffer.from(text)
    })(),
    packs: true,
  }
}

/** Bytes of a content that are kept between looking at it and sending it; a longer one is read once more. */
const KEPT_BYTES = 8 * 1024 * 1024

/** The bytes of a content that is what it should be; else what is wrong with it. An archive says length and sum of a file before its bytes, so these are looked at first. */
async function soundContent(
  files: FileStore,
  { sha256, size }: AttachedFile,
): Promise<AsyncIterable<Uint8Array> | string> {
  const hash = createHash('sha256')
  const kept: Uint8Array[] = []
  let length = 0
  try {
    if ((await files.find(sha256)) === null) return MISSING
    for await (const piece of files.read(sha256)) {
      length += piece.length
      hash.update(piece)
      if (size <= KEPT_BYTES && length <= size) kept.push(piece)
    }
  } catch (error) {
    return faultInWords(error)
  }
  if (length !== size || hash.digest('hex') !== sha256) return DAMAGED
  return size <= KEPT_BYTES ? inPieces(kept) : files.read(sha256)
}

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}
