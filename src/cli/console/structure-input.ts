import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { AppError } from '../../kernel/errors.ts'
import { inWordsOf } from '../../page/remedies.ts'
import { isArchive, unpackFiles } from '../../records/import/unpack-files.ts'
import { type NamedFile, type StructureFile, takenFile } from '../../records/kinds/material/structure-files.ts'
import { decodeText } from '../../structure/formats/common/text-pieces.ts'
import { pickFrameOf } from '../../structure/formats/frame-picker.ts'
import {
  DEFAULT_TOLERANCE_ANGSTROM,
  LEAST_TOLERANCE_ANGSTROM,
  MOST_TOLERANCE_ANGSTROM,
} from '../../structure/symmetry/symmetry-report.ts'
import { CLI_ERRORS } from './errors.ts'
import { readInput, STDIN } from './input-file.ts'

export interface StructureFlags {
  readonly from?: string
  readonly frame?: number
}

export const FRAME_FLAG = '--frame <number>'
export const FRAME_HELP =
  'which of several structures of a file to take, counted from 0; -1 is the last (default: the first, with a warning)'

export const TOLERANCE_FLAG = '--tolerance <angstrom>'
export const TOLERANCE_HELP = `how far atoms may be from where symmetry wants them, ${LEAST_TOLERANCE_ANGSTROM} to ${MOST_TOLERANCE_ANGSTROM} Å (default: ${DEFAULT_TOLERANCE_ANGSTROM})`

/** Reads a distance within which atoms count as symmetric. */
export function parseTolerance(text: string): number {
  const value = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
  if (value >= LEAST_TOLERANCE_ANGSTROM && value <= MOST_TOLERANCE_ANGSTROM) return value
  throw new InvalidArgumentError(
    `A tolerance is a number of Å from ${LEAST_TOLERANCE_ANGSTROM} to ${MOST_TOLERANCE_ANGSTROM}.`,
  )
}

export function parseFrame(text: string): number {
  return readFrame(text, text === 'all' ? ' All are for `quarry import --frame all`.' : '')
}

/** Reads the number of a frame, or that all are meant. */
export function parseFrames(text: string): number | 'all' {
  return text === 'all' ? text : readFrame(text, ' Or all, as a set.')
}

function readFrame(text: string, hint: string): number {
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError(`A frame is a whole number, counted from 0, or from the end: -1 is the last.${hint}`)
}

/** Report on a file that a command could not use; the fields of a line for programs. */
export interface FileFailure {
  readonly file: string
  readonly ok: false
  readonly error: {
    readonly message: string
    readonly code: number
    readonly line?: number | undefined
    readonly column?: number | undefined
    readonly hint?: string | undefined
  }
}

/** A structure file that was named, or one of those in an archive that was. */
export interface GivenStructure {
  readonly name: string
  /** Reads it, or fails with what is wrong with it. */
  readonly read: () => StructureFile | Promise<StructureFile>
}

/** Opens the files that a command was given; those of an archive take its place. */
export async function structureSources(
  names: readonly string[],
  flags: StructureFlags,
): Promise<readonly GivenStructure[]> {
  const sources: GivenStructure[] = []
  for (const name of names) {
    if (isArchive(name)) sources.push(...(await sourcesIn(name, flags)))
    else sources.push({ name, read: () => readStructureFile(name, flags) })
  }
  return sources
}

async function sourcesIn(archive: string, { from: format, frame }: StructureFlags): Promise<readonly GivenStructure[]> {
  const sources: GivenStructure[] = []
  try {
    for await (const item of unpackFiles(opened(archive))) {
      const name = 'file' in item.place ? item.place.file : archive
      const read = (): StructureFile => {
        if (!('file' in item)) throw 'refusal' in item ? item.refusal : unreadable(name, 'it is no structure file')
        const text = typeof item.file === 'string' ? item.file : decodeText(item.file)
        return { text, format, fileName: basename(name), frame }
      }
      sources.push({ name, read })
    }
  } catch (error) {
    const read = (): never => {
      throw error
    }
    sources.push({ name: archive, read })
  }
  return sources
}

async function* opened(name: string): AsyncGenerator<NamedFile> {
  assertReadable(name)
  yield { name, bytes: readFileSync(name) }
}

/** Reads the structure that is meant of a file, unpacked when its name ends in `.gz`, and no further than it has to; `-` is stdin. */
async function readStructureFile(name: string, { from: format, frame }: StructureFlags): Promise<StructureFile> {
  const isStdin = name === STDIN
  if (!isStdin) assertReadable(name)
  const fileName = isStdin ? undefined : basename(name.endsWith('.gz') ? name.slice(0, -3) : name)
  const chunks = readInput({ name, bytes: null }, () => {})
  return takenFile(await pickFrameOf(chunks, { format, frame, fileName }), fileName)
}

function assertReadable(name: string): void {
  const stats = statSync(name, { throwIfNoEntry: false })
  if (stats === undefined) throw unreadable(name, 'it does not exist')
  if (stats.isDirectory()) throw unreadable(name, 'it is a directory')
}

function unreadable(name: string, why: string): AppError {
  return new AppError(CLI_ERRORS.unreadableFile, `${name} cannot be read: ${why}.`)
}

/** Says what is wrong with a file; a fault of our own is one more way in which a file cannot be used. */
export function failureOf(file: string, cause: unknown): FileFailure {
  if (!(cause instanceof AppError)) {
    const message = `The file cannot be read because of a fault in Quarry: ${(cause as Error).message}`
    return { file, ok: false, error: { message, code: 50001 } }
  }
  const { message, data } = inWordsOf('cli', cause)
  const { code } = cause
  const { line, column, hint } = data as { line?: number; column?: number; hint?: string }
  return { file, ok: false, error: { message, code, line, column, hint } }
}
