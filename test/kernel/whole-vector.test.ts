import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readVectorText, vectorText } from '../../src/kernel/bytes.ts'

const read = (text: string, count: number): number[] | null => {
  const numbers = new Uint16Array(count + 2)
  return readVectorText(Buffer.from(text), numbers, 1, count) ? [...numbers] : null
}

describe('a vector of whole numbers', () => {
  test('is read from its text as it was written, at any place of a list', () => {
    const vectors = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 24, maxLength: 24 })
    fc.assert(
      fc.property(vectors, (numbers) => {
        expect(read(vectorText(Uint16Array.from(numbers)), 24)).toEqual([0, ...numbers, 0])
      }),
    )
  })

  test('is written as base64 with the low byte first', () => {
    expect(vectorText(Uint16Array.from([1, 256, 0xffff]))).toBe(Buffer.from([1, 0, 0, 1, 255, 255]).toString('base64'))
  })

  test.each(['', 'AAAAAAA', 'AAAAAAAAA', 'AAAAAAA=', 'AAA-AAAA', 'AAAAAAAé'])('is none in the text %j', (text) => {
    expect(read(text, 3)).toBeNull()
  })
})
