import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LongBytesWriter, packBytes, unpackedBytes } from '../../src/kernel/bytes.ts'

const bytesOf = (pieces: readonly Uint8Array[]): Buffer => Buffer.concat(pieces)

test('bytes that come in parts are the same in pieces, with hardly more memory than they have bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 6 }), (lengths) => {
      const parts = lengths.map((length, n) => Buffer.alloc(length, n + 1))
      const writer = new LongBytesWriter()
      for (const part of parts) writer.add(part)
      const { pieces, length } = writer.written
      expect(bytesOf(pieces).equals(bytesOf(parts))).toBe(true)
      expect(length).toBe(bytesOf(parts).length)
      const room = pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
      expect(room - length).toBeLessThan(256 * 1024)
    }),
    { numRuns: 30 },
  )
})

test('of many short parts none is kept by itself', () => {
  const writer = new LongBytesWriter()
  for (let n = 0; n < 100_000; n++) writer.add(Buffer.from([n % 256]))
  expect(writer.written.pieces).toHaveLength(1)
})

test('byte strings are packed in their order, empty ones too', () => {
  const parts = ['one', '', 'three'].map((text) => Buffer.from(text))
  const packed = packBytes(parts)
  expect(packed.content.buffer).toBeInstanceOf(SharedArrayBuffer)
  expect([...unpackedBytes(packed)].map((bytes) => Buffer.from(bytes).toString())).toEqual(['one', '', 'three'])
})
