import { assertMayWrite, type Session } from '../accounts/session.ts'
import { type AppError, packError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RecordDeps } from './deps.ts'
import type { OnDuplicate } from './find-duplicates.ts'
import { batchesAtATime, batchesOf } from './import/batches.ts'
import type { ImportItem, ImportReport } from './import/import-item.ts'
import { overlapped } from './import/overlapped.ts'
import { type PreparedItem, type StoredBatch, storeEach } from './import/store-each.ts'
import type { RecordKind } from './record-kind.ts'
import { type Draft, type DraftOutcome, type DraftTerms, named } from './work/draft.ts'

/** What an import assumes of all that it is given. */
export interface ImportOptions {
  /** Without it, the kind of each record is told by its fields; structure files are materials. */
  readonly kind?: RecordKind
  /** Without it, a record is public when it says so. */
  readonly isPublic?: boolean
  /** In place of those that a record has itself. */
  readonly tags?: readonly string[]
  /** The format of all structure files; without it each is told by name and content. */
  readonly format?: string
  /** Which structure of every file to take; the first when left out. */
  readonly frame?: number
  /** What to do with content that the account has already; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
}

/** Batches that are made ready at a time: while one is gathered, the threads have another. */
const BATCHES_IN_PREPARATION = 2

/**
 * Stores records and structure files in the session's account and reports on each, in their order. What the account has already is
 * skipped, so an import that broke off is simply run again. Nothing waits without bound: what comes in waits for the threads that make
 * records, and they for the disk. Throws on what concerns all: a store that takes no more, a source that cannot be read on. By then
 * everything that is stored has been reported.
 */
export async function* importRecords(
  deps: RecordDeps,
  session: Session,
  items: AsyncIterable<ImportItem>,
  options: ImportOptions = {},
): AsyncGenerator<ImportReport> {
  assertMayWrite(session)
  const prepare = (batch: readonly ImportItem[]) => prepareBatch(deps, session, batch, options)
  let stop: AppError | null = null
  const store = async (batch: readonly PreparedItem[]): Promise<StoredBatch> => {
    const stored = await storeEach(deps, session, batch, options.onDuplicate)
    stop ??= stored.stop
    return stored
  }
  const prepared = overlapped(batchesOf(items, bytesOf), BATCHES_IN_PREPARATION, prepare)
  const batches = takenUntil(prepared, () => stop !== null)
  for await (const { reports } of overlapped(batches, batchesAtATime(options.onDuplicate), store)) yield* reports
  if (stop !== null) throw stop
}

/** Ends a source early: what has been taken from it goes its way. */
async function* takenUntil<Item>(source: AsyncIterable<Item>, isOver: () => boolean): AsyncGenerator<Item> {
  for await (const item of source) {
    if (isOver()) return
    yield item
  }
}

async function prepareBatch(
  deps: RecordDeps,
  session: Session,
  batch: readonly ImportItem[],
  options: ImportOptions,
): Promise<readonly PreparedItem[]> {
  const drafts = batch.flatMap((item) => draftOf(item) ?? [])
  const outcomes = [...(await deps.work.prepare(session.user.id, drafts, termsOf(deps, session, options)))]
  return batch.map((item) => ({ place: item.place, outcome: refusalOf(item) ?? (outcomes.shift() as DraftOutcome) }))
}

function draftOf(item: ImportItem): Draft | null {
  if ('json' in item) return { source: { json: item.json } }
  if (!('file' in item)) return null
  const name = 'file' in item.place ? item.place.file : ''
  return { source: { file: item.file, fileName: name.split(/[\\/]/).at(-1) } }
}

function refusalOf(item: ImportItem): DraftOutcome | null {
  return 'refusal' in item ? { refusal: packError(item.refusal) } : null
}

function bytesOf(item: ImportItem): number {
  if ('json' in item) return item.json.length
  return 'file' in item ? item.file.length : 0
}

function termsOf(deps: RecordDeps, session: Session, options: ImportOptions): DraftTerms {
  const { kind, isPublic, tags, format, frame } = options
  const overrides: Record<string, Json> = {
    ...(isPublic === undefined ? {} : { isPublic }),
    ...(tags === undefined ? {} : { tags }),
  }
  return {
    purpose: 'import',
    account: named(session.account),
    user: named(session.user),
    now: deps.clock(),
    overrides,
    ...(kind === undefined ? {} : { collection: kind.collection }),
    ...(format === undefined ? {} : { format }),
    ...(frame === undefined ? {} : { frame }),
  }
}
