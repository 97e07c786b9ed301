import { type Crystal, type ReadOptions, requireWritable } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { requireApart } from '../near-pairs.ts'
import { requireOrdered } from '../occupancy.ts'
import { chooseFrame, type FormatName, type PrintOptions, type StructureFormat } from './common/format.ts'
import { leftOutWarning, settleRest } from './common/rest.ts'
import { limitsOf, shorten } from './common/text.ts'
import { findFormat, formatNames, isWritten, STRUCTURE_FORMATS } from './registry.ts'

/** Facts about a file beside its text. */
export interface FileHints extends ReadOptions {
  /** A format's name; without it the format is found from the file's name and content. */
  readonly format?: string
  readonly fileName?: string
}

/** A crystal and the format that it was read from. */
export interface StructureReading {
  readonly format: FormatName
  readonly crystal: Crystal
}

/** Reads a structure file of any known format; refuses with line and advice what cannot be stored as it is. */
export function readStructure(text: string, hints: FileHints = {}): StructureReading {
  assertNotTooLong(text, hints)
  const format = formatOf(text, hints)
  if (format.frames === undefined) chooseFrame(1, hints, [])
  const crystal = format.parse(text, hints)
  requireApart(crystal.lattice, crystal.periodic, crystal.sites)
  return { format: format.name, crystal: withFewWarnings(withSettledRest(crystal)) }
}

/** Refuses a text that is longer than what is read. */
function assertNotTooLong(text: string, hints: FileHints): void {
  const most = limitsOf(hints).textLength
  if (text.length <= most) return
  throw refusal(FORMAT_ERRORS.fileTooLarge, `The file has ${text.length} characters; at most ${most} can be read.`, {})
}

/** Says what of the file a record would not have; what is small enough stays with the crystal. */
function withSettledRest(crystal: Crystal): Crystal {
  if (crystal.rest === undefined) return crystal
  const rest = settleRest(crystal.rest, crystal.sites.length)
  return { ...crystal, rest, warnings: [...leftOutWarning(rest.leftOut), ...crystal.warnings] }
}

const MOST_WARNINGS = 50

/** A file with the same flaw on every line says it often enough in the first few. */
function withFewWarnings(crystal: Crystal): Crystal {
  const { warnings } = crystal
  if (warnings.length <= MOST_WARNINGS) return crystal
  const rest = { code: 'more-warnings', message: `${warnings.length - MOST_WARNINGS} more warnings are left out.` }
  return { ...crystal, warnings: [...warnings.slice(0, MOST_WARNINGS), rest] }
}

/** Writes a crystal in a format that can be written. */
export function printStructure(crystal: Crystal, formatName: string, options: PrintOptions = {}): string {
  const format = requireFormat(formatName)
  if (format.print !== undefined) {
    if (format.hasDirections === undefined) requireWritable(crystal, format.title)
    if (format.hasOccupancies === undefined) requireOrdered(crystal, format.title)
    return format.print(crystal, options)
  }
  throw refusal(FORMAT_ERRORS.notWritable, `${format.title} files are read but not written.`, {
    hint: `Formats that are written: ${formatNames(isWritten)}.`,
  })
}

/** The format of a file: the one that is named, else the one that name and content tell. */
export function formatOf(text: string, hints: FileHints): StructureFormat {
  if (hints.format !== undefined && hints.format !== '') return requireFormat(hints.format)
  const named = hints.fileName === undefined ? undefined : detectByName(hints.fileName)
  // A name that promises one format over a content that is plainly another is a slip of the sender.
  if (named?.recognizes(text)) return named
  const found = STRUCTURE_FORMATS.find((format) => format.recognizes(text)) ?? named
  if (found !== undefined) return found
  throw refusal(FORMAT_ERRORS.unknownFormat, 'The file is of no known structure format.', {
    hint: `Name its format, one of ${formatNames()}.`,
  })
}

/** The format that a file name promises. */
export function detectByName(fileName: string): StructureFormat | undefined {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  const extension = /\.([^.]+)$/.exec(base)?.[1]?.toLowerCase()
  return (
    STRUCTURE_FORMATS.find((format) => extension !== undefined && format.extensions.includes(extension)) ??
    STRUCTURE_FORMATS.find((format) => format.fileNames?.test(base))
  )
}

function requireFormat(name: string): StructureFormat {
  const format = findFormat(name)
  if (format !== undefined) return format
  throw refusal(FORMAT_ERRORS.unknownFormat, `"${shorten(name)}" is no structure format.`, {
    hint: `Known formats: ${formatNames()}.`,
  })
}

/** A file taken apart: for each of its structures a text of its own. */
interface FileFrames {
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
