import { type Beside, NOTHING_BESIDE } from '../response/beside.ts'
import { JSON_TYPE } from '../response/json-type.ts'
import type { NextAddress } from '../response/next-page.ts'
import { STANDARD_HEADERS } from '../response/standard-headers.ts'

/** A successful answer to a GET: what is in it does not depend on when, or how often, it is sent. */
export interface Answer {
  /** What the envelope holds, as JSON text. */
  readonly data: string | Buffer
  /** What follows the data, up to the end of the body. */
  readonly tail: string
  /** The length of the whole body on the wire. */
  readonly bytes: number
  readonly etag: string
  /** The path and query of the page after this one; where it begins is the client's way to the server, which is told when it is sent. */
  readonly next: string | null
  /** The headers that are the same each time: name, value, name, value. */
  readonly headers: readonly string[]
  /** True when every character of the body is one byte on the wire. */
  readonly isAscii: boolean
}

/** What stands before the data in the body of a success. */
export const ENVELOPE_HEAD = '{"status":"success","data":'

/** In characters. Longer data is written as it is: to copy it would cost more than a second piece does. */
const LONGEST_TEXT = 12 * 1024

/** On every answer to a GET, one that says that nothing has changed included. */
export const COMMON_HEADERS = Object.entries({ ...STANDARD_HEADERS, 'cache-control': 'private, no-cache' }).flat()

/** Makes an answer of data that is JSON text, with the headers that every answer has. */
export function makeAnswer(
  data: string | Buffer,
  etag: string,
  next: NextAddress | null = null,
  beside: Beside = NOTHING_BESIDE,
): Answer {
  const tail = tailOf(beside)
  const kept = keptAs(data)
  const length = Buffer.byteLength(data) + Buffer.byteLength(tail)
  const bytes = ENVELOPE_HEAD.length + length
  const headers = [
    'content-type',
    JSON_TYPE,
    'content-length',
    String(bytes),
    'etag',
    etag,
    ...cursorHeaders(next),
    ...beside.headers,
  ]
  return {
    data: kept,
    tail,
    bytes,
    etag,
    next: next?.path ?? null,
    headers,
    isAscii: length === kept.length + tail.length,
  }
}

function cursorHeaders(next: NextAddress | null): readonly string[] {
  return next === null ? [] : ['x-next-cursor', next.cursor]
}

/** The value of `Link` for a client that reaches the server at a base address. */
export function linkTo(base: string, next: string): string {
  return `<${base}${next}>; rel="next"`
}

/** Short data goes into one text with the head, long data as bytes beside it: each costs the least for what it is. */
function keptAs(data: string | Buffer): string | Buffer {
  if (typeof data === 'string') return data.length > LONGEST_TEXT ? Buffer.from(data) : data
  return data.length > LONGEST_TEXT ? data : data.toString()
}

/** What follows the data in the body of a success. */
export function tailOf({ text }: Beside): string {
  return `${text}}`
}

/** The whole body of an answer. */
export function bodyOf({ data, tail }: Pick<Answer, 'data' | 'tail'>): string | Buffer {
  if (typeof data === 'string') return ENVELOPE_HEAD + data + tail
  return Buffer.concat([Buffer.from(ENVELOPE_HEAD), data, Buffer.from(tail)])
}
