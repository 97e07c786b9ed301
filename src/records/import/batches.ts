/** Records that are written together; results come after they are on disk. */
const BATCH_RECORDS = 200
const BATCH_CHARACTERS = 4 * 1024 * 1024

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
