import { createHash } from 'node:crypto'
import { type PackedBytes, packBytes, wholeBytes } from '../../kernel/long-bytes.ts'
import type { StructureLimits } from '../../structure/crystal.ts'
import { decodeText } from '../../structure/formats/common/text.ts'
import { framesOfFile } from '../../structure/formats/read-structure.ts'
import type { FilePart } from '../kinds/material/structure-files.ts'

/** A file that may hold several structures. Plain data, as all of this file: it goes to another thread. */
export interface WholeFile {
  readonly file: Uint8Array | string
  readonly fileName: string
  readonly format: string | undefined
  /** Most structures that are taken. */
  readonly most: number
}

/** The structures of a file, each with a text of its own. */
export interface FramesOfFile extends Pick<FilePart, 'format' | 'hash'> {
  /** In UTF-8. */
  readonly texts: PackedBytes
}

/** Takes a file apart; null where it holds one structure. */
export function takeFileApart(
  { file, fileName, format, most }: WholeFile,
  limits: StructureLimits,
): FramesOfFile | null {
  const text = typeof file === 'string' ? file : decodeText(wholeBytes(file))
  const hints = { limits, fileName, ...(format === undefined ? {} : { format }) }
  const frames = framesOfFile(text, hints, most)
  if (frames.texts.length < 2) return null
  return { ...frames, texts: packBytes(frames.texts.map((one) => Buffer.from(one))), hash: hashOfFile(text) }
}

/** By which a structure file is told from all others. */
export function hashOfFile(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
