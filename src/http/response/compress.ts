import { constants, gzip } from 'node:zlib'
import type { Response } from '../exchange/response.ts'

/** Bytes of a body from which on it is compressed: below, the processor has more of it than the wire. */
export const LEAST_COMPRESSED = 16 * 1024
/** Share of a body that its compressed form has at the most: what saves less is sent as it is. */
export const MOST_KEPT = 1 / 2

/** Tells whether an answer of so many bytes is one that is compressed for who takes that. */
export function isCompressible({ headers }: Response, bytes: number): boolean {
  return (
    bytes >= LEAST_COMPRESSED &&
    headers['content-encoding'] === undefined &&
    /^application\/(?:[\w.]+\+)?json\b/.test(headers['content-type'] ?? '')
  )
}

/** Compresses on a thread that is not the one of requests. */
export async function gzipped(body: string | Buffer): Promise<Buffer | null> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const packed = await new Promise<Buffer | null>((resolve) => {
    gzip(bytes, { level: constants.Z_BEST_SPEED }, (error, result) => resolve(error === null ? result : null))
  })
  return packed === null || packed.length > bytes.length * MOST_KEPT ? null : packed
}
