import type { Session } from '../../accounts/session.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { duplicateRefusal } from '../create-record.ts'
import type { RecordDeps } from '../deps.ts'
import { contentOf, findDuplicates, type OnDuplicate } from '../find-duplicates.ts'
import type { Insert } from '../insert-each.ts'
import { RECORD_KINDS } from '../record-kinds.ts'
import type { Prepared } from './prepared.ts'

/** Decides about the records of a batch whose content the account has already, or an earlier record of the batch brings. */
export async function settleDuplicates(
  deps: RecordDeps,
  session: Session,
  batch: readonly Prepared[],
  onDuplicate: OnDuplicate,
): Promise<readonly Prepared[]> {
  if (onDuplicate === 'create') return batch
  const brought = new Map<string, string>()
  const settled: Prepared[] = []
  for (const one of batch) {
    settled.push('insert' in one ? await settle(deps, session, one.insert, onDuplicate, brought) : one)
  }
  return settled
}

async function settle(
  deps: RecordDeps,
  session: Session,
  insert: Insert,
  onDuplicate: 'return' | 'fail',
  brought: Map<string, string>,
): Promise<Prepared> {
  const { collection, id } = insert
  const kind = RECORD_KINDS.find((candidate) => candidate.collection === collection)
  const document = JSON.parse(insert.text) as JsonObject
  const content = kind === undefined ? null : contentOf(kind, document)
  if (kind === undefined || content === null) return { insert }
  const key = `${collection} ${content}`
  const earlier = brought.get(key)
  const duplicates = earlier === undefined ? await findDuplicates(deps, kind, session.account.id, document) : [earlier]
  const [oldest] = duplicates
  if (oldest === undefined) {
    brought.set(key, id)
    return { insert }
  }
  return onDuplicate === 'return'
    ? { present: { collection, id: oldest } }
    : { refusal: duplicateRefusal(kind, duplicates) }
}
