import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import type { ByteRange } from '../../store/port/file-store.ts'
import { HTTP_ERRORS } from '../errors.ts'

/** Reads `Range` (RFC 9110, 14.2): one range of bytes. Several, and what is no range, mean the whole; so does another content than `If-Range` names. */
export function rangeOf(headers: IncomingHttpHeaders, size: number, etag: string): ByteRange | null {
  const asked = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(headers.range ?? '')
  if (asked === null || (headers['if-range'] !== undefined && headers['if-range'] !== etag)) return null
  const [first = '', last = ''] = asked.slice(1)
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (from < size && from < to) return { from, to }
  throw new AppError(HTTP_ERRORS.rangeBeyond, `The file has ${size} bytes: there are none at ${headers.range}.`, {
    path: 'Range',
    size,
  })
}

/** Place of a body in the file that it is a part of. */
export interface BodyPlace {
  /** Null where no bytes are sent: all of them have been. */
  readonly from: number | null
  /** Null where the sender does not know it yet. */
  readonly total: number | null
}

/** Reads `Content-Range` (RFC 9110, 14.4); null without one. */
export function contentRange(headers: IncomingHttpHeaders): BodyPlace | null {
  const header = headers['content-range']
  if (header === undefined) return null
  const told = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header)
  const [from, last] = [Number(told?.[1]), Number(told?.[2])]
  const total = told?.[3] === '*' ? null : Number(told?.[3])
  if (told !== null && from <= last && (total === null || last < total)) return { from, total }
  const whole = /^bytes \*\/(\d{1,15})$/.exec(header)
  if (whole !== null && hasNoBytes(headers)) return { from: null, total: Number(whole[1]) }
  throw new AppError(
    HTTP_ERRORS.badRange,
    `Content-Range is ${JSON.stringify(header.slice(0, 80))}, which names no part of a file.`,
    {
      path: 'Content-Range',
      hint: 'Write it like bytes 1000-1999/2000; bytes */2000, without a body, when all of them have been sent.',
    },
  )
}

function hasNoBytes({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return length === '0' && encoding === undefined
}

/** Reads the SHA-256 of a whole file, in hexadecimal digits, of `Repr-Digest` or `Content-Digest` (RFC 9530); null without one. */
export function digestOf(headers: IncomingHttpHeaders, isPart: boolean): string | null {
  const name = headers['repr-digest'] === undefined && !isPart ? 'content-digest' : 'repr-digest'
  const header = headers[name]
  if (typeof header !== 'string') return null
  const told = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(header)
  if (told !== null) return Buffer.from(told[1] ?? '', 'base64').toString('hex')
  throw new AppError(
    HTTP_ERRORS.badDigest,
    `${name === 'content-digest' ? 'Content-Digest' : 'Repr-Digest'} has no SHA-256 that can be checked.`,
    {
      path: name,
      hint: 'Write it like sha-256=:BASE64:.',
    },
  )
}
