import { setImmediate as nextTurn } from 'node:timers/promises'
import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import type { RecordDeps } from './deps.ts'
import { batchesAtATime, batchesOf } from './import/batches.ts'
import type { ImportItem, ImportResult } from './import/import-item.ts'
import { overlapped } from './import/overlapped.ts'
import { type ImportOptions, prepareItem } from './import/prepare-item.ts'
import { type Prepared, prepared } from './import/prepared.ts'
import { storeEach } from './import/store-each.ts'

/** How long records are prepared without a break: requests of others come in between. */
const TURN_MS = 2

/**
 * Stores records of a file in the session's account and reports on each, in the order of the file. What the account has already is
 * skipped, so an import that broke off is simply run again.
 */
export async function* importRecords(
  deps: RecordDeps,
  session: Session,
  items: AsyncIterable<ImportItem>,
  options: ImportOptions = {},
): AsyncGenerator<ImportResult> {
  assertMayWrite(session)
  const store = async ({ lines, inserts }: PreparedBatch): Promise<ImportResult[]> => {
    const outcomes = await storeEach(deps, session, await Promise.all(inserts), options.onDuplicate)
    return outcomes.map((outcome, index) => ({ line: lines[index] ?? 0, ...outcome }))
  }
  const batches = preparedBatches(deps, session, items, options)
  for await (const results of overlapped(batches, batchesAtATime(options.onDuplicate), store)) yield* results
}

interface PreparedBatch {
  readonly lines: readonly number[]
  /** Under way together, so that the thread that finds symmetry always has work. */
  readonly inserts: readonly Promise<Prepared>[]
}

async function* preparedBatches(
  deps: RecordDeps,
  session: Session,
  items: AsyncIterable<ImportItem>,
  options: ImportOptions,
): AsyncGenerator<PreparedBatch> {
  let turnEnds = performance.now() + TURN_MS
  for await (const batch of batchesOf(items, (item) => ('text' in item ? item.text.length : 0))) {
    const inserts: Promise<Prepared>[] = []
    for (const item of batch) {
      const insert = prepared(prepareItem(deps, session, item, options))
      // A fault counts when the batch is stored, not as one that nobody handles.
      insert.catch(() => {})
      inserts.push(insert)
      if (performance.now() < turnEnds) continue
      await nextTurn()
      turnEnds = performance.now() + TURN_MS
    }
    yield { lines: batch.map(({ line }) => line), inserts }
  }
}
