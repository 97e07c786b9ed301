/** What the first bytes of a database file say (https://sqlite.org/fileformat2.html#the_database_header). */
export interface DatabaseHeader {
  readonly pageSize: number
  /** How many pages the file has, as far as the header can be trusted with it; null where it cannot. */
  readonly pages: number | null
  /** The marks by which a program knows its files. */
  readonly application: number
  readonly schemaVersion: number
  /** What it has that no database of Quarry has, each as a whole clause. */
  readonly faults: readonly string[]
}

export const HEADER_BYTES = 100

const MAGIC = 'SQLite format 3\u0000'
const UTF8 = 1

/** Reads a header; null when the bytes are not those of an SQLite database at all. */
export function readHeader(bytes: Buffer): DatabaseHeader | null {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return null
  const sizeField = bytes.readUInt16BE(16)
  const pageSize = sizeField === 1 ? 65_536 : sizeField
  const isCounted = bytes.readUInt32BE(24) === bytes.readUInt32BE(92)
  return {
    pageSize,
    pages: isCounted ? bytes.readUInt32BE(28) : null,
    application: bytes.readUInt32BE(68),
    schemaVersion: bytes.readUInt32BE(60),
    faults: [...faultsOf(bytes, pageSize)],
  }
}

function* faultsOf(bytes: Buffer, pageSize: number): Generator<string> {
  if (!isPageSize(pageSize)) yield `it gives ${pageSize} bytes as the size of a page`
  for (const [at, name] of [
    [18, 'writing'],
    [19, 'reading'],
  ] as const) {
    const version = bytes.readUInt8(at)
    if (version !== 1 && version !== 2) yield `it asks for version ${version} of the file format for ${name}`
  }
  if (bytes.readUInt8(20) !== 0) yield `it keeps ${bytes.readUInt8(20)} bytes of every page free`
  const shares = [...bytes.subarray(21, 24)].join(', ')
  if (shares !== '64, 32, 32') yield `its shares of a page are ${shares} instead of 64, 32, 32`
  const format = bytes.readUInt32BE(44)
  if (format !== 4) yield `it has schema format ${format}`
  const encoding = bytes.readUInt32BE(56)
  if (encoding !== UTF8) yield `it has text encoding ${encoding}`
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && Number.isInteger(Math.log2(bytes))
}
