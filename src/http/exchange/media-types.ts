import type { IncomingMessage } from 'node:http'

export const FORM_TYPE = 'application/x-www-form-urlencoded'
export const UPLOAD_TYPE = 'multipart/form-data'
/** Texts that have one JSON value a line. */
export const LINES_TYPE = 'application/x-ndjson'
/** Media types in use for such texts. */
export const LINES_TYPES = [LINES_TYPE, 'application/ndjson', 'application/jsonl', 'application/jsonlines']

/** The media type of a body, without its parameters; empty where none is told. */
export function mediaTypeOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** Tells whether the body is an upload of files. */
export function isUpload(request: Pick<IncomingMessage, 'headers'>): boolean {
  return mediaTypeOf(request) === UPLOAD_TYPE
}
