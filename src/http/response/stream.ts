import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { FieldPath } from '../../query/ast/filter.ts'
import type { RequestContext } from '../exchange/context.ts'
import { acceptsGzip, LINES_TYPE } from '../exchange/head.ts'
import { contentResponse, type Headers, type Response, warningHeaders } from '../exchange/response.ts'
import { invalidParameter, type Parameters } from '../request/parameters.ts'

/** RFC 4180, with a line of names before the records. */
const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

const LINE_END = '\r\n'

/** Turns chunks of NDJSON lines into lines of CSV, the names of the columns first. */
async function* csvOf(chunks: AsyncIterable<Uint8Array>, columns: readonly FieldPath[]): AsyncGenerator<Buffer> {
  yield Buffer.from(columns.map(({ text }) => cellOf(text)).join(',') + LINE_END)
  for await (const chunk of chunks) {
    const lines = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString().split('\n')
    const rows = lines.filter((line) => line !== '').map((line) => rowOf(JSON.parse(line), columns))
    yield Buffer.from(rows.join(''))
  }
}

function rowOf(document: JsonObject, columns: readonly FieldPath[]): string {
  return columns.map(({ parts }) => cellOf(valueAt(document, parts))).join(',') + LINE_END
}

/** Value at a path of a document; through arrays, the values of all their elements. */
function valueAt(value: Json | undefined, parts: readonly string[]): Json | undefined {
  const [first, ...others] = parts
  if (first === undefined) return value
  if (isJsonObject(value)) return valueAt(ownField(value, first), others)
  if (!isJsonArray(value)) return undefined
  const found = value.flatMap((element) => (isJsonObject(element) ? [valueAt(element, parts)] : []))
  const values = found.flatMap((one) => (one === undefined ? [] : [one]))
  return values.length === 0 ? undefined : values
}

/** A text that a program for tables would take for a formula; some look at the half-width form of signs, and behind white space. */
const FORMULA = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/

/** Writes a value: numbers and truth as JSON has them, lists and objects as JSON text, what is missing or null as nothing. */
function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))
  return quoted(FORMULA.test(value) ? `'${value}` : value)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Packing of lines on the wire: as they are, compressed on the way, or as a compressed file. */
type Packing = 'none' | 'encoding' | 'file'

/** Reads `?gzip`, and else what the client accepts. */
export function packingOf(context: RequestContext, parameters: Parameters): Packing {
  const text = parameters.get('gzip')
  if (text !== undefined && text !== '' && text !== 'true') throw invalidParameter('gzip', text, 'true, or no value')
  if (text !== undefined) return 'file'
  return acceptsGzip(context.headers['accept-encoding']) ? 'encoding' : 'none'
}

/** Records on their way out. */
export interface Lines {
  /** File name without extension: the name of the records. */
  readonly name: string
  readonly packing: Packing
  readonly lines: AsyncIterable<Uint8Array>
  /** Fields that are columns of a table; null: whole lines. */
  readonly columns: readonly FieldPath[] | null
  /** Warnings, by whether there is any record; may refuse. */
  readonly warnings: (isEmpty: boolean) => Promise<readonly Warning[]>
}

/** Says that what breaks off is asked for from its beginning: a stream is of the records as they are at its turn, which another one is not. */
const NO_PARTS = { 'accept-ranges': 'none' }

/** Records as lines of a file. Nothing is read ahead of the client, whose going ends the reading. */
export async function linesResponse({ name, packing, lines: chunks, columns, warnings }: Lines): Promise<Response> {
  // Before anything is said of the answer: what cannot be started is refused in the envelope.
  const { rest, isEmpty } = await begun(chunks)
  const told = await orEnd(rest, async () => warningHeaders(await warnings(isEmpty)))
  const lines = columns === null ? rest : csvOf(rest, columns)
  const fileName = `${name}.${columns === null ? 'ndjson' : 'csv'}${packing === 'file' ? '.gz' : ''}`
  const plain = columns === null ? `${LINES_TYPE}; charset=utf-8` : CSV_TYPE
  return contentResponse(packing === 'file' ? 'application/gzip' : plain, packing === 'none' ? lines : gzipped(lines), {
    vary: 'Accept-Encoding',
    ...NO_PARTS,
    'content-disposition': `attachment; filename="${fileName}"`,
    ...(packing === 'encoding' ? { 'content-encoding': 'gzip' } : {}),
    ...told,
  })
}

function gzipped(lines: AsyncIterable<Uint8Array>): Readable {
  return pipeline(Readable.from(lines, { objectMode: false }), createGzip({ level: constants.Z_BEST_SPEED }), () => {})
}

/** Waits for the first chunk. No generator, which would not pass an end on that comes before its own beginning. */
async function begun(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly rest: AsyncIterable<Uint8Array>; readonly isEmpty: boolean }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const start = await iterator.next()
  let first: Promise<IteratorResult<Uint8Array>> | null = Promise.resolve(start)
  const rest: AsyncIterator<Uint8Array> = {
    next() {
      const next = first ?? iterator.next()
      first = null
      return next
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
  return { rest: { [Symbol.asyncIterator]: () => rest }, isEmpty: start.done === true }
}

/** Ends the reading when what comes before it fails. */
async function orEnd<Result>(chunks: AsyncIterable<Uint8Array>, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    await chunks[Symbol.asyncIterator]().return?.()
    throw error
  }
}

/** Headers with which a client keeps an answer as a file. */
export interface DownloadHead {
  readonly type: string
  /** Letters, digits, hyphens and dots only. */
  readonly fileName: string
  readonly headers?: Headers
}

/** Text or a stream of bytes as a file. */
export function fileResponse(
  { type, fileName, headers = {} }: DownloadHead,
  content: string | AsyncIterable<Uint8Array>,
): Response {
  const parts = typeof content === 'string' ? {} : NO_PARTS
  return contentResponse(type, content, {
    'content-disposition': `attachment; filename="${fileName}"`,
    ...parts,
    ...headers,
  })
}
