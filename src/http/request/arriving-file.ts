import type { RequestContext } from '../exchange/context.ts'
import { bodyPieces } from './arriving-body.ts'
import { contentRange, digestOf } from './byte-ranges.ts'

/** Body of a request that is a file, or a part of one. */
export interface FileBody {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Byte of the file at which it begins; null for behind all that have arrived. */
  readonly offset: number | null
  /** Bytes of the whole file; null where that is not said. */
  readonly total: number | null
  /** SHA-256 of the whole file, in hexadecimal digits; null where that is not said. */
  readonly sha256: string | null
}

/** Reads where a body stands in its file, and which digest that has. */
export function fileBody(context: RequestContext): FileBody {
  const { headers } = context
  const place = contentRange(headers)
  return {
    name: fileName(context),
    bytes: bodyPieces(context),
    offset: place === null ? 0 : place.from,
    total: place === null ? lengthOf(headers['content-length']) : place.total,
    sha256: digestOf(headers, place !== null),
  }
}

function lengthOf(header: string | undefined): number | null {
  return header === undefined ? null : Number(header)
}

/** The name of a file as the path has it. */
export function fileName({ parameters }: RequestContext): string {
  return (parameters.name ?? '').normalize('NFC')
}
