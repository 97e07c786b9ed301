import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { FieldPath } from '../../query/ast/filter.ts'

/** RFC 4180, with a line of names before the records. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

const LINE_END = '\r\n'

/** Turns chunks of NDJSON lines into lines of CSV, the names of the columns first. */
export async function* csvOf(chunks: AsyncIterable<Uint8Array>, columns: readonly FieldPath[]): AsyncGenerator<Buffer> {
  yield Buffer.from(columns.map(({ text }) => cellOf(text)).join(',') + LINE_END)
  for await (const chunk of chunks) {
    const lines = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString().split('\n')
    const rows = lines.filter((line) => line !== '').map((line) => rowOf(JSON.parse(line), columns))
    yield Buffer.from(rows.join(''))
  }
}

function rowOf(document: JsonObject, columns: readonly FieldPath[]): string {
  return columns.map(({ parts }) => cellOf(valueAt(document, parts))).join(',') + LINE_END
}

/** What a document has at a path; through arrays, the values of all their elements. */
function valueAt(value: Json | undefined, parts: readonly string[]): Json | undefined {
  const [first, ...others] = parts
  if (first === undefined) return value
  if (isJsonObject(value)) return valueAt(ownField(value, first), others)
  if (!isJsonArray(value)) return undefined
  const found = value.flatMap((element) => (isJsonObject(element) ? [valueAt(element, parts)] : []))
  const values = found.flatMap((one) => (one === undefined ? [] : [one]))
  return values.length === 0 ? undefined : values
}

/** A text that a program for tables would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Writes a value: numbers and truth as JSON has them, lists and objects as JSON text, what is missing or null as nothing. */
function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))
  return quoted(FORMULA.test(value) ? `'${value}` : value)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
