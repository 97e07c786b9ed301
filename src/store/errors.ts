import { latestMs } from '../kernel/clock.ts'
import { AppError, defineErrors, isOf } from '../kernel/errors.ts'
import type { StorageExceeded } from './port/record-store.ts'

/** Errors of a store, as opposed to those of a request. */
export const STORE_ERRORS = defineErrors({
  tooManyOfOne: { code: 42910, title: 'Too many long queries and exports of one user wait for their turn' },
  tooManyBytesOfOne: {
    code: 42911,
    title: 'Bodies and unread answers of one user take as much memory as one user may have',
  },
  repeated: { code: 40940, title: 'A request with the same Idempotency-Key has been carried out meanwhile' },
  storageExceeded: {
    code: 42912,
    title: 'An account would have more records, or bytes of them and their files, than it may have',
  },
  timeBudget: { code: 50301, title: 'A query took more processor time than its budget' },
  overloaded: { code: 50302, title: 'Too many long queries wait for their turn' },
  notWritten: { code: 50303, title: 'The storage did not take a write; nothing of it was kept' },
  closed: { code: 50304, title: 'The store is closed or closing' },
  readOnly: { code: 50305, title: 'The store was opened for reading only' },
  unreadable: { code: 50306, title: 'The storage could not be read' },
  tooManyBytes: { code: 50307, title: 'Bodies and unread answers take as much memory as the server has for them' },
  pageTooLarge: { code: 42251, title: 'A page of a list would take more memory than one user may have' },
  notReady: { code: 50308, title: 'The storage cannot be written to at the moment' },
  upgrading: { code: 50309, title: 'Segments are being made of all records; what needs them all has to wait' },
  outcomeUnknown: { code: 50310, title: 'The database was lost during a write, which may have been kept or not' },
  busy: { code: 50311, title: 'The server was too busy to come to the end of what was asked in time' },
  noRoom: { code: 50701, title: 'The disk of the server has no room for a write; nothing of it was kept' },
  filesNotWritable: { code: 50312, title: 'A file could not be stored; what had arrived of it may be gone on with' },
  uploadTakenOver: { code: 40941, title: 'Another request goes on with the same upload' },
  fileMissing: { code: 50313, title: 'A file that a record names is not in the storage' },
  olderConnected: {
    code: 50028,
    title: 'A version of Quarry that is too old for an update is connected to the database',
  },
  newerFile: { code: 50010, title: 'The database file was written by a newer version' },
  olderFile: { code: 50029, title: 'The database is of a time before the first release' },
  foreignFile: { code: 50011, title: 'The file is not a Quarry database' },
  cannotOpen: { code: 50012, title: 'The database file cannot be opened' },
  badBackup: { code: 50013, title: 'The backup cannot be restored as it is' },
  inUse: { code: 50014, title: 'The database is in use, or would be overwritten' },
  emptyFile: { code: 50016, title: 'The database file is empty, though it is no new one' },
  damagedFile: { code: 50022, title: 'The database file is damaged, so that nothing must be written to it' },
  damagedBackup: { code: 50021, title: 'A backup would have been damaged, and was not written' },
  damagedRecord: { code: 50020, title: 'What is stored of a record is not what was written' },
  emptyDatabase: { code: 50023, title: 'The PostgreSQL database has no tables of Quarry' },
  unfinishedMove: { code: 50024, title: 'Rows are still to be moved to the database' },
  changedSource: { code: 50025, title: 'What is moved has been written to since the move was begun' },
  unlikeSource: { code: 50026, title: 'What was moved is not what there was' },
  notKept: { code: 50027, title: 'A text cannot be kept by the store that it is moved to' },
  cannotBackUp: { code: 50015, title: 'The backup could not be written' },
  ownerWouldChange: { code: 50017, title: 'A file would be replaced by one that its owner could not open' },
  cannotRestore: { code: 50018, title: 'A backup cannot be put in its place' },
})

export const BUSY_RETRY_SECONDS = 5

/** Error for a request that had lasted too long with some of its budget left. */
export function busyError(budgetMs: number): AppError {
  return new AppError(
    STORE_ERRORS.busy,
    `The server is busy: in ${Math.round(latestMs(budgetMs) / 1000)} s it did not come to spend on the query the ${budgetMs} ms that it may take.`,
    { retryAfterSeconds: BUSY_RETRY_SECONDS, hint: 'Try again in a few seconds; the query need not be narrower.' },
  )
}

/** The error for a change that was not made for that. Waiting is of no use, so that it names no time. */
export function storageExceeded({ quota, limit }: StorageExceeded): AppError {
  const what = quota === 'records' ? `${limit} records` : `${limit} bytes of records and files`
  return new AppError(STORE_ERRORS.storageExceeded, `The account may have ${what}; with this one it would have more.`, {
    quota,
    limit,
    hint: 'Delete records or files of them, and purge records that were removed: they count until then. Or ask the operator for more.',
  })
}

/** Error for a write that has been carried out already, under the same key. */
export function repeated(): AppError {
  return new AppError(
    STORE_ERRORS.repeated,
    'A request with the same Idempotency-Key has been carried out meanwhile.',
    { path: 'Idempotency-Key', hint: 'Send it again, and get its answer.' },
  )
}

/** Error for features that need all segments while they are being made; `what` names them. */
export function upgradingError(what: string): AppError {
  return new AppError(
    STORE_ERRORS.upgrading,
    `The store is being brought up to date after an update of the program; ${what} work when that is done.`,
    { retryAfterSeconds: 10, hint: 'Lists work meanwhile, slowly. Try again in some seconds.' },
  )
}

export function closedError(): AppError {
  return new AppError(STORE_ERRORS.closed, 'The store is closing; the request was not carried out.', {
    hint: 'Try again when the server is up.',
  })
}

export const DAMAGE_HINT =
  'Tell the operator of the server: `quarry check` finds all damage, a backup has what was written.'

/** Error for damage that was met; the message says where. */
export function damageMet(message: string, cause?: unknown): AppError {
  return new AppError(STORE_ERRORS.damagedFile, message, { hint: DAMAGE_HINT }, cause)
}

/** Error for opening a store that a move has not come to the end of; `mark` says which. */
export function unfinishedMove(mark: string): AppError {
  const { from, to } = JSON.parse(mark) as { readonly from: string; readonly to: string }
  return new AppError(STORE_ERRORS.unfinishedMove, `${to} has only a part of what is being moved there from ${from}.`, {
    hint: `\`quarry migrate --from ${from} --to ${to}\` goes on with it; passwords are left out here.`,
  })
}

export function tooManyOfOne(places: number): AppError {
  const message = `${places} of your long queries and exports wait already; this one was not taken.`
  return new AppError(STORE_ERRORS.tooManyOfOne, message, { hint: 'Wait for answers before you ask for more.' })
}

export function overloadedError(places: number): AppError {
  const message = `${places} long queries wait already; this one was not taken.`
  return new AppError(STORE_ERRORS.overloaded, message, { hint: 'Try again in a few seconds.' })
}

/** Most writes that may wait; beyond it, writers are told to come back later. */
export const MOST_WAITING_WRITES = 10_000

export function tooManyWrites(): AppError {
  const message = `${MOST_WAITING_WRITES} writes wait already; this one was not taken.`
  return new AppError(STORE_ERRORS.overloaded, message, {
    hint: 'Try again in a few seconds, with fewer writes at a time.',
  })
}

/** Error for a query that has waited as long as it may. */
export function waitedError(milliseconds: number): AppError {
  const message = `The query waited for its turn for ${milliseconds} ms, and was not begun.`
  return new AppError(STORE_ERRORS.overloaded, message, { hint: 'Try again in a few seconds.' })
}

/** Error for a read that failed, or that was asked of a thread that has ended. */
export function unreadableError(cause: unknown): AppError {
  return new AppError(STORE_ERRORS.unreadable, 'The storage could not be read.', { hint: 'Try again.' }, cause)
}

/** Waits for what a method promises. */
type WaitForMethod = <Result>(result: Promise<Result>, method: string) => Promise<Result>

/** Does what an object does; `note` gives what is thrown for what its methods throw, also later or in a stream, and `wait` waits for them. */
export function noting<Target extends object>(
  target: Target,
  note: (error: unknown) => unknown,
  wait: WaitForMethod = (result) => result,
): Target {
  const guarded: Record<string, unknown> = {}
  for (const name of methodsOf(target)) {
    const method = Reflect.get(target, name) as (...given: unknown[]) => unknown
    guarded[name] = (...given: unknown[]): unknown => {
      try {
        const result = method.apply(target, given)
        if (result instanceof Promise) return wait(result, name).catch((error: unknown) => Promise.reject(note(error)))
        return isStream(result) ? notingStream(result, note) : result
      } catch (error) {
        throw note(error)
      }
    }
  }
  return guarded as Target
}

function methodsOf(target: object): readonly string[] {
  const prototype = Object.getPrototypeOf(target) as object
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
    typeof value === 'function' && name !== 'constructor' ? [name] : [],
  )
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* notingStream(
  stream: AsyncIterable<unknown>,
  note: (error: unknown) => unknown,
): AsyncIterable<unknown> {
  try {
    yield* stream
  } catch (error) {
    throw note(error)
  }
}

/** Faults of a content in words, which finish a sentence: `The file … is missing`. */
export const MISSING = 'is missing'
export const DAMAGED = 'is damaged: its bytes are not those that were stored'

/** Says why a content cannot be read, in such words. */
export function faultInWords(error: unknown): string {
  return isOf(STORE_ERRORS.fileMissing, error) ? MISSING : `cannot be read: ${(error as Error).message}`
}
