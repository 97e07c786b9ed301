import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { FormatName } from './common/format.ts'
import { limitsOf } from './common/text.ts'
import { assertNotTooLong, type FileHints, formatOf } from './read-structure.ts'

/** A file taken apart: for each of its structures a text of its own. */
export interface FileFrames {
  readonly format: FormatName
  /** Read by itself, each is what the frame of that number is in the whole file. */
  readonly texts: readonly string[]
}

/** Limit of all frames together, as a multiple of that of a file: text that a file repeats for each frame counts each time. */
const MOST_TIMES_LONGER = 4

/** Takes a file apart; refuses one of more structures than `most`. What is wrong with one of them shows when that is read. */
export function framesOfFile(text: string, hints: FileHints, most: number): FileFrames {
  assertNotTooLong(text, hints)
  const format = formatOf(text, hints)
  const frames = format.frames === undefined ? [text] : format.frames(text, hints)
  const longest = MOST_TIMES_LONGER * limitsOf(hints).textLength
  const texts: string[] = []
  let length = 0
  for (const frame of frames) {
    length += frame.length
    if (texts.length > 0 && texts.length >= most) {
      throw refusal(FORMAT_ERRORS.tooManyFrames, `The file holds more than ${most} structures.`, {
        hint: 'Send it in parts, or use `quarry import --frame all`, which takes any number; or name one frame.',
      })
    }
    if (texts.length > 0 && length > longest) {
      throw refusal(
        FORMAT_ERRORS.tooManyFrames,
        `The structures of the file, each with what holds for all, have more than ${longest} characters together.`,
        { hint: 'Send the file in parts, or name one frame.' },
      )
    }
    texts.push(frame)
  }
  return { format: format.name, texts }
}
