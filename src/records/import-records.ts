import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import type { RecordDeps } from './deps.ts'
import { batchesOf } from './import/batches.ts'
import type { ImportItem, ImportResult } from './import/import-item.ts'
import { type ImportOptions, prepareItem } from './import/prepare-item.ts'
import { prepared } from './import/prepared.ts'
import { storeEach } from './import/store-each.ts'

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
  for await (const batch of batchesOf(items, (item) => ('text' in item ? item.text.length : 0))) {
    // Together, so that the thread that finds symmetry always has work.
    const inserts = batch.map((item) => prepared(prepareItem(deps, session, item, options)))
    const outcomes = await storeEach(deps, session, await Promise.all(inserts), options.onDuplicate)
    for (const [index, outcome] of outcomes.entries()) yield { line: batch[index]?.line ?? 0, ...outcome }
  }
}
