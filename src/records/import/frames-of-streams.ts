import { createHash, type Hash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import type { FileFrame } from '../../structure/formats/common/splitter.ts'
import { TextDecoding } from '../../structure/formats/common/text-pieces.ts'
import type { FileHints } from '../../structure/formats/detect.ts'
import { pickFrameOf } from '../../structure/formats/frame-picker.ts'
import { FramesOfText } from '../../structure/formats/frames-of-text.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { type FilePart, type FileStream, takenFile } from '../kinds/material/structure-files.ts'
import { type ImportItem, nameOf } from './import-item.ts'

/** What has to be known of a file before the first of its structures is stored: their number, and by what it is told from all others. */
export type StreamSurvey = Pick<FilePart, 'format' | 'hash' | 'frames'>

/** Reads a file to its end, and counts its structures. */
export async function surveyStream(stream: FileStream, hints: FileHints): Promise<StreamSurvey> {
  const [frames, hash] = [new FramesOfText(hints), createHash('sha256')]
  for await (const _ of framesOf(stream, frames, hash));
  return { format: frames.format.name, hash: hash.digest('hex'), frames: frames.count }
}

/** Gives the texts of the structures of a file, or the refusals of those that are too long; refuses it at its end where it is not the one of the survey. */
export async function* textsOfStream(
  stream: FileStream,
  hints: FileHints,
  survey: StreamSurvey,
): AsyncGenerator<string | AppError> {
  const [frames, hash] = [new FramesOfText(hints), createHash('sha256')]
  for await (const { text, refusal } of framesOf(stream, frames, hash)) yield refusal ?? text
  if (hash.digest('hex') !== survey.hash) throw fileChanged(stream.name)
}

async function* framesOf({ open }: FileStream, frames: FramesOfText, hash: Hash): AsyncGenerator<FileFrame> {
  const decoding = new TextDecoding()
  for await (const chunk of open()) {
    const piece = decoding.read(chunk)
    hash.update(piece)
    yield* frames.read(piece)
    // What follows the only structure is long, and none of it is kept.
    if (frames.isOver) return
  }
  const rest = decoding.read(new Uint8Array(), true)
  hash.update(rest)
  yield* frames.read(rest)
  yield* frames.end()
}

/** Refusal of a file that is not what it was when it was read first. */
export function fileChanged(name: string): AppError {
  const message = `The file ${JSON.stringify(name)} was changed while it was being imported.`
  const hint = 'Remove the set that was begun, and import the file again once nothing writes to it.'
  return new AppError(RECORD_ERRORS.fileChanged, message, { hint })
}

/** Puts the structure that is meant in place of a file that is read as a stream. */
export async function* pickedOfStreams(
  items: AsyncIterable<ImportItem>,
  hints: Pick<FileHints, 'format' | 'frame'>,
): AsyncGenerator<ImportItem> {
  for await (const item of items) yield 'stream' in item ? await pickedOf(item, hints) : item
}

/** The structure that is meant of a file, or the refusal of it. */
export async function pickedOf(
  { place, stream }: Extract<ImportItem, { readonly stream: unknown }>,
  hints: Pick<FileHints, 'format' | 'frame'>,
): Promise<ImportItem> {
  const fileName = nameOf(place)
  try {
    const { text, taken } = takenFile(await pickFrameOf(stream.open(), { ...hints, fileName }), fileName)
    return { place, file: text, taken }
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { place, refusal: error }
    throw error
  }
}
