import type { FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../../records/errors.ts'
import type { NamedFile } from '../../records/structure-files/structure-file.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { quoted } from './parameters.ts'

/** A multipart body: files, and fields that are none. */
export interface Upload {
  readonly files: readonly File[]
  /** Values by name, in order where a name is given more than once. */
  readonly fields: ReadonlyMap<string, readonly string[]>
}

/** Reads a body of type `multipart/form-data`; refuses fields that nobody would read. */
export async function readUpload(request: FastifyRequest, names: readonly string[]): Promise<Upload> {
  const files: File[] = []
  const fields = new Map<string, string[]>()
  for (const [name, value] of await parse(request)) {
    if (typeof value !== 'string') files.push(value)
    else if (names.includes(name)) fields.set(name, [...(fields.get(name) ?? []), value])
    else throw unknownField(name, names)
  }
  if (files.length === 0) {
    throw new AppError(HTTP_ERRORS.invalidBodyField, 'The form has no file.', {
      hint: 'Send each file as a part of its own that has a filename.',
    })
  }
  return { files, fields }
}

/** Gives the files one after the other, with their bytes. */
export async function* bytesOf(files: readonly File[]): AsyncGenerator<NamedFile> {
  for (const file of files) yield { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
}

async function parse(request: FastifyRequest): Promise<FormData> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  try {
    return await new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
  } catch (cause) {
    const message = 'The body is no multipart/form-data as its Content-Type says: a boundary or a part is damaged.'
    throw new AppError(RECORD_ERRORS.invalidBody, message, { path: 'body' }, cause)
  }
}

function unknownField(name: string, names: readonly string[]): AppError {
  return new AppError(HTTP_ERRORS.unknownBodyField, `The form has the field ${quoted(name)}, which is not read here.`, {
    path: name.slice(0, 80),
    hint: `The fields are: ${names.join(', ')}; anything else must be a file.`,
  })
}
