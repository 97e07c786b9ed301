import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import { AppError } from '../kernel/errors.ts'
import type { ChangeResult } from '../store/port/record-store.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_ERRORS } from './errors.ts'
import type { ImportItem, ImportResult } from './import/import-item.ts'
import { type ImportOptions, type Insert, prepareItem } from './import/prepare-item.ts'

/** Records that are written together; results come after they are on disk. */
const BATCH_RECORDS = 200
const BATCH_CHARACTERS = 4 * 1024 * 1024

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
  for await (const batch of batchesOf(items)) {
    // Together, so that the thread that finds symmetry always has work.
    const prepared = await Promise.all(batch.map((item) => prepare(deps, session, item, options)))
    yield* await storeBatch(deps, session, prepared)
  }
}

async function* batchesOf(items: AsyncIterable<ImportItem>): AsyncGenerator<readonly ImportItem[]> {
  let batch: ImportItem[] = []
  let characters = 0
  for await (const item of items) {
    batch.push(item)
    characters += 'text' in item ? item.text.length : 0
    if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

type Prepared = { readonly line: number } & ({ readonly insert: Insert } | { readonly refusal: AppError })

async function prepare(
  deps: RecordDeps,
  session: Session,
  item: ImportItem,
  options: ImportOptions,
): Promise<Prepared> {
  const { line } = item
  try {
    return { line, insert: await prepareItem(deps, session, item, options) }
  } catch (error) {
    if (error instanceof AppError) return { line, refusal: error }
    throw error
  }
}

async function storeBatch(deps: RecordDeps, session: Session, batch: readonly Prepared[]): Promise<ImportResult[]> {
  const inserts = batch.flatMap((prepared) => ('insert' in prepared ? [prepared.insert] : []))
  const outcomes = inserts.length === 0 ? [] : await deps.store.applyEach(inserts)
  const results: ImportResult[] = []
  let next = 0
  for (const prepared of batch) {
    if ('refusal' in prepared) {
      results.push(refused(prepared.line, prepared.refusal))
    } else {
      results.push(await report(deps, session, prepared.line, prepared.insert, outcomes[next]))
      next += 1
    }
  }
  return results
}

async function report(
  deps: RecordDeps,
  session: Session,
  line: number,
  insert: Insert,
  result: ChangeResult | undefined,
): Promise<ImportResult> {
  const { collection, id: _id } = insert
  if (result?.outcome === 'done') return { line, outcome: 'stored', collection, _id }
  const present = await deps.store.read(collection, session.scope, _id)
  if (present?.accountId === session.account.id) return { line, outcome: 'skipped', collection, _id }
  const error = new AppError(RECORD_ERRORS.idTaken, `The _id ${JSON.stringify(_id)} cannot be used here.`, {
    path: '_id',
    hint: 'Leave _id out, and the record gets one of its own.',
  })
  return { ...refused(line, error), collection, _id }
}

function refused(line: number, { code, message, data }: AppError): ImportResult {
  return { line, outcome: 'refused', error: { code, message, data } }
}
