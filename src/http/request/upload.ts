import type { FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import type { NamedFile } from '../../records/structure-files/structure-file.ts'
import type { RecordWork } from '../../records/work/record-work.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { bodyBytes } from './body.ts'
import { sessionOf } from './fastify-request.ts'
import { quoted } from './parameters.ts'

/** A multipart body: files, and fields that are none. */
export interface Upload {
  readonly files: readonly NamedFile[]
  /** Values by name, in order where a name is given more than once. */
  readonly fields: ReadonlyMap<string, readonly string[]>
}

/** Reads a body of type `multipart/form-data` on another thread; refuses fields that nobody would read. */
export async function readUpload(work: RecordWork, request: FastifyRequest, names: readonly string[]): Promise<Upload> {
  const type = request.headers['content-type'] ?? ''
  const form = await work.readForm(sessionOf(request).user.id, bodyBytes(request), type)
  const fields = new Map<string, string[]>()
  for (const [name, value] of form.fields) {
    if (!names.includes(name)) throw unknownField(name, names)
    fields.set(name, [...(fields.get(name) ?? []), value])
  }
  if (form.files.length === 0) {
    throw new AppError(HTTP_ERRORS.invalidBodyField, 'The form has no file.', {
      hint: 'Send each file as a part of its own that has a filename.',
    })
  }
  return { files: form.files, fields }
}

/** Gives the files one after the other. */
export async function* eachOf(files: readonly NamedFile[]): AsyncGenerator<NamedFile> {
  yield* files
}

function unknownField(name: string, names: readonly string[]): AppError {
  return new AppError(HTTP_ERRORS.unknownBodyField, `The form has the field ${quoted(name)}, which is not read here.`, {
    path: name.slice(0, 80),
    hint: `The fields are: ${names.join(', ')}; anything else must be a file.`,
  })
}
