import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** Reads all documents of a data set's file into memory, as a peer without a store of its own would. */
export async function readDocuments(file) {
  const documents = []
  for await (const line of createInterface({ input: createReadStream(file) })) documents.push(JSON.parse(line).document)
  return documents
}

/** Tells the benchmark where a server listens, and ends it when asked to. */
export function announce(port) {
  console.log(`listening on http://127.0.0.1:${port}`)
  process.once('SIGTERM', () => process.exit(0))
}
