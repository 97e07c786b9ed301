import type { Session } from '../../accounts/session.ts'
import { packError } from '../../kernel/errors.ts'
import { duplicateRefusal } from '../create-record.ts'
import type { RecordDeps } from '../deps.ts'
import { findDuplicates, type OnDuplicate } from '../find-duplicates.ts'
import { RECORD_KINDS } from '../record-kinds.ts'
import type { DraftOutcome, ReadyRecord } from '../work/draft.ts'

/** What is to be done with what came of an item; `present`: nothing, since the account has the content. */
export type Settled = DraftOutcome | { readonly present: { readonly collection: string; readonly id: string } }

/** Decides about the records of a batch whose content the account has already, or an earlier record of the batch brings. */
export async function settleDuplicates(
  deps: RecordDeps,
  session: Session,
  batch: readonly DraftOutcome[],
  onDuplicate: OnDuplicate,
): Promise<readonly Settled[]> {
  if (onDuplicate === 'create') return batch
  const brought = new Map<string, string>()
  const settled: Settled[] = []
  for (const one of batch) {
    const instead = 'ready' in one ? await settle(deps, session, one.ready, onDuplicate, brought) : null
    settled.push(instead === null ? one : { ...readingOf(one), ...instead })
  }
  return settled
}

/** What becomes of a record in place of being stored; null when it is to be stored. */
async function settle(
  deps: RecordDeps,
  session: Session,
  { collection, id, content }: ReadyRecord,
  onDuplicate: 'return' | 'fail',
  brought: Map<string, string>,
): Promise<Settled | null> {
  const kind = RECORD_KINDS.find((candidate) => candidate.collection === collection)
  if (kind === undefined || content === null) return null
  const key = `${collection} ${content}`
  const earlier = brought.get(key)
  const duplicates = earlier === undefined ? await findDuplicates(deps, kind, session.account.id, content) : [earlier]
  const [oldest] = duplicates
  if (oldest === undefined) {
    brought.set(key, id)
    return null
  }
  return onDuplicate === 'return'
    ? { present: { collection, id: oldest } }
    : { refusal: packError(duplicateRefusal(kind, duplicates)) }
}

function readingOf({ reading }: DraftOutcome) {
  return reading === undefined ? {} : { reading }
}
