/** How many bits of two texts in base64url are not alike. Of two blocks of a cipher it is 64 of 128, ± 6. */
export function bitsApart(one: string, other: string): number {
  const [a, b] = [Buffer.from(one, 'base64url'), Buffer.from(other, 'base64url')]
  return a.reduce((sum, byte, at) => sum + (byte ^ (b[at] ?? 0)).toString(2).replaceAll('0', '').length, 0)
}
