import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { endianness } from 'node:os'

/** State of the write-ahead log of a database (https://sqlite.org/fileformat2.html#the_write_ahead_log). */
export interface LogState {
  /** Number of frames, from the beginning on, that are whole and count. */
  readonly frames: number
  /** Reason why written frames are lost; null when none are. */
  readonly damage: string | null
}

const EMPTY: LogState = { frames: 0, damage: null }

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC_LITTLE_ENDIAN = 0x377f0682
const MAGIC_BIG_ENDIAN = 0x377f0683
const FRAMES_AT_ONCE = 256
/** A log that others begin anew while it is read is read again. */
const MOST_READINGS = 5

/**
 * Reads the log without SQLite, which stops at the first frame that is not whole, and takes what is behind for never written. That is
 * right for a write that was interrupted. It is damage when later writes are there whole, or when the index that the processes
 * share says that there were more.
 */
export function readLog(file: string): LogState {
  const log = openIfThere(`${file}-wal`)
  if (log === null) return missingLog(`${file}-shm`)
  try {
    for (let reading = 1; ; reading++) {
      const before = headerOf(log)
      const state = readFrames(log, file)
      // A frame that is being written looks like one that is torn; when the log begins anew, its header is written first.
      if (state.damage === null || reading === MOST_READINGS) return state
      if (headerOf(log).equals(before)) return state
    }
  } finally {
    closeSync(log)
  }
}

/** At a log in which damage seems to be, while others may write to it. */
const MOST_LOOKS = 20

/** A log is taken away when all of it is in the database file, and the shared index with it. */
function missingLog(index: string): LogState {
  const shared = readSharedIndex(index)
  if (shared === null || shared.frames <= shared.moved) return EMPTY
  return { frames: 0, damage: `it is missing, with ${shared.frames - shared.moved} frames that are nowhere else` }
}

/** Damage stays where it is. What another process is just writing looks the same, but is further on at the next look. */
function readFrames(log: number, file: string): LogState {
  let state = readFramesOnce(log, file)
  for (let looks = 1; state.damage !== null && looks < MOST_LOOKS; looks++) {
    const before = state.frames
    state = readFramesOnce(log, file)
    if (state.frames === before) break
  }
  return state
}

function readFramesOnce(log: number, file: string): LogState {
  // Before the log itself: what another process writes meanwhile is in the log first.
  const index = readSharedIndex(`${file}-shm`)
  const bytes = fstatSync(log).size
  if (bytes <= HEADER_BYTES) return EMPTY
  const header = readLogHeader(headerOf(log))
  if (header === null)
    return { frames: 0, damage: 'its first bytes are not those of a log, so that nothing in it counts' }
  const frames = new FrameReader(log, header, bytes)
  const { whole, end } = frames.readWhole()
  const promised = promisedFrames(index, header)
  const written = Math.max(promised, end === null ? 0 : frames.lastOfLaterWrites(end))
  return { frames: whole, damage: written > whole ? lost(end, whole + 1, written) : null }
}

/** `damaged` is null where the log ends too early. */
function lost(damaged: number | null, from: number, to: number): string {
  const fault = damaged === null ? 'its end is missing' : `frame ${damaged} is not what was written`
  return `${fault}, so that frames ${from} to ${to} do not count`
}

interface LogHeader {
  readonly isLittleEndian: boolean
  readonly pageSize: number
  /** Two numbers that tell the frames of this log from those of an older one in the same file. */
  readonly salts: readonly [number, number]
  readonly checksum: Sum
}

/** A running checksum: two sums of 32 bits. */
type Sum = readonly [number, number]

function headerOf(log: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  return header.subarray(0, readSync(log, header, 0, HEADER_BYTES, 0))
}

function readLogHeader(bytes: Buffer): LogHeader | null {
  if (bytes.length < HEADER_BYTES) return null
  const magic = bytes.readUInt32BE(0)
  if (magic !== MAGIC_LITTLE_ENDIAN && magic !== MAGIC_BIG_ENDIAN) return null
  const isLittleEndian = magic === MAGIC_LITTLE_ENDIAN
  const checksum = sumOf(bytes.subarray(0, 24), [0, 0], isLittleEndian)
  if (!isSum(bytes, 24, checksum)) return null
  return {
    isLittleEndian,
    pageSize: bytes.readUInt32BE(8),
    salts: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
    checksum,
  }
}

/** Reads frames in their order, a few hundred at a time. */
class FrameReader {
  readonly #log: number
  readonly #header: LogHeader
  readonly #frameBytes: number
  readonly #count: number
  #chunk = Buffer.alloc(0)
  #chunkFrom = 0

  constructor(log: number, header: LogHeader, bytes: number) {
    this.#log = log
    this.#header = header
    this.#frameBytes = FRAME_HEADER_BYTES + header.pageSize
    this.#count = Math.floor((bytes - HEADER_BYTES) / this.#frameBytes)
  }

  /** `whole`: frames up to the last one that ends a write. `end`: the first frame that is not whole; null when all are. */
  readWhole(): { readonly whole: number; readonly end: number | null } {
    let sum = this.#header.checksum
    let whole = 0
    for (let number = 1; number <= this.#count; number++) {
      const frame = this.frame(number)
      if (frame === null) return { whole, end: null }
      sum = this.#sumOfFrame(frame, sum)
      if (!this.#isOfThisLog(frame) || !isSum(frame, 16, sum)) return { whole, end: number }
      if (endsWrite(frame)) whole = number
    }
    return { whole, end: null }
  }

  /**
   * The last whole frame of a write that was begun after another had ended behind the damaged frame; 0 when there is none. A write
   * is begun when the one before is on disk: so that one was.
   */
  lastOfLaterWrites(damaged: number): number {
    let last = 0
    let hasEnded = false
    let before = this.#sumIn(damaged)
    for (let number = damaged + 1; number <= this.#count; number++) {
      const frame = this.frame(number)
      if (frame === null) break
      const isWhole = this.#isOfThisLog(frame) && before !== null && isSum(frame, 16, this.#sumOfFrame(frame, before))
      if (isWhole && hasEnded) last = number
      if (isWhole && endsWrite(frame)) hasEnded = true
      before = this.#sumIn(number)
    }
    return last
  }

  /** The sum that a frame says it has, from which the next one goes on. */
  #sumIn(number: number): Sum | null {
    const frame = this.frame(number)
    return frame === null ? null : [frame.readUInt32BE(16), frame.readUInt32BE(20)]
  }

  #isOfThisLog(frame: Buffer): boolean {
    const [first, second] = this.#header.salts
    return frame.readUInt32BE(8) === first && frame.readUInt32BE(12) === second
  }

  /** A frame's checksum goes on from the one before, over the first eight bytes of its header and the page. */
  #sumOfFrame(frame: Buffer, before: Sum): Sum {
    const { isLittleEndian } = this.#header
    const sum = sumOf(frame.subarray(0, 8), before, isLittleEndian)
    return sumOf(frame.subarray(FRAME_HEADER_BYTES), sum, isLittleEndian)
  }

  /** The bytes of a frame, counted from 1; null behind the last one. */
  frame(number: number): Buffer | null {
    const size = this.#frameBytes
    if (number < this.#chunkFrom || (number - this.#chunkFrom + 1) * size > this.#chunk.length) {
      const bytes = Buffer.alloc(Math.min(FRAMES_AT_ONCE, this.#count - number + 1) * size)
      const read = readSync(this.#log, bytes, 0, bytes.length, HEADER_BYTES + (number - 1) * size)
      this.#chunk = bytes.subarray(0, read)
      this.#chunkFrom = number
    }
    const at = (number - this.#chunkFrom) * size
    return at + size <= this.#chunk.length ? this.#chunk.subarray(at, at + size) : null
  }
}

/** The size of the database after a write, which only its last frame tells. */
function endsWrite(frame: Buffer): boolean {
  return frame.readUInt32BE(4) !== 0
}

function sumOf(bytes: Buffer, [first, second]: Sum, isLittleEndian: boolean): Sum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let one = first | 0
  let two = second | 0
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + words.getInt32(at, isLittleEndian) + two) | 0
    two = (two + words.getInt32(at + 4, isLittleEndian) + one) | 0
  }
  return [one >>> 0, two >>> 0]
}

function isSum(bytes: Buffer, at: number, [first, second]: Sum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second
}

/** Index of the log, which the processes share (https://sqlite.org/walformat.html). */
interface SharedIndex {
  /** Count of frames written whole. */
  readonly frames: number
  /** Count of those moved to the database file. */
  readonly moved: number
  /** The salts of the log that it is about, as bytes. */
  readonly salts: Buffer
}

const INDEX_HEADER_BYTES = 48

/**
 * Null when there is none, or when it was being written: it survives the end of a process, though not always that of the machine.
 * It is in the byte order of the machine.
 */
function readSharedIndex(file: string): SharedIndex | null {
  const shared = openIfThere(file)
  if (shared === null) return null
  try {
    const bytes = Buffer.alloc(2 * INDEX_HEADER_BYTES + 4)
    if (readSync(shared, bytes, 0, bytes.length, 0) < bytes.length) return null
    const one = bytes.subarray(0, INDEX_HEADER_BYTES)
    if (!one.equals(bytes.subarray(INDEX_HEADER_BYTES, 2 * INDEX_HEADER_BYTES))) return null
    const isLittleEndian = endianness() === 'LE'
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const [first, second] = sumOf(one.subarray(0, 40), [0, 0], isLittleEndian)
    if (view.getUint32(40, isLittleEndian) !== first || view.getUint32(44, isLittleEndian) !== second) return null
    return {
      frames: view.getUint32(16, isLittleEndian),
      moved: view.getUint32(2 * INDEX_HEADER_BYTES, isLittleEndian),
      salts: one.subarray(32, 40),
    }
  } finally {
    closeSync(shared)
  }
}

/** Number of frames written whole to a log; 0 where nothing is known of this log. */
function promisedFrames(index: SharedIndex | null, { salts }: LogHeader): number {
  const isOfThisLog = index?.salts.readUInt32BE(0) === salts[0] && index.salts.readUInt32BE(4) === salts[1]
  return isOfThisLog ? index.frames : 0
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
