const BLOCK = 512
const LONGEST_NAME = 100
const TEXT = new TextEncoder()

/** A file for an archive, by its name in it. */
export interface PackedFile {
  readonly name: string
  readonly content: Blob
}

/** Puts files together to a tar archive, of which nothing is read before it is sent. */
export function tarOf(files: readonly PackedFile[]): Blob {
  const parts = files.flatMap(({ name, content }) => [...headOf(name, content.size), content, padding(content.size)])
  return new Blob([...parts, new Uint8Array(2 * BLOCK)])
}

/** A name that the header has no room for comes before it, as pax has it. */
function headOf(name: string, size: number): readonly Uint8Array<ArrayBuffer>[] {
  if (TEXT.encode(name).length <= LONGEST_NAME) return [header(name, size, '0')]
  const line = paxLine(name)
  return [header('pax', line.length, 'x'), line, padding(line.length), header('file', size, '0')]
}

/** `27 path=a/long/name.cif`: the length counts itself. */
function paxLine(name: string): Uint8Array<ArrayBuffer> {
  const rest = TEXT.encode(` path=${name}\n`).length
  let length = rest + 1
  while (rest + String(length).length !== length) length = rest + String(length).length
  return TEXT.encode(`${length} path=${name}\n`)
}

function padding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)
}

function header(name: string, size: number, type: '0' | 'x'): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK)
  const put = (text: string, at: number) => block.set(TEXT.encode(text), at)
  put(name, 0)
  put('0000644\0', 100)
  put('0000000\0', 108)
  put('0000000\0', 116)
  put(`${size.toString(8).padStart(11, '0')}\0`, 124)
  put('00000000000\0', 136)
  put('        ', 148)
  put(type, 156)
  put('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
