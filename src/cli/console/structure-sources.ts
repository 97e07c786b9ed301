import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync, constants as zlib } from 'node:zlib'
import { AppError } from '../../kernel/errors.ts'
import { explainFileFault, presenceOf } from '../../kernel/file-fault.ts'
import { fileChanged } from '../../records/import/frames-of-streams.ts'
import { isArchive } from '../../records/import/unpack-files.ts'
import type { FileStream, NamedFile } from '../../records/kinds/material/structure-files.ts'
import { DEFAULT_LIMITS } from '../../structure/crystal.ts'
import { decodeText } from '../../structure/formats/common/text-pieces.ts'
import { detectByName } from '../../structure/formats/detect.ts'
import { STRUCTURE_FORMATS } from '../../structure/formats/registry.ts'
import { CLI_ERRORS } from './errors.ts'
import { findInputFile, type InputFile, readInput, STDIN } from './input-file.ts'
import { startProgress } from './output.ts'

/** Files of an import, sorted by how they are read. */
export interface ImportSources {
  /** Files of records: JSON or NDJSON. */
  readonly records: readonly InputFile[]
  /** Structure files and archives of them. */
  readonly structures: readonly CandidateFile[]
  /** What lies in the directories and is not read. */
  readonly passedOver: readonly PassedOver[]
}

/** Something in a directory that an import does not read, and why. */
export interface PassedOver {
  readonly path: string
  readonly reason: string
  /** Whether it would have been read, had the system let this user. */
  readonly isRefused?: boolean
}

/** A file that is, or may be, a structure file or an archive of them. */
export interface CandidateFile {
  readonly path: string
  /** Whether somebody named the very file; one that lies in a directory may be something else altogether. */
  readonly isNamed: boolean
}

/** Flags for all files of an import: a kind makes them records, a format structure files. */
export interface ImportIntent {
  readonly kind?: string
  readonly key?: string
  readonly format?: string
  readonly frame?: number | 'all'
}

/** Bytes by which a file is told. */
const PEEK = 2 * 1024 * 1024

/** Finds the files that are meant; directories stand for all files below them. */
export function findSources(names: readonly string[], { kind, format, frame }: ImportIntent): ImportSources {
  if (names.includes(STDIN) && (format !== undefined || frame !== undefined)) throw structuresOfStdin()
  const records: InputFile[] = []
  const structures: CandidateFile[] = []
  const passedOver: PassedOver[] = []
  const add = (path: string, isNamed: boolean): void => {
    const isRecords = path === STDIN || kind !== undefined || (format === undefined && holdsRecords(path, isNamed))
    if (isRecords) records.push(findInputFile(path))
    else structures.push({ path, isNamed })
  }
  for (const name of names) {
    if (name !== STDIN && statSync(name, { throwIfNoEntry: false })?.isDirectory()) {
      for (const path of filesBelow(name, (one) => passedOver.push(one))) add(path, false)
    } else {
      add(findInputFile(name).name, true)
    }
  }
  return { records, structures, passedOver }
}

/** A set has the number and the hash of its file, which is read twice for that; nothing else makes structures of stdin. */
function structuresOfStdin(): AppError {
  const message =
    'Of stdin, records are read (JSON or NDJSON): structure files, which --format and --frame are for, have to be named.'
  return new AppError(CLI_ERRORS.usage, message, {
    hint: 'Write it to a file first, and import that: quarry import --frame all FILE.',
  })
}

/** Reads structure files one after the other, long ones as streams; calls back for those that were found but are none. */
export async function* readSources(
  sources: readonly CandidateFile[],
  passOver: (one: PassedOver) => void,
): AsyncGenerator<NamedFile | FileStream> {
  for (const { path, isNamed } of sources) {
    const isPacked = /\.gz$/i.test(path) && !isArchive(path)
    if (!isNamed && !isKnownByName(path) && !isRecognized(readStart(path)))
      passOver({ path, reason: 'of no known format' })
    else if (isArchive(path) || (!isPacked && statSync(path).size <= LONGEST))
      yield { name: path, bytes: readFileSync(path) }
    else yield isPacked ? await unpackedFile(path) : streamOf(path)
  }
}

/** Files of more bytes are streams. */
const LONGEST = DEFAULT_LIMITS.textLength

/** A packed file as it is unpacked; one that is damaged as it is, to be refused like any other. */
async function unpackedFile(path: string): Promise<NamedFile | FileStream> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of readInput(findInputFile(path), () => {})) {
      chunks.push(chunk)
      length += chunk.length
      if (length > LONGEST) return streamOf(path)
    }
  } catch {
    return { name: path, bytes: readFileSync(path) }
  }
  return { name: path.replace(/\.gz$/i, ''), bytes: Buffer.concat(chunks) }
}

/** A file that is read as often as is asked for; the first time, its structures are counted. */
function streamOf(path: string): FileStream {
  const name = path.replace(/\.gz$/i, '')
  const stateOf = (): string => {
    const { size, mtimeNs, ino } = statSync(path, { bigint: true })
    return [size, mtimeNs, ino].join()
  }
  let state: string | null = null
  return {
    name,
    async *open() {
      const file = findInputFile(path)
      const progress = startProgress(state === null ? `reading ${path}` : path)
      state ??= stateOf()
      try {
        for await (const chunk of readInput(file, (bytes) => progress.update(bytes, file.bytes))) {
          if (stateOf() !== state) throw fileChanged(name)
          yield chunk
        }
      } finally {
        progress.end()
      }
    },
  }
}

/** In the order of their names; what is hidden is left alone, and links are not followed. */
function filesBelow(directory: string, passOver: (one: PassedOver) => void): string[] {
  const entries = readdirSync(directory, { withFileTypes: true })
  const byName = entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  return byName.flatMap((entry) => {
    const path = join(directory, entry.name)
    const reason = reasonToLeave(entry, path)
    const refused = reason === null ? whyUnreadable(path) : null
    if (reason !== null) passOver({ path, reason })
    else if (refused !== null) passOver({ path, reason: refused, isRefused: true })
    else return entry.isDirectory() ? filesBelow(path, passOver) : [path]
    return []
  })
}

function reasonToLeave(entry: Dirent, path: string): string | null {
  if (entry.name.startsWith('.')) return 'hidden: its name begins with a dot'
  if (entry.isSymbolicLink()) {
    return presenceOf(path) === 'missing' ? 'a link to nothing' : 'a link, which is not followed: name it to import it'
  }
  return entry.isDirectory() || entry.isFile() ? null : 'neither a file nor a directory'
}

function whyUnreadable(path: string): string | null {
  try {
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    return `it cannot be read: ${explainFileFault(error, resolve(path), 'read').reason}`
  }
}

/** JSON is records, unless it is the JSON of a structure format that is no record. */
function holdsRecords(path: string, isNamed: boolean): boolean {
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path)) return true
  const isJson = /\.json(?:\.gz)?$/i.test(path)
  if (!isJson && (isKnownByName(path) || !isNamed)) return false
  const text = decodeText(readStart(path))
  if (!/^\s*[[{]/.test(text)) return isJson
  return !STRUCTURE_FORMATS.some((format) => format.name !== 'material' && format.recognizes(text))
}

function isKnownByName(path: string): boolean {
  return isArchive(path) || detectByName(path.replace(/\.gz$/i, '')) !== undefined
}

function isRecognized(start: Uint8Array): boolean {
  if (start.includes(0)) return false
  const text = decodeText(start)
  return STRUCTURE_FORMATS.some((format) => format.recognizes(text))
}

/** The beginning of a file, unpacked; nothing where it does not open. */
function readStart(path: string): Uint8Array {
  if (!statSync(path).isFile()) return new Uint8Array()
  const descriptor = openSync(path, 'r')
  try {
    const isPacked = path.endsWith('.gz')
    // Text is packed to a tenth, at best to a thousandth.
    const bytes = Buffer.alloc(isPacked ? PEEK / 32 : PEEK)
    const start = bytes.subarray(0, readSync(descriptor, bytes))
    return isPacked ? gunzipSync(start, { finishFlush: zlib.Z_SYNC_FLUSH }).subarray(0, PEEK) : start
  } catch {
    return new Uint8Array()
  } finally {
    closeSync(descriptor)
  }
}
