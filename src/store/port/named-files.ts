import { isJsonArray, isJsonObject, type JsonObject, parseDocument } from '../../kernel/json.ts'

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
