import type { Session } from '../../accounts/session.ts'
import { AppError, isOf, packError } from '../../kernel/errors.ts'
import { remedied } from '../../page/remedies.ts'
import { all, equals } from '../../query/ast/filter.ts'
import { parseProjection } from '../../query/fields/parse-projection.ts'
import { planQuery } from '../../query/plan.ts'
import { STORE_ERRORS } from '../../store/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'
import { rewriteRecord } from '../use-cases/update-record.ts'
import { oneByOne } from '../use-cases/write-record.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { OnMatch, RecordKey } from '../work/record-key.ts'
import type { ImportReport } from './import-item.ts'
import {
  faultRefusal,
  kindOfItem,
  type PreparedItem,
  type Settling,
  type StoredBatch,
  storeEach,
} from './store-each.ts'

/** Paths whose values say which record it is, and what becomes of the one that there is. */
export interface KeyTerms {
  readonly paths: readonly string[]
  readonly onMatch: OnMatch
}

interface Keyed {
  readonly deps: RecordDeps
  readonly session: Session
  readonly settling: Settling
  readonly terms: KeyTerms
}

/** Stores records by a key: what the account has with the same values becomes what was sent, others are new. The last of a key stays. */
export function storeByKey(keyed: Keyed, batch: readonly PreparedItem[]): Promise<StoredBatch> {
  // Of two imports of this process at a time, one sees what the other has stored.
  return oneByOne(keyed.deps.store, `key ${keyed.session.account.id}`, async () => {
    const reports: ImportReport[] = []
    for (const some of withoutRepeats(batch)) {
      const stored = await storeOnce(keyed, some)
      reports.push(...stored.reports)
      if (stored.stop !== null) return { reports, stop: stored.stop }
    }
    return { reports, stop: null }
  })
}

/** Parts of a batch, in its order, in which no key comes twice. */
function withoutRepeats(batch: readonly PreparedItem[]): readonly (readonly PreparedItem[])[] {
  const parts: PreparedItem[][] = []
  let seen = new Set<string>()
  for (const item of batch) {
    const name = item.outcome.key === undefined ? null : JSON.stringify(item.outcome.key)
    if (parts.length === 0 || (name !== null && seen.has(name))) {
      parts.push([])
      seen = new Set()
    }
    parts.at(-1)?.push(item)
    if (name !== null) seen.add(name)
  }
  return parts
}

async function storeOnce(keyed: Keyed, batch: readonly PreparedItem[]): Promise<StoredBatch> {
  const settled = await Promise.all(batch.map((item) => settleMatch(keyed, item)))
  const stop = settled.find((one) => one !== null && 'stop' in one) as { readonly stop: AppError } | undefined
  const news = batch.filter((_, at) => settled[at] === null)
  const stored: StoredBatch =
    stop === undefined
      ? await storeEach(keyed.deps, keyed.session, news, keyed.settling)
      : { reports: [], stop: stop.stop }
  const newReports = [...stored.reports]
  const reports = settled.flatMap((one): ImportReport[] => {
    if (one !== null) return 'stop' in one ? [] : [one]
    const report = newReports.shift()
    return report === undefined ? [] : [report]
  })
  return { reports, stop: stored.stop }
}

/** Rewrites the record that has the key of an item; null where there is none, or nothing to compare with. */
async function settleMatch(
  keyed: Keyed,
  item: PreparedItem,
): Promise<ImportReport | { readonly stop: AppError } | null> {
  const { deps, session, settling, terms } = keyed
  const { place, json, outcome } = item
  const kind = kindOfItem(outcome, settling)
  if (outcome.key === undefined || json === undefined || kind === null) return null
  try {
    const id = await findMatch(keyed, kind, outcome.key)
    if (id === null) return null
    let version = 0
    const rewritten = await rewriteRecord({ deps, kind, session }, id, {
      action: 'update',
      edit: async (current) => {
        version = current.version
        return { imported: json, onMatch: terms.onMatch, overrides: settling.overrides ?? {} }
      },
    })
    const { warnings } = rewritten
    const report = { collection: kind.collection, _id: id, ...(warnings === undefined ? {} : { warnings }) }
    return { ...place, outcome: rewritten.version === version ? 'skipped' : 'updated', ...report }
  } catch (error) {
    const refusal = error instanceof AppError ? error : faultRefusal(deps, error as Error)
    if (refusal.status >= 500 && error === refusal && !isOf(STORE_ERRORS.storageExceeded, error))
      return { stop: refusal }
    const { spec, message, data } = packError(refusal)
    return { ...place, outcome: 'refused', error: { code: spec.code, message, data } }
  }
}

/** Two are too many. */
const TWO = parseProjection({ fields: { _id: 1 }, limit: 2 })

async function findMatch({ deps, session, terms }: Keyed, kind: RecordKind, key: RecordKey): Promise<string | null> {
  const accountId = session.account.id
  const conditions = terms.paths.map((path, at) => equals(path, key[at] ?? null))
  const filter = all(...conditions, equals('owner._id', accountId))
  const plan = planQuery({ filter, ...TWO }, kind.collection, { kind: 'account', accountId })
  const { documents } = await deps.store.find(plan)
  const [one, other] = JSON.parse(documents.toString()) as readonly { readonly _id: string }[]
  if (other === undefined) return one?._id ?? null
  const named = terms.paths.map((path, at) => `${path} ${JSON.stringify(key[at])}`).join(' and ')
  const message = `Several ${kind.collection} of the account have ${named}: ${one?._id}, ${other._id}.`
  throw new AppError(RECORD_ERRORS.keyShared, message, {
    path: terms.paths[0] ?? '',
    ...remedied('severalKeys'),
  })
}
