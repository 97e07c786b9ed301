import { createReadStream, statSync } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError } from '../kernel/errors.ts'
import { CLI_ERRORS } from './errors.ts'

/** The name that stands for stdin. */
export const STDIN = '-'

/** A file, or stdin, that a command reads from the start to the end. */
export interface InputFile {
  /** As it was given. */
  readonly name: string
  /** Null for stdin, which does not know. */
  readonly bytes: number | null
}

/** Looks at a file that is going to be read; refuses one that is not there before anything has been done. */
export function findInputFile(name: string): InputFile {
  if (name === STDIN) return { name, bytes: null }
  try {
    const stats = statSync(name)
    if (stats.isDirectory()) throw new Error('it is a directory')
    return { name, bytes: stats.isFile() ? stats.size : null }
  } catch (error) {
    throw new AppError(CLI_ERRORS.usage, `The file ${name} cannot be read: ${(error as Error).message}.`, {}, error)
  }
}

/**
 * Reads a file; one whose name ends in `.gz` is unpacked. `onRead` hears how many bytes of the file, packed as they are,
 * have been read so far.
 */
export async function* readInput({ name }: InputFile, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source: Readable = name === STDIN ? process.stdin : createReadStream(name)
  const packed = counted(source, onRead)
  try {
    yield* name.endsWith('.gz') ? unpacked(packed) : packed
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

function unpacked(packed: AsyncIterable<Buffer>): Readable {
  // A failure of either comes out of the stream that is read.
  return pipeline(packed, createGunzip(), () => {})
}
