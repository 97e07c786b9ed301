import { pipeline, Readable } from 'node:stream'
import { createDeflateRaw, crc32 as sumOf } from 'node:zlib'
import type { AttachedFile } from './attached-files.ts'

// An archive as of .ZIP File Format Specification 6.3.9, with the fields of ZIP64: files as they are, since length and sum of each are known beforehand, and texts packed, with both behind them.

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const DESCRIPTOR = 0x08074b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
/** ZIP64. */
const VERSION = 45
/** Names are UTF-8. */
const FLAGS = 0x0800
/** Length and sum come behind the bytes. */
const DESCRIBED_LATER = 0x0008
const DEFLATED = 8
/** First of January 1980, midnight. */
const NO_DATE = 0x21
const SAYS_64 = 0xffffffff
const MANY = 0xffff

const LOCAL_BYTES = 30 + 20
const CENTRAL_BYTES = 46 + 28
const END_BYTES = 56 + 20 + 22

type PackedFile = Pick<AttachedFile, 'name' | 'size' | 'crc32'>

/** Part of an archive, whose bytes are read when it is its turn: a file as it is, or a text that is packed on the way. */
export type ZipPart = { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> } & (
  | PackedFile
  | { readonly packs: true }
)

/** Part of an archive that has been written. */
interface WrittenPart extends PackedFile {
  readonly isPacked: boolean
  /** Bytes in the archive. */
  readonly stored: number
}

/** Bytes of an archive of files. */
export function zipLength(files: readonly PackedFile[]): number {
  return files.reduce(
    (sum, { name, size }) => sum + LOCAL_BYTES + CENTRAL_BYTES + 2 * Buffer.byteLength(name) + size,
    END_BYTES,
  )
}

/** Puts files together to an archive as it is read. */
export function zipOf<File extends PackedFile>(
  files: readonly File[],
  read: (file: File) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  async function* parts(): AsyncGenerator<ZipPart> {
    for (const file of files) yield { ...file, bytes: read(file) }
  }
  return zipOfParts(parts())
}

/** Puts parts together to an archive, each as it comes; of all of them the names stay in memory. */
export async function* zipOfParts(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const entries: Buffer[] = []
  let offset = 0
  for await (const part of parts) {
    const head = localHeader(part)
    yield head
    const written = 'packs' in part ? yield* packedBytes(part) : yield* plainBytes(part)
    entries.push(centralEntry(written, offset))
    offset += head.length + written.stored
    if (!written.isPacked) continue
    const descriptor = descriptorOf(written)
    yield descriptor
    offset += descriptor.length
  }
  const central = Buffer.concat(entries)
  yield central
  yield endOf(entries.length, central.length, offset)
}

async function* plainBytes(part: ZipPart & PackedFile): AsyncGenerator<Uint8Array, WrittenPart> {
  yield* part.bytes
  const { name, size, crc32 } = part
  return { name, size, crc32, isPacked: false, stored: size }
}

async function* packedBytes({ name, bytes }: ZipPart): AsyncGenerator<Uint8Array, WrittenPart> {
  let [size, crc32, stored] = [0, 0, 0]
  async function* summed(): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      size += piece.length
      crc32 = sumOf(piece, crc32)
      yield piece
    }
  }
  const packer = pipeline(Readable.from(summed(), { objectMode: false }), createDeflateRaw(), () => {})
  for await (const piece of packer) {
    stored += piece.length
    yield piece
  }
  return { name, size, crc32, isPacked: true, stored }
}

function localHeader(part: ZipPart): Buffer {
  const title = Buffer.from(part.name)
  const { size, crc32 } = 'packs' in part ? { size: 0, crc32: 0 } : part
  const head = Buffer.alloc(LOCAL_BYTES + title.length)
  head.writeUInt32LE(LOCAL, 0)
  head.writeUInt16LE(VERSION, 4)
  writeWay(head, 6, 'packs' in part)
  head.writeUInt16LE(NO_DATE, 12)
  head.writeUInt32LE(crc32 >>> 0, 14)
  head.writeUInt32LE(SAYS_64, 18)
  head.writeUInt32LE(SAYS_64, 22)
  head.writeUInt16LE(title.length, 26)
  head.writeUInt16LE(20, 28)
  title.copy(head, 30)
  writeSizes(head, 30 + title.length, { size, stored: size }, null)
  return head
}

/** Flags and method. */
function writeWay(target: Buffer, at: number, isPacked: boolean): void {
  target.writeUInt16LE(isPacked ? FLAGS | DESCRIBED_LATER : FLAGS, at)
  target.writeUInt16LE(isPacked ? DEFLATED : 0, at + 2)
}

function descriptorOf({ size, crc32, stored }: WrittenPart): Buffer {
  const descriptor = Buffer.alloc(24)
  descriptor.writeUInt32LE(DESCRIPTOR, 0)
  descriptor.writeUInt32LE(crc32 >>> 0, 4)
  descriptor.writeBigUInt64LE(BigInt(stored), 8)
  descriptor.writeBigUInt64LE(BigInt(size), 16)
  return descriptor
}

function centralEntry(written: WrittenPart, offset: number): Buffer {
  const { name, crc32, isPacked } = written
  const title = Buffer.from(name)
  const entry = Buffer.alloc(CENTRAL_BYTES + title.length)
  entry.writeUInt32LE(CENTRAL, 0)
  entry.writeUInt16LE(VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  writeWay(entry, 8, isPacked)
  entry.writeUInt16LE(NO_DATE, 14)
  entry.writeUInt32LE(crc32 >>> 0, 16)
  entry.writeUInt32LE(SAYS_64, 20)
  entry.writeUInt32LE(SAYS_64, 24)
  entry.writeUInt16LE(title.length, 28)
  entry.writeUInt16LE(28, 30)
  entry.writeUInt32LE(SAYS_64, 42)
  title.copy(entry, 46)
  writeSizes(entry, 46 + title.length, written, offset)
  return entry
}

/** The extra field of ZIP64: the length before and after packing, and where the file begins. */
function writeSizes(
  target: Buffer,
  at: number,
  { size, stored }: Pick<WrittenPart, 'size' | 'stored'>,
  offset: number | null,
): void {
  target.writeUInt16LE(1, at)
  target.writeUInt16LE(offset === null ? 16 : 24, at + 2)
  target.writeBigUInt64LE(BigInt(size), at + 4)
  target.writeBigUInt64LE(BigInt(stored), at + 12)
  if (offset !== null) target.writeBigUInt64LE(BigInt(offset), at + 20)
}

function endOf(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END_64, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(VERSION, 12)
  end.writeUInt16LE(VERSION, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(length), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(LOCATOR_64, 56)
  end.writeBigUInt64LE(BigInt(offset + length), 64)
  end.writeUInt32LE(1, 72)
  end.writeUInt32LE(END, 76)
  end.writeUInt16LE(MANY, 84)
  end.writeUInt16LE(MANY, 86)
  end.writeUInt32LE(SAYS_64, 88)
  end.writeUInt32LE(SAYS_64, 92)
  return end
}
