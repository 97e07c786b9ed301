import type { AttachedFile } from './attached-files.ts'

// An archive as of .ZIP File Format Specification 6.3.9, with the fields of ZIP64: files as they are, since length and sum of each are known beforehand.

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
/** ZIP64. */
const VERSION = 45
/** Names are UTF-8. */
const FLAGS = 0x0800
/** First of January 1980, midnight. */
const NO_DATE = 0x21
const SAYS_64 = 0xffffffff
const MANY = 0xffff

const LOCAL_BYTES = 30 + 20
const CENTRAL_BYTES = 46 + 28
const END_BYTES = 56 + 20 + 22

type PackedFile = Pick<AttachedFile, 'name' | 'size' | 'crc32'>

/** Bytes of an archive of files. */
export function zipLength(files: readonly PackedFile[]): number {
  return files.reduce(
    (sum, { name, size }) => sum + LOCAL_BYTES + CENTRAL_BYTES + 2 * Buffer.byteLength(name) + size,
    END_BYTES,
  )
}

/** Puts files together to an archive as it is read. */
export async function* zipOf<File extends PackedFile>(
  files: readonly File[],
  read: (file: File) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const entries: Buffer[] = []
  let offset = 0
  for (const file of files) {
    entries.push(centralEntry(file, offset))
    yield localHeader(file)
    yield* read(file)
    offset += LOCAL_BYTES + Buffer.byteLength(file.name) + file.size
  }
  const central = Buffer.concat(entries)
  yield central
  yield endOf(files.length, central.length, offset)
}

function localHeader({ name, size, crc32 }: PackedFile): Buffer {
  const title = Buffer.from(name)
  const head = Buffer.alloc(LOCAL_BYTES + title.length)
  head.writeUInt32LE(LOCAL, 0)
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(FLAGS, 6)
  head.writeUInt16LE(NO_DATE, 12)
  head.writeUInt32LE(crc32 >>> 0, 14)
  head.writeUInt32LE(SAYS_64, 18)
  head.writeUInt32LE(SAYS_64, 22)
  head.writeUInt16LE(title.length, 26)
  head.writeUInt16LE(20, 28)
  title.copy(head, 30)
  writeSizes(head, 30 + title.length, size, null)
  return head
}

function centralEntry({ name, size, crc32 }: PackedFile, offset: number): Buffer {
  const title = Buffer.from(name)
  const entry = Buffer.alloc(CENTRAL_BYTES + title.length)
  entry.writeUInt32LE(CENTRAL, 0)
  entry.writeUInt16LE(VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(NO_DATE, 14)
  entry.writeUInt32LE(crc32 >>> 0, 16)
  entry.writeUInt32LE(SAYS_64, 20)
  entry.writeUInt32LE(SAYS_64, 24)
  entry.writeUInt16LE(title.length, 28)
  entry.writeUInt16LE(28, 30)
  entry.writeUInt32LE(SAYS_64, 42)
  title.copy(entry, 46)
  writeSizes(entry, 46 + title.length, size, offset)
  return entry
}

/** The extra field of ZIP64: the length before and after packing, and where the file begins. */
function writeSizes(target: Buffer, at: number, size: number, offset: number | null): void {
  target.writeUInt16LE(1, at)
  target.writeUInt16LE(offset === null ? 16 : 24, at + 2)
  target.writeBigUInt64LE(BigInt(size), at + 4)
  target.writeBigUInt64LE(BigInt(size), at + 12)
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
