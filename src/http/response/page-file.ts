import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { RequestContext } from '../exchange/context.ts'
import type { Response } from '../exchange/response.ts'

export const HTML = 'text/html; charset=utf-8'

/** Encodings of a file, the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** A file that the pages for people are made of, held in memory and served as it is. */
export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  /** Follows from the bytes: the same in every process that serves the same file. */
  readonly etag: string
  /** The same file, compressed; what is not smaller so is not there. */
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>
  /** Whether its name changes with its content, so that it need never be asked for again. */
  readonly isNamedByContent: boolean
}

interface PageFileOptions {
  readonly encoded?: Readonly<Partial<Record<Encoding, Buffer>>>
  readonly isNamedByContent?: boolean
}

export function pageFile(type: string, bytes: Buffer, options: PageFileOptions = {}): PageFile {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const { encoded = { gzip: gzipSync(bytes) }, isNamedByContent = false } = options
  return { type, bytes, etag, encoded, isNamedByContent }
}

/** Pages load from this server and talk to it alone; only files of their own run, no text becomes HTML, no other site frames them. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  // Forms are sent by script; without it, a password must not end up in an address.
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // No policy is in use, by which a text could become HTML or a script.
  "trusted-types 'none'",
].join('; ')

const FILE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
}

/** Kept, and asked for again with its tag: a new version is seen at once. */
const ASKED_AGAIN = 'no-cache'
const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable'

/** A file in the smallest way that its reader takes. */
export function pageFileResponse({ headers: asked }: RequestContext, file: PageFile): Response {
  const encoding = encodingFor(file, asked['accept-encoding'])
  // The same content in another encoding is other bytes.
  const etag = encoding === null ? file.etag : `${file.etag.slice(0, -1)}-${encoding}"`
  const headers = {
    ...FILE_HEADERS,
    'content-type': file.type,
    'cache-control': file.isNamedByContent ? KEPT_FOR_GOOD : ASKED_AGAIN,
    etag,
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  }
  return { status: 200, headers, body: (encoding === null ? null : file.encoded[encoding]) ?? file.bytes }
}

/** Browsers say that they want HTML. */
export function asksForHtml({ headers: { accept = '' } }: RequestContext): boolean {
  return /text\/html|application\/xhtml/.test(accept)
}

/** A document where there is nothing else to show: nobody keeps it. */
export function lostPageResponse(html: string): Response {
  const headers = { ...FILE_HEADERS, 'content-type': HTML, 'cache-control': 'no-store' }
  return { status: 404, headers, body: html }
}

/** The smallest encoding that the file has and the reader takes (RFC 9110, 12.5.3); null for none. */
function encodingFor({ encoded, bytes }: PageFile, accepted = ''): Encoding | null {
  const taken = new Map(accepted.split(',').map((one) => readCoding(one)))
  const takes = (encoding: Encoding) => (taken.get(encoding) ?? taken.get('*') ?? 0) > 0
  const isSmaller = (encoding: Encoding) => (encoded[encoding]?.length ?? bytes.length) < bytes.length
  return ENCODINGS.find((encoding) => takes(encoding) && isSmaller(encoding)) ?? null
}

/** Reads `gzip;q=0.5`. What is no number is no wish to have it. */
function readCoding(text: string): [name: string, quality: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((one) => one.startsWith('q='))
  return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0]
}

/** Sends a browser to the address that a page has; relative to the one that was asked for, which a proxy may have changed. */
export function redirectResponse(location: string): Response {
  return { status: 308, headers: { location }, body: '' }
}
