/** Whole numbers of 16 bits as text: base64 without padding where three of them make eight characters; the low byte of each first. */
export function vectorText(numbers: Uint16Array): string {
  const bytes = Buffer.alloc(2 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt16LE(number, 2 * index)
  return bytes.toString('base64')
}

/** Characters of the text of so many numbers, a multiple of three. */
export function vectorTextLength(count: number): number {
  return (count / 3) * 8
}

/** Base64 values of characters; 255 for all others. */
const SEXTETS = new Uint8Array(256).fill(255)
for (const [value, character] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries()) {
  SEXTETS[character] = value
}

/** Reads the characters of so many numbers, a multiple of three, into a list from a place on; false where they are none. */
export function readVectorText(text: Uint8Array, out: Uint16Array, from: number, count: number): boolean {
  if (text.length !== vectorTextLength(count)) return false
  let wrong = 0
  for (let at = 0, number = from; at < text.length; at += 8, number += 3) {
    const high = sextets(text, at)
    const low = sextets(text, at + 4)
    wrong |= high | low
    // Six bytes, each two a number with its low byte first.
    out[number] = ((high >>> 16) & 0xff) | (high & 0xff00)
    out[number + 1] = (high & 0xff) | ((low >>> 8) & 0xff00)
    out[number + 2] = ((low >>> 8) & 0xff) | ((low & 0xff) << 8)
  }
  return wrong >= 0
}

/** Three bytes of four characters; negative where one is none of base64. */
function sextets(text: Uint8Array, at: number): number {
  const [a, b] = [SEXTETS[text[at] as number] as number, SEXTETS[text[at + 1] as number] as number]
  const [c, d] = [SEXTETS[text[at + 2] as number] as number, SEXTETS[text[at + 3] as number] as number]
  return (a | b | c | d) > 63 ? -1 : (a << 18) | (b << 12) | (c << 6) | d
}
