import type { RecordDeps } from '../work/deps.ts'

/** Conditions of removing contents that nothing names. */
export interface CollectionTerms {
  /** Time for which nothing was done with them, in milliseconds: what is on its way to a record is younger. */
  readonly graceMs: number
  /** Asked before contents are removed of which it is known that nothing names them. */
  readonly mayRemove: () => Promise<boolean>
  /** Waits a little, every so many contents. */
  readonly pause: () => Promise<void>
  readonly signal?: AbortSignal
}

export interface CollectedFiles {
  readonly count: number
  readonly bytes: number
}

/** Contents that are looked for together: for each lot of them, all records are read. */
const TOGETHER = 100_000
const BETWEEN_PAUSES = 200

/** Removes contents of files that no record, earlier version or removed record names, and uploads that have had no bytes for that long. */
export async function collectFiles(
  deps: Pick<RecordDeps, 'files' | 'store'>,
  terms: CollectionTerms,
): Promise<CollectedFiles> {
  const collected = { count: 0, bytes: 0 }
  let lot: string[] = []
  let seen = 0
  for await (const sha256 of deps.files.unusedFor(terms.graceMs)) {
    lot.push(sha256)
    seen += 1
    if (seen % BETWEEN_PAUSES === 0) await terms.pause()
    if (lot.length < TOGETHER) continue
    await removeUnnamed(deps, lot, terms, collected)
    lot = []
  }
  await removeUnnamed(deps, lot, terms, collected)
  return collected
}

async function removeUnnamed(
  { files, store }: Pick<RecordDeps, 'files' | 'store'>,
  hashes: readonly string[],
  { graceMs, mayRemove, pause, signal }: CollectionTerms,
  collected: { count: number; bytes: number },
): Promise<void> {
  if (hashes.length === 0) return
  const named = await store.namedFiles(hashes, signal)
  const unnamed = hashes.filter((sha256) => !named.has(sha256))
  if (unnamed.length === 0 || !(await mayRemove())) return
  for (const [at, sha256] of unnamed.entries()) {
    if (at % BETWEEN_PAUSES === BETWEEN_PAUSES - 1) await pause()
    const bytes = await files.remove(sha256, graceMs)
    if (bytes === null) continue
    collected.count += 1
    collected.bytes += bytes
  }
}
