import type { Change, ChangeResult } from '../store/port/record-store.ts'
import { applyChange } from './apply-change.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_KINDS } from './record-kinds.ts'

/** The change that stores a new record. */
export type Insert = Extract<Change, { action: 'insert' }>

/** Stores new records, each for itself; public ones together with what they bring to the bank. Results are in the order of the inserts. */
export async function insertEach(deps: RecordDeps, inserts: readonly Insert[]): Promise<readonly ChangeResult[]> {
  const plain = inserts.filter((insert) => bankedKindOf(insert) === undefined)
  const written = plain.length === 0 ? [] : await deps.store.applyEach(plain)
  const resultOf = new Map(plain.map((insert, index) => [insert, written[index]]))
  const results = inserts.map((insert) => {
    const kind = bankedKindOf(insert)
    if (kind === undefined) return resultOf.get(insert) ?? { outcome: 'changed' as const }
    return applyChange(deps, kind, insert, { before: null, after: insert })
  })
  return Promise.all(results)
}

function bankedKindOf({ collection, isPublic }: Insert) {
  return isPublic ? RECORD_KINDS.find((kind) => kind.collection === collection && kind.bank !== undefined) : undefined
}
