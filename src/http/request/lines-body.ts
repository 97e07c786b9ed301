import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { unsupportedEncoding, unsupportedType } from '../plugins/body-parsers.ts'

/** Reads the body as it arrives; each part is taken when the one before has been used. */
export function bodyLines(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const { body } = request
  if (!(body instanceof Readable)) throw unsupportedType(request)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return body
  if (encoding !== 'gzip') throw unsupportedEncoding(`the encoding ${encoding}`)
  return unpacked(body)
}

async function* unpacked(packed: Readable): AsyncGenerator<Uint8Array> {
  try {
    // A failure of either comes out of the stream that is read.
    yield* pipeline(packed, createGunzip(), () => {})
  } catch (error) {
    if (!((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_')) throw error
    const message = `The body is not what gzip writes: ${(error as Error).message}.`
    throw new AppError(HTTP_ERRORS.invalidBody, message, { path: 'body' }, error)
  }
}
