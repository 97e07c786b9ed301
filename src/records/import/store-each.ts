import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ChangeResult } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../deps.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { OnDuplicate } from '../find-duplicates.ts'
import { insertEach } from '../insert-each.ts'
import type { ImportResult } from './import-item.ts'
import type { Insert } from './prepare-insert.ts'
import type { Prepared } from './prepared.ts'
import { settleDuplicates } from './settle-duplicates.ts'

/** What became of it. */
export type Outcome = Omit<ImportResult, 'line'>

/** Writes what was prepared, each for itself; outcomes come in the same order, after they are on disk. */
export async function storeEach(
  deps: RecordDeps,
  session: Session,
  given: readonly Prepared[],
  onDuplicate: OnDuplicate = 'create',
): Promise<Outcome[]> {
  const batch = await settleDuplicates(deps, session, given, onDuplicate)
  const inserts = batch.flatMap((one) => ('insert' in one ? [one.insert] : []))
  const results = inserts.length === 0 ? [] : await insertEach(deps, inserts)
  const outcomes: Outcome[] = []
  let next = 0
  for (const one of batch) {
    if ('refusal' in one) {
      outcomes.push(refused(one.refusal))
    } else if ('present' in one) {
      outcomes.push({ outcome: 'skipped', collection: one.present.collection, _id: one.present.id })
    } else {
      outcomes.push(await outcomeOf(deps, session, one.insert, results[next]))
      next += 1
    }
  }
  return outcomes
}

async function outcomeOf(
  deps: RecordDeps,
  session: Session,
  insert: Insert,
  result: ChangeResult | undefined,
): Promise<Outcome> {
  const { collection, id: _id } = insert
  if (result?.outcome === 'done') return { outcome: 'stored', collection, _id }
  const present = await deps.store.read(collection, session.scope, _id)
  if (present?.accountId === session.account.id) return { outcome: 'skipped', collection, _id }
  const error = new AppError(RECORD_ERRORS.idTaken, `The _id ${JSON.stringify(_id)} cannot be used here.`, {
    path: '_id',
    hint: 'Leave _id out, and the record gets one of its own.',
  })
  return { ...refused(error), collection, _id }
}

function refused({ code, message, data }: AppError): Outcome {
  return { outcome: 'refused', error: { code, message, data } }
}
