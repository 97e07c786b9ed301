import { AppError, isOf } from '../../kernel/errors.ts'
import { STORE_ERRORS, storageExceeded } from '../../store/errors.ts'
import type { Actor } from '../../store/port/audit.ts'
import type { Change, ChangeResult } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { NewRecord } from '../work/record-input.ts'
import { commitOne } from './write-record.ts'

/**
 * Outcome of the insert of one record. `refusal`: the account may have no more. `fault`: the store failed at this one, by a fault of the program.
 * `stop`: the store takes no writes.
 */
export type InsertResult =
  | ChangeResult
  | { readonly refusal: AppError }
  | { readonly fault: Error }
  | { readonly stop: AppError }

/** Account of the records, and actor that stores them; none where the program does it itself. */
export interface InsertPlace {
  readonly accountId: string
  readonly by: Actor | undefined
}

/**
 * Stores new records, each for itself; public ones together with what they bring to the bank. Results are in the order of the records,
 * when all that was begun has ended: where the store stops in the middle, it is known of each record whether it is there.
 */
export async function insertEach(
  deps: RecordDeps,
  place: InsertPlace,
  records: readonly NewRecord[],
): Promise<readonly InsertResult[]> {
  const { accountId, by } = place
  const plain = records.filter(({ after }) => after === null)
  const written = await insertPlain(deps, place, plain)
  const resultOf = new Map(plain.map((record, index) => [record, written[index]]))
  const results = records.map((record) => {
    const { before, after } = record
    if (after === null) return resultOf.get(record) ?? { outcome: 'changed' as const }
    return commitOne(deps, { change: insertOf(accountId, record), before, after }, { by }).catch(asFailure)
  })
  return Promise.all(results)
}

async function insertPlain(
  deps: RecordDeps,
  place: InsertPlace,
  records: readonly NewRecord[],
): Promise<readonly InsertResult[]> {
  if (records.length === 0) return []
  try {
    const inserts = records.map((record) => insertOf(place.accountId, record))
    return (await deps.store.applyEach(inserts, place.by)).map((result) =>
      result.outcome === 'full' ? { refusal: storageExceeded(result) } : result,
    )
  } catch (error) {
    const failure = asFailure(error)
    if (records.length === 1 || 'stop' in failure) return records.map(() => failure)
    // The one at fault shows when each is written by itself.
    const results: InsertResult[] = []
    for (const record of records) results.push(...(await insertPlain(deps, place, [record])))
    return results
  }
}

/** The change by which a new record comes to an account. */
export function insertOf(accountId: string, { collection, id, isPublic, text, gaveUpMs }: NewRecord): Change {
  return { action: 'insert', collection, id, accountId, isPublic, text, gaveUpMs }
}

type Failure = Exclude<InsertResult, ChangeResult>

function asFailure(error: unknown): Failure {
  if (isOf(STORE_ERRORS.storageExceeded, error)) return { refusal: error }
  if (error instanceof AppError) return { stop: error }
  return { fault: error instanceof Error ? error : new Error(String(error)) }
}
