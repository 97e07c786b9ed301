import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isArchive } from '../../records/import/unpack-files.ts'
import type { NamedFile } from '../../records/kinds/material/structure-files.ts'
import { decodeText } from '../../structure/formats/common/text-pieces.ts'
import { detectByName } from '../../structure/formats/detect.ts'
import { STRUCTURE_FORMATS } from '../../structure/formats/registry.ts'
import { findInputFile, type InputFile, STDIN } from './input-file.ts'

/** Files of an import, sorted by how they are read. */
export interface ImportSources {
  /** Files of records: JSON or NDJSON. */
  readonly records: readonly InputFile[]
  /** Structure files and archives of them. */
  readonly structures: readonly CandidateFile[]
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
  readonly format?: string
}

/** Longer files are no structure files, and are not looked into. */
const LONGEST_PEEK = 10 * 1024 * 1024

/** Finds the files that are meant; directories stand for all files below them. */
export function findSources(names: readonly string[], { kind, format }: ImportIntent): ImportSources {
  const records: InputFile[] = []
  const structures: CandidateFile[] = []
  const add = (path: string, isNamed: boolean): void => {
    const isRecords = path === STDIN || kind !== undefined || (format === undefined && holdsRecords(path, isNamed))
    if (isRecords) records.push(findInputFile(path))
    else structures.push({ path, isNamed })
  }
  for (const name of names) {
    if (name !== STDIN && statSync(name, { throwIfNoEntry: false })?.isDirectory()) {
      for (const path of filesBelow(name)) add(path, false)
    } else {
      add(findInputFile(name).name, true)
    }
  }
  return { records, structures }
}

/** Reads structure files one after the other; calls back for those that were found but are none. */
export async function* readSources(
  sources: readonly CandidateFile[],
  passOver: (path: string) => void,
): AsyncGenerator<NamedFile> {
  for (const { path, isNamed } of sources) {
    const bytes = readFileSync(path)
    if (isNamed || isKnownByName(path) || isRecognized(bytes)) yield { name: path, bytes }
    else passOver(path)
  }
}

/** In the order of their names; what is hidden is left alone, and links are not followed. */
function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  const byName = entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  return byName.flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** JSON is records, unless it is the JSON of a structure format that is no record. */
function holdsRecords(path: string, isNamed: boolean): boolean {
  if (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(path)) return true
  const isJson = /\.json(?:\.gz)?$/i.test(path)
  if (!isJson && (isKnownByName(path) || !isNamed)) return false
  const text = peek(path)
  if (!/^\s*[[{]/.test(text)) return isJson
  return !STRUCTURE_FORMATS.some((format) => format.name !== 'material' && format.recognizes(text))
}

function isKnownByName(path: string): boolean {
  return isArchive(path) || detectByName(path.replace(/\.gz$/i, '')) !== undefined
}

function isRecognized(bytes: Uint8Array): boolean {
  if (bytes.length > LONGEST_PEEK || bytes.includes(0)) return false
  const text = decodeText(bytes)
  return STRUCTURE_FORMATS.some((format) => format.recognizes(text))
}

/** The text of a file; empty when it is too long, or packed in a way that does not open. */
function peek(path: string): string {
  const stats = statSync(path)
  if (!stats.isFile() || stats.size > LONGEST_PEEK) return ''
  const bytes = readFileSync(path)
  if (!path.endsWith('.gz')) return decodeText(bytes)
  try {
    return decodeText(gunzipSync(bytes, { maxOutputLength: LONGEST_PEEK }))
  } catch {
    return ''
  }
}
