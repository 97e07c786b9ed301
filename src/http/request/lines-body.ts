import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../../records/errors.ts'
import { gunzip, isGzipFault } from '../../records/import/gunzip.ts'
import { unsupportedEncoding, unsupportedType } from '../plugins/body-parsers.ts'
import { userOf } from './user-of.ts'

/** Reads the body as it arrives; each part is taken when the one before has been used. */
export function bodyLines(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const { body } = request
  if (!(body instanceof Readable)) throw unsupportedType(request)
  const encoding = request.headers['content-encoding'] ?? 'identity'
  const parts = arriving(body, () => request.server.intake.throwAway(userOf(request), request.raw))
  if (encoding === 'identity') return parts
  if (encoding !== 'gzip') throw unsupportedEncoding(`the encoding ${encoding}`)
  return unpacked(parts)
}

/** When nobody wants more of a body, the rest is thrown away as it comes: the next request on the connection is behind it. */
async function* arriving(body: Readable, throwAway: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } finally {
    throwAway()
  }
}

async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzip(packed)
  } catch (error) {
    if (!isGzipFault(error)) throw error
    const message = `The body is not what gzip writes: ${error.message}.`
    throw new AppError(RECORD_ERRORS.invalidBody, message, { path: 'body' }, error)
  }
}
