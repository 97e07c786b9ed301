/** Sizes of rooms, as powers of two: the smallest is for a few records, the largest for what the request thread writes of a page. */
const SMALLEST = 12
const LARGEST = 21
/** Bytes of free rooms that a thread keeps. */
const MOST_FREE = 8 * 2 ** 20

const free: Buffer[][] = Array.from({ length: LARGEST + 1 }, () => [])
let freeBytes = 0
/** The rooms of bytes that are on their way. */
const lent = new WeakMap<Buffer, Buffer>()

/**
 * Gives room for so many bytes or more. Bytes that are written in it and sent give it back: left to the collector, an answer of a hundred kilobytes
 * costs it more than all else of a request.
 */
export function takeRoom(bytes: number): Buffer {
  const size = Math.max(SMALLEST, 32 - Math.clz32(bytes - 1))
  if (size > LARGEST) return Buffer.allocUnsafeSlow(bytes)
  const room = free[size]?.pop()
  if (room === undefined) return Buffer.allocUnsafeSlow(2 ** size)
  freeBytes -= room.length
  return room
}

/** The first bytes of a room, which is theirs from here on. */
export function lendRoom(room: Buffer, bytes: number): Buffer {
  const written = room.subarray(0, bytes)
  lent.set(written, room)
  return written
}

/** Takes back the room of bytes that nobody looks at any more; of any other bytes, nothing. */
export function giveBack(written: Buffer): void {
  const room = lent.get(written)
  if (room === undefined) return
  lent.delete(written)
  keepRoom(room)
}

/** Takes back a room in which nothing was written that anybody has. */
export function keepRoom(room: Buffer): void {
  const size = 31 - Math.clz32(room.length)
  if (size < SMALLEST || size > LARGEST || room.length !== 2 ** size || freeBytes + room.length > MOST_FREE) return
  free[size]?.push(room)
  freeBytes += room.length
}

/** Bytes of their own, for who keeps them: their room comes back. */
export function ownBytes(written: Buffer): Buffer {
  if (written.length === written.buffer.byteLength) return written
  const own = Buffer.allocUnsafeSlow(written.length)
  written.copy(own)
  giveBack(written)
  return own
}
