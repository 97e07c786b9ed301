import { createHash } from 'node:crypto'
import { newId } from '../kernel/ids.ts'

/** Makes an id that is always the same for the same parts and different for others: what is stored twice is stored once. */
export function contentId(...parts: readonly string[]): string {
  const seed = createHash('sha256').update(JSON.stringify(parts)).digest()
  let block = 0
  return newId((size) => {
    block += 1
    return createHash('shake256', { outputLength: size }).update(seed).update(String(block)).digest()
  })
}
