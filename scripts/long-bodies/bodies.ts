const MIB = 2 ** 20
const PATH = '/api/2018-10-01'

/** A body, and how it is sent. */
export interface Sending {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly body: () => Buffer
  readonly key: boolean
  readonly as?: 'reader'
  /** Bytes of a chunk, where it is sent in chunks. */
  readonly chunk?: number
}

const IMPORT = `${PATH}/materials/import`
const formOf = (boundary: string) => `multipart/form-data; boundary=${boundary}`
const LONG_BOUNDARY = '----FormBoundary7MA4YWxkTrZu0gW'

/** All bodies that are sent; the longest ones have so many bytes. */
export function sendingsOf(bytes: number): readonly Sending[] {
  return [
    ...['a', '-', '-'.repeat(70), `${'-'.repeat(69)}a`].map((boundary) => ({
      name: `form of nothing but its boundary (${boundary.slice(0, 3)}, ${boundary.length} long)`,
      path: IMPORT,
      type: formOf(boundary),
      body: () => Buffer.alloc(bytes, boundary),
      key: true,
    })),
    {
      name: 'form, read-only token',
      path: IMPORT,
      type: formOf('a'),
      body: () => Buffer.alloc(bytes, 'a'),
      key: true,
      as: 'reader',
    },
    {
      name: 'form without a boundary',
      path: IMPORT,
      type: 'multipart/form-data',
      body: () => Buffer.alloc(bytes, 'a'),
      key: true,
    },
    ...[true, false].flatMap((key) => [
      { name: 'form of one file', path: IMPORT, type: formOf(LONG_BOUNDARY), body: () => oneFile(bytes), key },
      { name: 'form of tiny files', path: IMPORT, type: formOf(LONG_BOUNDARY), body: () => tinyFiles(bytes), key },
      { name: 'form of tiny fields', path: IMPORT, type: formOf(LONG_BOUNDARY), body: () => tinyFields(bytes), key },
      { name: 'JSON', path: IMPORT, type: 'application/json', body: () => jsonOf(bytes), key },
      {
        name: 'JSON in chunks of 64 KiB',
        path: IMPORT,
        type: 'application/json',
        body: () => jsonOf(bytes),
        key,
        chunk: 65_536,
      },
    ]),
    {
      name: 'JSON in chunks of 16 bytes',
      path: IMPORT,
      type: 'application/json',
      body: () => jsonOf(MIB),
      key: true,
      chunk: 16,
    },
    {
      name: 'structure of 20 MiB',
      path: `${PATH}/structures/analyze`,
      type: 'application/json',
      body: () => jsonOf(20 * MIB),
      key: false,
    },
    {
      name: 'record of 9 MiB',
      path: `${PATH}/methods`,
      type: 'application/json',
      body: () => method(9 * MIB),
      key: true,
    },
    { name: 'another type', path: IMPORT, type: 'text/plain', body: () => Buffer.alloc(bytes, 'a'), key: true },
    {
      name: 'lines that are empty',
      path: `${PATH}/materials/bulk`,
      type: 'application/x-ndjson',
      body: () => Buffer.alloc(bytes, '\n'),
      key: false,
    },
  ]
}

function oneFile(bytes: number): Buffer {
  const head = `--${LONG_BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a.cif"\r\n\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'data_a '), Buffer.from(`\r\n--${LONG_BOUNDARY}--\r\n`)])
}

function tinyFiles(bytes: number): Buffer {
  return manyParts(bytes, 'name="f"; filename="a.cif"')
}

function tinyFields(bytes: number): Buffer {
  return manyParts(bytes, 'name="tags"')
}

function manyParts(bytes: number, what: string): Buffer {
  const part = `--${LONG_BOUNDARY}\r\nContent-Disposition: form-data; ${what}\r\n\r\nx\r\n`
  return Buffer.from(`${part.repeat(Math.floor(bytes / part.length))}--${LONG_BOUNDARY}--\r\n`)
}

function jsonOf(length: number): Buffer {
  return Buffer.from(JSON.stringify({ name: 'a.cif', content: 'data_a '.repeat(Math.floor(length / 7) - 100) }))
}

function method(length: number): Buffer {
  return Buffer.from(JSON.stringify({ type: 'pseudopotential', subtype: 'us', name: 'long', text: 'x'.repeat(length) }))
}
