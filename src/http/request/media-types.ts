import type { FastifyRequest } from 'fastify'

export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const UPLOAD_TYPE = 'multipart/form-data'
/** Texts that have one JSON value a line. */
export const LINES_TYPE = 'application/x-ndjson'
/** What such texts are called as well. */
export const LINES_TYPES = [LINES_TYPE, 'application/ndjson', 'application/jsonl', 'application/jsonlines']

/** Tells whether a Content-Type is of a media type, whatever its parameters. */
export function isOfType(header: string, type: string): boolean {
  return header.toLowerCase().startsWith(type)
}

/** Tells whether the body is an upload of files. */
export function isUpload(request: FastifyRequest): boolean {
  return isOfType(request.headers['content-type'] ?? '', UPLOAD_TYPE)
}
