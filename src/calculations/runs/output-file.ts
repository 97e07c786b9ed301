import { createReadStream, type ReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip, constants as zlib } from 'node:zlib'
import { AppError } from '../../kernel/errors.ts'
import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import { TextDecoding } from '../../structure/formats/common/text-pieces.ts'
import { STRUCTURE_FORMATS } from '../../structure/formats/registry.ts'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputFormat } from '../calculation.ts'
import { detectOutput, outputCalled } from '../formats/output-formats.ts'

/** A file as a thread reads it. Plain data, which goes there. */
export interface LocalFile {
  /** As it is called for people; its last part may tell what it is. */
  readonly name: string
  readonly path: string
}

const HEAD_CHARACTERS = 64 * 1024

/** Tells what a file is: an output of a format, a structure, or null where it is neither. One that is damaged is what it is called, so that whoever reads it says why not. */
export async function kindOfFile(file: LocalFile): Promise<OutputFormat | 'structure' | null> {
  const { head, isDamaged } = await headOf(file)
  if (isDamaged) return detectOutput(file.name, head) ?? outputCalled(file.name)
  return detectOutput(file.name, head) ?? (isStructure(head) ? 'structure' : null)
}

function isStructure(head: string): boolean {
  return !head.includes('\0') && STRUCTURE_FORMATS.some((format) => format.recognizes(head))
}

async function headOf(file: LocalFile): Promise<{ readonly head: string; readonly isDamaged: boolean }> {
  let head = ''
  let isDamaged = false
  try {
    for await (const text of textOf(file)) {
      head += text
      if (head.length >= HEAD_CHARACTERS) break
    }
  } catch {
    isDamaged = true
  }
  return { head: head.slice(0, HEAD_CHARACTERS), isDamaged }
}

async function* textOf({ name, path }: LocalFile): AsyncGenerator<string> {
  const decoding = new TextDecoding()
  try {
    for await (const piece of unpacked(name, createReadStream(path))) {
      yield decoding.read(piece)
    }
  } catch (error) {
    throw refusalOf(error)
  }
  yield decoding.read(new Uint8Array(), true)
}

/** Refuses a file that is damaged, was taken away or may not be read; a fault of the disk concerns all. */
function refusalOf(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (error instanceof AppError) return error
  if (code.startsWith('Z_')) return refusal(FORMAT_ERRORS.malformed, `What is packed in it is damaged: ${message}.`)
  if (!UNREADABLE.has(code)) return error
  return refusal(FORMAT_ERRORS.malformed, `The file cannot be read: ${code}.`)
}

const UNREADABLE: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM', 'EISDIR'])

/** The bytes of a file; what is packed comes as fast as it is used, so that nothing of it is held. What is still being packed ends where it ends, as any other output. */
function unpacked(name: string, bytes: ReadStream): AsyncIterable<Buffer> {
  if (!/\.gz$/i.test(name)) return bytes
  const unpacker = createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH })
  bytes.on('error', (error) => unpacker.destroy(error))
  unpacker.on('close', () => bytes.destroy())
  return bytes.pipe(unpacker)
}

/** Reads an output; refuses what cannot be read. */
export async function readOutput(file: LocalFile, { source }: OutputFormat): Promise<readonly Calculation[]> {
  if (source.kind === 'text') {
    const reader = source.open(DEFAULT_OUTPUT_LIMITS)
    for await (const text of textOf(file)) reader.write(text)
    return reader.end()
  }
  const workFolder = await mkdtemp(join(tmpdir(), 'quarry-output-'))
  try {
    const calculations: Calculation[] = []
    for await (const one of source.read({ path: file.path, workFolder }, DEFAULT_OUTPUT_LIMITS)) calculations.push(one)
    return calculations
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}
