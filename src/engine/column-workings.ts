/** An array that is worked out from a column. */
export type WorkedArray = Uint32Array | Uint16Array

/** What takes a pass over all of a column, by name. */
export const WORKINGS = ['offsets', 'postings', 'ranks 1', 'ranks -1', 'groups 1', 'groups -1'] as const
export type Working = (typeof WORKINGS)[number]

/**
 * Where a column keeps what is worked out from it. Columns never change, so that this can lie beside their bytes, in memory that threads
 * share: what one of them has worked out is there for all.
 */
export interface Workings {
  find(name: Working): Uint8Array | null
  keep(name: Working, bytes: Uint8Array): void
}

/** To work less out again takes no longer than to find it. */
export const LEAST_KEPT = 16 * 1024

/** Puts arrays into one run of bytes: of each its length and the bytes of an element, in front, and then their elements, each at a multiple of eight. */
export function packArrays(arrays: readonly WorkedArray[]): Uint8Array {
  const bytes = new Uint8Array(
    headOf(arrays.length) + arrays.reduce((sum, { byteLength }) => sum + padded(byteLength), 0),
  )
  const head = new Uint32Array(bytes.buffer, 0, 1 + 2 * arrays.length)
  head[0] = arrays.length
  let at = headOf(arrays.length)
  for (const [place, array] of arrays.entries()) {
    head[1 + 2 * place] = array.length
    head[2 + 2 * place] = array.BYTES_PER_ELEMENT
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at)
    at += padded(array.byteLength)
  }
  return bytes
}

/** The arrays that were packed, where they lie. */
export function unpackArrays({ buffer, byteOffset }: Uint8Array): readonly WorkedArray[] {
  const [count] = new Uint32Array(buffer, byteOffset, 1) as unknown as [number]
  const head = new Uint32Array(buffer, byteOffset + 4, 2 * count)
  const arrays: WorkedArray[] = []
  let at = byteOffset + headOf(count)
  for (let place = 0; place < count; place++) {
    const length = head[2 * place] as number
    const array = head[2 * place + 1] === 4 ? new Uint32Array(buffer, at, length) : new Uint16Array(buffer, at, length)
    arrays.push(array)
    at += padded(array.byteLength)
  }
  return arrays
}

function headOf(arrays: number): number {
  return padded(4 + 8 * arrays)
}

function padded(bytes: number): number {
  return (bytes + 7) & ~7
}
