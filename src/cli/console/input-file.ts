import { accessSync, constants, createReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'
import { explainFileFault } from '../../kernel/file-fault.ts'
import { gunzip, NO_UNPACKING_BOUNDS } from '../../records/import/gunzip.ts'
import { CLI_ERRORS } from './errors.ts'

export const STDIN = '-'

/** Bytes that are read at a time. */
const PIECE = 256 * 1024

/** A file, or stdin, that a command reads from the start to the end. */
export interface InputFile {
  /** As it was given. */
  readonly name: string
  /** Null for stdin, which does not know. */
  readonly bytes: number | null
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Looks at a file that is going to be read; refuses one that is not there before anything has been done. */
export function findInputFile(name: string): InputFile {
  if (name === STDIN) return { name, bytes: null }
  try {
    const stats = statSync(name)
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    accessSync(name, constants.R_OK)
    return { name, bytes: stats.isFile() ? stats.size : null }
  } catch (error) {
    const { reason, hint } = explainFileFault(error, resolve(name), 'read')
    throw new AppError(CLI_ERRORS.usage, `The file ${name} cannot be read: ${reason}.`, { hint }, error)
  }
}

/** Reads a file, unpacking one named `.gz`. `onRead` hears how many bytes of the file, packed as they are, have been read so far. */
export async function* readInput({ name }: InputFile, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source: Readable = name === STDIN ? process.stdin : createReadStream(name, { highWaterMark: PIECE })
  const packed = counted(source, onRead)
  try {
    yield* name.endsWith('.gz') ? gunzip(packed, NO_UNPACKING_BOUNDS) : packed
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    throw new AppError(
      CLI_ERRORS.unreadableFile,
      `${name} cannot be read to its end: ${(error as Error).message}.`,
      {},
      error,
    )
  }
}

async function* counted(source: Readable, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    onRead(bytes)
    yield chunk
  }
}
