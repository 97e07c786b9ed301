import { createHash } from 'node:crypto'
import { type ClientBytes, type PackedBytes, packBytes, wholeBytes } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../../kernel/strict-json.ts'
import { remedied } from '../../page/remedies.ts'
import { EVERYTHING } from '../../query/ast/filter.ts'
import { clip, rootContext } from '../../query/context.ts'
import { parseFields } from '../../query/fields/parse-fields.ts'
import { projectDocument } from '../../query/fields/project-document.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../query/plan.ts'
import { ownText } from '../../store/port/derived-text.ts'
import type { StructureLimits } from '../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import type { FileFrame } from '../../structure/formats/common/splitter.ts'
import { decodedPieces } from '../../structure/formats/common/text-pieces.ts'
import { FramesOfText } from '../../structure/formats/frames-of-text.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { FilePart } from '../kinds/material/structure-files.ts'

/** Deeper than any setting lets a record or query be: those say it in their own terms. */
const MAX_DEPTH = 1_300

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Reads what a client sent as a JSON object. */
export function readBody(bytes: Uint8Array): JsonObject {
  const value = bytes.length === 0 ? undefined : readJson(bytes)
  if (isJsonObject(value)) return value
  const found =
    value === undefined
      ? 'there is no body'
      : `the body is ${Array.isArray(value) ? 'an array' : JSON.stringify(value).slice(0, 40)}`
  throw new AppError(RECORD_ERRORS.bodyNotAnObject, `A JSON object is expected as body, but ${found}.`, {
    hint: 'Send {"…": …} with Content-Type: application/json.',
  })
}

/** Reads what a client sent as JSON; refuses with line and column what is ambiguous. */
export function readJson(bytes: Uint8Array): Json {
  try {
    return readStrictJson(bodyText(bytes), { maxDepth: MAX_DEPTH })
  } catch (error) {
    throw error instanceof StrictJsonError ? jsonRefusal(error) : error
  }
}

/** Decodes a body; what is not UTF-8 is refused instead of being read with replacement characters. */
export function bodyText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch (cause) {
    throw new AppError(RECORD_ERRORS.invalidBody, 'The body is not UTF-8.', { path: 'body' }, cause)
  }
}

function jsonRefusal(error: StrictJsonError): AppError {
  const { message, line, column, hint } = error
  return new AppError(
    RECORD_ERRORS.invalidBody,
    `${message}, at line ${line}, column ${column} of the body.${hint === undefined ? '' : ` ${hint}`}`,
    { path: clip(error.path, 200), line, column, ...(hint === undefined ? {} : { hint }) },
    error,
  )
}

/** Stored texts up to so many characters are looked into wherever one is; longer ones by the threads that make records. */
export const SHORT_TEXT = 64 * 1024

/** Reads some fields of a stored record; those that it does not have are left out. */
export function pickFields(text: string, names: readonly string[]): JsonObject {
  const document = JSON.parse(text) as JsonObject
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = ownField(document, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The text of a stored record with other values in some of its fields. */
export function putFields(text: string, fields: JsonObject): string {
  return JSON.stringify({ ...(JSON.parse(text) as JsonObject), ...fields })
}

/** The text of a stored record with the fields that are asked for, as a list has them; what names none, or those to leave out, is not given what is derived. */
export function projectText(text: string, asked: JsonObject): string {
  const fields = parseFields(asked, rootContext(DEFAULT_QUERY_BOUNDS, 'fields'))
  if (fields === null) return ownText(text)
  const shown = fields.mode === 'exclusion' ? ownText(text) : text
  return JSON.stringify(projectDocument(JSON.parse(shown) as JsonObject, fields, EVERYTHING))
}

/** Fields of a body that are read. */
export interface BodyFields {
  readonly names: readonly string[]
  /** That one of them which may be long. */
  readonly long: string
}

/** Parts read of a long body. */
export interface LongFields {
  readonly fields: JsonObject
  /** The text of the long field, or the JSON text of what is no text there, as UTF-8; null where it is not in the body, or nothing but white space. */
  readonly text: Uint8Array<SharedArrayBuffer> | null
}

/** A form: its files, and its fields in their order. Plain data, which goes to another thread. */
export interface Form {
  readonly files: PackedFiles
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Files by their names, and their contents in that order. */
export interface PackedFiles {
  readonly names: readonly string[]
  readonly contents: PackedBytes
}

/** More files than an import takes out of one form, and more fields than anybody has use for. What is beyond it is told of, and not read. */
export const MOST_PARTS = 10_000

/** Longest part of the name of an unknown field that is told. */
const NAME_LENGTH = 200

/** Reads the fields of a long body. Of those that are not known, one comes back as null, so that it can be refused. */
export function readLongBody(bytes: ClientBytes, { names, long }: BodyFields): LongFields {
  const body = readBody(wholeBytes(bytes))
  const fields: Record<string, Json> = {}
  for (const name of names) {
    const value = name === long ? undefined : ownField(body, name)
    if (value !== undefined) fields[name] = shortValue(name, value)
  }
  const other = Object.keys(body).find((name) => !names.includes(name))
  if (other !== undefined) setOwnField(fields, other.slice(0, NAME_LENGTH), null)
  const text = textOf(ownField(body, long))
  return { fields, text: text === null ? null : packBytes([Buffer.from(text)]).content }
}

/** A text that is to be read, or the JSON text of what is none; null where there is nothing. */
export function textOf(value: Json | undefined): string | null {
  if (isJsonObject(value) || Array.isArray(value)) return JSON.stringify(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function shortValue(name: string, value: Json): Json {
  assertShort(name, typeof value === 'string' ? value : JSON.stringify(value))
  return value
}

/** Reads a body of type `multipart/form-data`. */
export async function readForm(bytes: ClientBytes, type: string): Promise<Form> {
  const names: string[] = []
  const contents: Uint8Array[] = []
  const fields: [string, string][] = []
  const whole = wholeBytes(bytes)
  assertFewParts(whole)
  for (const [name, value] of await parseForm(whole, type)) {
    if (typeof value === 'string') {
      assertShort(name, value)
      if (fields.length === MOST_PARTS) throw tooManyFields(MOST_PARTS, 'fields')
      fields.push([name, value])
      // One more than is taken, so that whoever takes them can tell of it.
    } else if (names.length <= MOST_PARTS) {
      names.push(value.name)
      contents.push(new Uint8Array(await value.arrayBuffer()))
    }
  }
  return { files: { names, contents: packBytes(contents) }, fields }
}

/** A form of as many files and fields as are read has so many parts. A part that is taken apart costs some microseconds, and a megabyte has room for ten thousand. */
const MOST_IN_ALL = 2 * MOST_PARTS

const LINE_END = '\r\n'

/** Counts the lines that are the same as the first one of a form, which is before each part and, with more in it, behind the last (RFC 7578, 4.1). */
function assertFewParts(form: Uint8Array): void {
  const bytes = Buffer.from(form.buffer, form.byteOffset, form.byteLength)
  let start = 0
  while (bytes.subarray(start, start + LINE_END.length).equals(Buffer.from(LINE_END))) start += LINE_END.length
  const end = bytes.indexOf(LINE_END, start, 'latin1')
  if (end < 0) return
  const between = Buffer.concat([Buffer.from(LINE_END), bytes.subarray(start, end)])
  let parts = 1
  for (let at = bytes.indexOf(between, end); at >= 0; at = bytes.indexOf(between, at + between.length)) {
    parts += 1
    if (parts > MOST_IN_ALL + 1) throw tooManyFields(MOST_IN_ALL, 'parts')
  }
}

function tooManyFields(most: number, what: 'fields' | 'parts'): AppError {
  return new AppError(RECORD_ERRORS.invalidBody, `The form has more than ${most} ${what}.`, { path: 'body' })
}

async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    const message = 'The body is no multipart/form-data as its Content-Type says: a boundary or a part is damaged.'
    throw new AppError(RECORD_ERRORS.invalidBody, message, { path: 'body' }, cause)
  }
}

function assertShort(name: string, text: string): void {
  if (text.length <= SHORT_TEXT) return
  const field = name.slice(0, 80)
  const message = `The field ${JSON.stringify(field)} has ${text.length} characters; at most ${SHORT_TEXT} are read there.`
  throw new AppError(RECORD_ERRORS.fieldTooLong, message, { path: field, limit: SHORT_TEXT })
}

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

/** Takes a file apart; null where it holds one structure. Refuses one of more structures than `most`, and stops there. */
export function takeFileApart(
  { file, fileName, format, most }: WholeFile,
  limits: StructureLimits,
): FramesOfFile | null {
  const frames = new FramesOfText({ limits, fileName, format })
  const hash = createHash('sha256')
  const texts: Uint8Array[] = []
  const take = (some: Iterable<FileFrame>): void => {
    for (const { text, refusal } of some) {
      if (refusal !== undefined) throw refusal
      if (frames.count > Math.max(1, most)) throw tooManyFrames(most)
      texts.push(Buffer.from(text))
    }
  }
  for (const piece of typeof file === 'string' ? [file] : decodedPieces(file)) {
    hash.update(piece)
    take(frames.read(piece))
  }
  take(frames.end())
  if (frames.count < 2) return null
  return { format: frames.format.name, texts: packBytes(texts), hash: hash.digest('hex') }
}

function tooManyFrames(most: number): AppError {
  return refusal(
    FORMAT_ERRORS.tooManyFrames,
    `The file holds more than ${most} structures.`,
    remedied('framesByCommand'),
  )
}

/** By which a structure file is told from all others. */
export function hashOfFile(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
