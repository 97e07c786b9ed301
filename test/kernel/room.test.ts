import { describe, expect, test } from 'vitest'
import { JsonBytes } from '../../src/kernel/json.ts'
import { giveBack, keepRoom, lendRoom, ownBytes, takeRoom } from '../../src/kernel/room.ts'

function written(text: string): Buffer {
  const out = new JsonBytes()
  out.json(text)
  return out.take()
}

describe('room for answers', () => {
  test('is given again after it came back', () => {
    const room = takeRoom(100_000)
    expect(room.length).toBe(131_072)
    giveBack(lendRoom(room, 100_000))
    expect(takeRoom(80_000)).toBe(room)
  })

  test('is not given to another while its bytes are on their way', () => {
    const first = written('"first"')
    const others = Array.from({ length: 50 }, (_, n) => written(`"other ${n}"`))
    expect(first.toString()).toBe('"first"')
    expect(new Set([first, ...others].map(({ buffer }) => buffer)).size).toBe(51)
  })

  test('comes back once, however often it is given back', () => {
    const bytes = written('"once"')
    giveBack(bytes)
    giveBack(bytes)
    expect(takeRoom(10).buffer).not.toBe(takeRoom(10).buffer)
  })

  test('takes nothing that was never lent, and no room of another size', () => {
    const foreign = Buffer.alloc(4096)
    giveBack(foreign)
    keepRoom(Buffer.allocUnsafeSlow(5000))
    const given = Array.from({ length: 3000 }, () => takeRoom(4096))
    expect(given).not.toContain(foreign)
    expect(given.every(({ length }) => length === 4096)).toBe(true)
  })

  test('of what somebody keeps comes back, and the bytes stay', () => {
    const bytes = written('"kept"')
    const { buffer } = bytes
    const own = ownBytes(bytes)
    expect(takeRoom(10).buffer).toBe(buffer)
    expect(own.toString()).toBe('"kept"')
    expect(own.buffer.byteLength).toBe(own.length)
  })

  test('is kept within a bound: a burst of answers is not memory for ever', () => {
    const rooms = Array.from({ length: 40 }, () => takeRoom(2 ** 20))
    for (const room of rooms) keepRoom(room)
    const again = Array.from({ length: 40 }, () => takeRoom(2 ** 20))
    // Rooms of others may be free beside them.
    expect(again.filter((room) => rooms.includes(room)).length).toBeLessThanOrEqual(8)
    expect(again.filter((room) => rooms.includes(room)).length).toBeGreaterThan(4)
  })
})
