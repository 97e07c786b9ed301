import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { STANDARD_HEADERS } from './answer.ts'
import { namesTag, sendNothing } from './send.ts'

/** A file that the pages for people are made of, held in memory and served as it is. */
export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  /** Follows from the bytes: the same in every process that serves the same file. */
  readonly etag: string
}

export function pageFile(type: string, bytes: Buffer): PageFile {
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

/**
 * Pages load from this server and talk to it alone; nothing runs that is not a file of its own, no text becomes HTML, and
 * no other site shows them in a frame.
 */
const CONTENT_SECURITY_POLICY = [
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
].join('; ')

const FILE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  // Kept, and asked for again with its tag: a new version is seen at once.
  'cache-control': 'no-cache',
}

/** Sends a file, or 304 to whoever has it. */
export function sendPageFile(reply: FastifyReply, { type, bytes, etag }: PageFile): FastifyReply {
  const { request } = reply
  const headers = { ...FILE_HEADERS, etag }
  const known = request.headers['if-none-match']
  if (known !== undefined && namesTag(known, etag)) return sendNothing(reply, 304, headers)
  return reply
    .headers({ ...STANDARD_HEADERS, ...headers, 'x-request-id': request.id })
    .type(type)
    .send(bytes)
}

/** Sends a browser to the address that a page has; relative to the one that was asked for, which a proxy may have changed. */
export function sendElsewhere(reply: FastifyReply, location: string): FastifyReply {
  return reply
    .headers({ ...STANDARD_HEADERS, location, 'x-request-id': reply.request.id })
    .code(308)
    .send()
}
