import { isJsonArray, isJsonObject, type JsonObject, parseDocument } from '../../kernel/json.ts'
import { isSha256 } from './file-store.ts'

/** The field of a record that lists its files. */
const FIELD = 'files'
/** Every text with a file has it. */
const MARK = '"sha256":'

/** The files that a stored text lists, each with its name. */
function listedIn(text: string): readonly JsonObject[] {
  if (!text.includes(MARK)) return []
  const files = parseDocument(text)[FIELD]
  return isJsonArray(files) ? files.filter(isJsonObject) : []
}

/** Bytes of the files that a stored text lists, once for each name. */
function bytesOfFiles(text: string): number {
  let bytes = 0
  for (const { size } of listedIn(text)) if (Number.isInteger(size)) bytes += Math.max(0, Number(size))
  return Math.min(bytes, Number.MAX_SAFE_INTEGER)
}

const HASH = /"sha256":"([0-9a-f]{64})"/g

/** Hashes of the contents that a stored text names, and perhaps others: what is in it is read, not what it means. */
export function* hashesIn(text: string): Generator<string> {
  if (!text.includes(MARK)) return
  for (const [, sha256 = ''] of text.matchAll(HASH)) yield sha256
}

/** Bytes that a stored text counts for in a quota: its own, and those of its files. */
export function storedBytes(text: string): number {
  return Buffer.byteLength(text) + bytesOfFiles(text)
}

/** A content that stored texts list, as the first of them does. */
export interface ListedFile {
  readonly sha256: string
  readonly size: number
  readonly name: string
  /** Says whose file it is: `record X of materials`. */
  readonly of: string
}

/** What a row with a text is, to say whose files it lists. */
export interface ListingRow {
  readonly id: string | null
  readonly collection: string | null
  /** Of an earlier version; null for the newest. */
  readonly version: number | null
  readonly isRemoved: boolean
  readonly doc: string
}

/** All contents that the texts of a store list, each once. */
export class ListedFiles {
  readonly #files = new Map<string, ListedFile>()
  #bytes = 0

  get count(): number {
    return this.#files.size
  }

  get bytes(): number {
    return this.#bytes
  }

  has(sha256: string): boolean {
    return this.#files.has(sha256)
  }

  /** Adds what a text lists. */
  add(row: ListingRow): void {
    for (const { sha256, size, name } of listedIn(row.doc)) {
      if (typeof sha256 !== 'string' || !isSha256(sha256) || this.#files.has(sha256)) continue
      const bytes = Number.isInteger(size) ? Math.max(0, Number(size)) : 0
      this.#files.set(sha256, { sha256, size: bytes, name: String(name), of: ownerOf(row) })
      this.#bytes += bytes
    }
  }

  [Symbol.iterator](): IterableIterator<ListedFile> {
    return this.#files.values()
  }
}

function ownerOf({ id, collection, version, isRemoved }: ListingRow): string {
  const record = `record ${id} of ${collection}`
  const whole = id === null ? 'a record' : isRemoved ? `the removed ${record}` : record
  return version === null ? whole : `version ${version} of ${whole}`
}

/** Contents that were removed, since nothing lists them any more. */
export interface PrunedContents {
  readonly count: number
  readonly bytes: number
}
