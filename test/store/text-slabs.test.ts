import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { letGo, TextSlabs } from '../../src/store/segments/text-slabs.ts'

const MIB = 2 ** 20
const textOf = (n: number, version: number, length: number) => Buffer.from(`${n} ${version} `.padEnd(length, 'x'))

describe('texts in slabs', () => {
  test('are what was put in last, or gone, and never take more room than they may', () => {
    const step = fc.record({
      n: fc.nat(60),
      length: fc.constantFrom(10, 3000, 200_000),
      what: fc.constantFrom('set', 'get', 'delete'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const slabs = new TextSlabs(3 * MIB)
        const right = new Map<number, Buffer>()
        for (const [version, { n, length, what }] of steps.entries()) {
          if (what === 'set') {
            right.set(n, textOf(n, version, length))
            slabs.set(n, textOf(n, version, length))
          } else if (what === 'delete') {
            right.delete(n)
            slabs.delete(n)
          }
          const found = slabs.get(n)
          // Byte by byte, the matcher would take seconds.
          if (found !== undefined) expect(right.get(n)?.equals(found)).toBe(true)
          expect(slabs.bytes).toBeLessThan(3.1 * MIB)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('are let go of alone whose records are named, whether these are more or fewer', () => {
    for (const named of [[3, 7], Array.from({ length: 50 }, (_, n) => 2 * n + 1)]) {
      const slabs = new TextSlabs(4 * MIB)
      for (let n = 0; n < 10; n++) slabs.set(n, textOf(n, 0, 3000))
      letGo(slabs, Float64Array.from(named))
      expect([...slabs.names()]).toEqual(Array.from({ length: 10 }, (_, n) => n).filter((n) => !named.includes(n)))
    }
  })

  test('stay for as long as there is room', () => {
    const slabs = new TextSlabs(4 * MIB)
    for (let n = 0; n < 1000; n++) slabs.set(n, textOf(n, 0, 3000))
    for (let n = 0; n < 1000; n++) expect(slabs.get(n)?.equals(textOf(n, 0, 3000))).toBe(true)
  })

  test('stay when they are asked for again and again, whatever else comes', () => {
    const slabs = new TextSlabs(4 * MIB)
    slabs.set(-1, textOf(-1, 0, 3000))
    for (let n = 0; n < 10_000; n++) {
      slabs.set(n, textOf(n, 0, 3000))
      if (n % 100 === 0) expect(slabs.get(-1)).toEqual(textOf(-1, 0, 3000))
    }
    expect(slabs.get(0)).toBeUndefined()
  })

  test('are the same for who holds one, when its slab has gone', () => {
    const slabs = new TextSlabs(2 * MIB)
    slabs.set(1, textOf(1, 0, 3000))
    const held = slabs.get(1)
    for (let n = 2; n < 3000; n++) slabs.set(n, textOf(n, 0, 3000))
    expect(slabs.get(1)).toBeUndefined()
    expect(held).toEqual(textOf(1, 0, 3000))
  })

  test.each([0, MIB])('are not kept with %i bytes', (bytes) => {
    const slabs = new TextSlabs(bytes)
    slabs.set(1, textOf(1, 0, 10))
    expect([slabs.get(1), slabs.bytes]).toEqual([undefined, 0])
  })
})
