import { Pauses } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'

const BLOCK = 512

/** Reads the regular files of a tar archive (ustar, pax and GNU names), but for those longer than `longest`; refuses damage where it is. */
export async function* tarEntries(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<ArchiveEntry> {
  const input = new ByteQueue(chunks)
  const pauses = new Pauses()
  let longName: string | null = null
  for (let header = await input.read(BLOCK); header !== null; header = await input.read(BLOCK)) {
    await pauses.take()
    if (header.every((byte) => byte === 0)) return
    if (header.length < BLOCK) throw damaged('it ends within a header')
    const { name, size, type } = readHeader(header)
    const isName = type === 'x' || type === 'L'
    const bytes = await input.keep(size, isName ? BLOCK * 128 : longest)
    await input.keep((BLOCK - (size % BLOCK)) % BLOCK, 0)
    if (isName) {
      longName = (type === 'x' ? paxPath(bytes ?? new Uint8Array()) : textOf(bytes ?? new Uint8Array())) ?? longName
      continue
    }
    if (type === '0' || type === '\0' || type === '7') yield { name: longName ?? name, size, bytes }
    longName = null
  }
}

function readHeader(header: Uint8Array): { readonly name: string; readonly size: number; readonly type: string } {
  const field = (from: number, length: number): string => textOf(header.subarray(from, from + length))
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  const size = Number.parseInt(field(124, 12).trim(), 8)
  if (Number.parseInt(field(148, 8).trim(), 8) !== sum) throw damaged('the checksum of a header is wrong')
  if (!(size >= 0)) throw damaged('the size of a file is no octal number')
  const prefix = field(257, 5) === 'ustar' && field(345, 155) !== '' ? `${field(345, 155)}/` : ''
  return { name: prefix + field(0, 100), size, type: String.fromCharCode(header[156] ?? 0) }
}

/** The `path` of a pax header, which is lines such as `27 path=a/long/name.cif`. */
function paxPath(bytes: Uint8Array): string | null {
  return /^\d+ path=(.*)$/m.exec(textOf(bytes))?.[1] ?? null
}

/** Text up to the first NUL. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

function damaged(what: string): AppError {
  return new AppError(RECORD_ERRORS.unreadableArchive, `The tar archive is damaged: ${what}.`, {
    hint: 'Pack the files again.',
  })
}

/** Gives bytes of a stream in pieces of the length that is asked for. */
class ByteQueue {
  readonly #source: AsyncIterator<Uint8Array>
  #pending: Uint8Array = new Uint8Array()

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#source = chunks[Symbol.asyncIterator]()
  }

  /** So many bytes, fewer at the end, null after it. */
  async read(length: number): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = []
    let missing = length
    while (missing > 0) {
      if (this.#pending.length === 0 && !(await this.#fill())) break
      const part = this.#pending.subarray(0, missing)
      this.#pending = this.#pending.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    return parts.length === 0 && length > 0 ? null : Buffer.concat(parts)
  }

  /** Reads past so many bytes; gives them when they are not more than `longest`. */
  async keep(length: number, longest: number): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = []
    for (let missing = length; missing > 0; ) {
      const part = await this.read(Math.min(missing, 65_536))
      if (part === null) throw damaged('it ends within a file')
      missing -= part.length
      if (length <= longest) parts.push(part)
    }
    return length <= longest ? Buffer.concat(parts) : null
  }

  async #fill(): Promise<boolean> {
    const { value, done } = await this.#source.next()
    if (done === true) return false
    this.#pending = value
    return true
  }
}

export interface ArchiveEntry {
  /** As the archive has it; never a path to follow. */
  readonly name: string
  readonly size: number
  /** Null when the file is longer than was asked for. */
  readonly bytes: Uint8Array | null
}
