import { newId } from '../kernel/ids.ts'
import type { Store } from '../store/port/store.ts'

const MARK = 'edition'

/**
 * Names the line of history that the data is in, the same over restarts and in every process: within it, a change counter
 * never means two states.
 */
export async function readEdition(store: Store): Promise<string> {
  return (await store.readMark(MARK)) ?? renewEdition(store)
}

/** Begins another line of history: the data has gone back in time. */
export async function renewEdition(store: Store): Promise<string> {
  const edition = newId()
  await store.writeMark(MARK, edition)
  return edition
}
