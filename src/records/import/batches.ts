import type { OnDuplicate } from '../find-duplicates.ts'

/** Records that are prepared and given to the store together. */
const BATCH_RECORDS = 200
const BATCH_BYTES = 1024 * 1024

/** The more records wait for the store, the more it writes in one go, and the less it writes for each. */
const BATCHES_AT_A_TIME = 20

/** How many batches may be on their way to the disk; one, when each has to be compared with what came before. */
export function batchesAtATime(onDuplicate: OnDuplicate = 'create'): number {
  return onDuplicate === 'create' ? BATCHES_AT_A_TIME : 1
}

/**
 * Gathers items into batches of a size that is worth a transaction and bounded in memory. A source that fails does so after a batch of
 * what came before.
 */
export async function* batchesOf<Item>(
  items: AsyncIterable<Item>,
  bytesOf: (item: Item) => number,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = []
  let bytes = 0
  try {
    for await (const item of items) {
      batch.push(item)
      bytes += bytesOf(item)
      if (batch.length < BATCH_RECORDS && bytes < BATCH_BYTES) continue
      yield batch
      batch = []
      bytes = 0
    }
  } catch (error) {
    if (batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}
