import { describe, expect, it } from 'vitest'
import { decodedPieces, decodeText, LineEnds, TextDecoding } from '../../src/structure/formats/common/text-pieces.ts'

const inPieces = (bytes: Uint8Array, size: number): string => {
  const decoding = new TextDecoding()
  let text = ''
  for (let from = 0; from < bytes.length; from += size) text += decoding.read(bytes.subarray(from, from + size))
  return text + decoding.read(new Uint8Array(), true)
}

const utf16 = (text: string, isBigEndian: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

const TEXT = 'ångström\n∛2 𝄞 𝄞\nend'

describe('the text of a file', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), TEXT],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), TEXT],
    ['UTF-16', utf16(TEXT, false), TEXT],
    ['UTF-16, big endian', utf16(TEXT, true), TEXT],
    ['Latin-1', Buffer.from('Å and ö\nend', 'latin1'), 'Å and ö\nend'],
    [
      'UTF-8 with a line of Latin-1',
      Buffer.concat([Buffer.from('∛2\n'), Buffer.from('Å\n', 'latin1'), Buffer.from('∛3')]),
      '∛2\nÅ\n∛3',
    ],
    ['a line without end', Buffer.from('ö'.repeat(700_000)), 'ö'.repeat(700_000)],
    ['nothing', Buffer.from(''), ''],
    ['a letter', Buffer.from('a'), 'a'],
  ])('is the same in whatever pieces it comes: %s', (_name, bytes, text) => {
    expect(decodeText(bytes)).toBe(text)
    expect([...decodedPieces(bytes)].join('')).toBe(text)
    for (const size of bytes.length > 1000 ? [65_537] : [1, 2, 3, 5]) expect(inPieces(bytes, size)).toBe(text)
  })

  it('of shared memory is decoded', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(3))
    shared.set(Buffer.from('a\nb'))
    expect([...decodedPieces(shared)].join('')).toBe('a\nb')
  })
})

describe('ends of lines', () => {
  it.each([1, 2, 3, 100])('become \\n, in pieces of %i too', (size) => {
    const ends = new LineEnds()
    const text = 'a\r\nb\rc\r\r\nd\n\ne\r'
    let out = ''
    for (let from = 0; from < text.length; from += size) out += ends.read(text.slice(from, from + size))
    expect(out + ends.read('', true)).toBe('a\nb\nc\nd\n\ne\n')
  })
})
