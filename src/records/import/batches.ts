import type { OnDuplicate } from '../find-duplicates.ts'

/** Records that are prepared and given to the store together. */
const BATCH_RECORDS = 200
const BATCH_CHARACTERS = 4 * 1024 * 1024

/** The more records wait for the store, the more it writes in one go, and the less it writes for each. */
const BATCHES_AT_A_TIME = 20

/** How many batches may be on their way to the disk; one, when each has to be compared with what came before. */
export function batchesAtATime(onDuplicate: OnDuplicate = 'create'): number {
  return onDuplicate === 'create' ? BATCHES_AT_A_TIME : 1
}

/** Gathers items into batches of a size that is worth a transaction and bounded in memory. */
export async function* batchesOf<Item>(
  items: AsyncIterable<Item>,
  charactersOf: (item: Item) => number,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = []
  let characters = 0
  for await (const item of items) {
    batch.push(item)
    characters += charactersOf(item)
    if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
