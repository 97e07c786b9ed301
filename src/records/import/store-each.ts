import { actorOf, type Session } from '../../accounts/session.ts'
import { AppError, type PackedError, packError } from '../../kernel/errors.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { RECORD_EVENTS } from '../events.ts'
import { SOURCE_KEY } from '../kinds/material/findings.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import type { RecordKind } from '../record-kind.ts'
import { toldWarnings } from '../use-cases/change.ts'
import { duplicateRefusal, type InsertResult, insertEach } from '../use-cases/create-record.ts'
import { findSameAmong, findSameOf, type SameAs, unfinishedSearch } from '../use-cases/same-materials.ts'
import { findDuplicates, type OnDuplicate } from '../work/complete-record.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { DraftOutcome, ReadyRecord } from '../work/draft.ts'
import type { ImportPlace, ImportReport } from './import-item.ts'

/** What is to be done with what came of an item; `present`: nothing, since the account has the content, or the crystal. */
export type Settled = DraftOutcome | { readonly present: Present }

interface Present {
  readonly collection: string
  readonly id: string
  readonly sameAs?: readonly SameAs[]
}

/** What is done about what the account has already. */
export interface Settling {
  /** What to do with equal content; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
  /** Whether structures are skipped that are the same crystal as one of the account, or as one that came before. */
  readonly skipSame?: boolean
}

/** Decides about the records of a batch that the account has already, or that an earlier record of the batch brings. */
export async function settleDuplicates(
  deps: RecordDeps,
  session: Session,
  batch: readonly DraftOutcome[],
  { onDuplicate = 'create', skipSame = false }: Settling,
): Promise<readonly Settled[]> {
  if (onDuplicate === 'create' && !skipSame) return batch
  const brought = new Map<string, string>()
  const kept: ReadyRecord[] = []
  const settled: Settled[] = []
  for (const one of batch) {
    const become = 'ready' in one ? await settleOne(one.ready) : one
    settled.push({ ...duplicateReadingOf(one), ...become })
    if ('ready' in become) kept.push(become.ready)
  }
  return settled

  async function settleOne(ready: ReadyRecord): Promise<Settled> {
    const earlier = onDuplicate === 'create' ? null : await findEarlier(deps, session, ready, brought)
    if (earlier !== null && onDuplicate !== 'create') return insteadOf(earlier, onDuplicate)
    return skipSame ? settleSame(deps, session, ready, kept) : { ready }
  }
}

/** What becomes of a record that may be the same crystal as one of the account, or as one of those that go there before it. */
async function settleSame(
  deps: RecordDeps,
  session: Session,
  ready: ReadyRecord,
  kept: readonly ReadyRecord[],
): Promise<Settled> {
  const looking = { deps, session }
  const stored = await findSameOf(looking, session.account.id, ready)
  const among = stored.same.length > 0 ? stored : await findSameAmong(looking, ready, kept)
  const [nearest] = among.same
  if (nearest !== undefined) {
    return { present: { collection: ready.collection, id: nearest._id, sameAs: [nearest] } }
  }
  if (stored.exact && among.exact) return { ready }
  return { ready: { ...ready, warnings: [...ready.warnings, unfinishedSearch('skipSame')] } }
}

/** What has the content of a record already, the oldest first. */
interface Earlier {
  readonly kind: RecordKind
  readonly ids: readonly [string, ...string[]]
}

/** Finds what has the content of a record already, in the account or in what the batch has `brought`; null when nothing has. */
async function findEarlier(
  deps: RecordDeps,
  session: Session,
  { collection, id, content }: ReadyRecord,
  brought: Map<string, string>,
): Promise<Earlier | null> {
  const kind = RECORD_KINDS.find((candidate) => candidate.collection === collection)
  if (kind === undefined || content === null) return null
  const key = `${collection} ${content}`
  const earlier = brought.get(key)
  if (earlier !== undefined) return { kind, ids: [earlier] }
  const [oldest, ...others] = await findDuplicates(deps, kind, session.account.id, content)
  if (oldest !== undefined) return { kind, ids: [oldest, ...others] }
  brought.set(key, id)
  return null
}

/** What becomes of a record in place of being stored. */
function insteadOf({ kind, ids }: Earlier, onDuplicate: 'return' | 'fail'): Settled {
  return onDuplicate === 'return'
    ? { present: { collection: kind.collection, id: ids[0] } }
    : { refusal: packError(duplicateRefusal(kind, ids)) }
}

function duplicateReadingOf({ reading }: DraftOutcome) {
  return reading === undefined ? {} : { reading }
}

/** A thing of an import that is ready to be stored, or is not going to be. */
export interface PreparedItem {
  readonly place: ImportPlace
  readonly outcome: DraftOutcome
}

/** What became of a batch. `stop`: the store took no more; what has no report is not stored. */
export interface StoredBatch {
  readonly reports: readonly ImportReport[]
  readonly stop: AppError | null
}

/** Writes what was made, each for itself; reports come in the same order, after the records are on disk. */
export async function storeEach(
  deps: RecordDeps,
  session: Session,
  batch: readonly PreparedItem[],
  settling: Settling = {},
): Promise<StoredBatch> {
  const outcomes = batch.map(({ outcome }) => outcome)
  const settled = await settleDuplicates(deps, session, outcomes, settling)
  const ready = settled.flatMap((one) => ('ready' in one ? [one.ready] : []))
  // Once they are stored, the records themselves are seen to have their fields.
  const warnings = await Promise.all(settled.map((one) => ('ready' in one ? warningsOf(deps, session, one.ready) : [])))
  const results = await insertEach(deps, { accountId: session.account.id, by: actorOf(session) }, ready)
  const reports: ImportReport[] = []
  let stored = 0
  let stop: AppError | null = null
  for (const [index, one] of settled.entries()) {
    const place = batch[index]?.place
    const result = 'ready' in one ? results[stored++] : undefined
    if (result !== undefined && 'stop' in result) {
      stop = result.stop
      continue
    }
    const report = await reportOf(deps, session, one, result)
    const told = report.outcome === 'stored' ? warnings[index] : []
    reports.push({ ...place, ...readingOf(one, told), ...report })
  }
  return { reports, stop }
}

type WrittenResult = Exclude<InsertResult, { readonly stop: AppError }>
type Report = Omit<ImportReport, 'line' | 'file' | 'frame' | 'frames' | 'format' | 'warnings'>

async function reportOf(
  deps: RecordDeps,
  session: Session,
  settled: Settled,
  result: WrittenResult | undefined,
): Promise<Report> {
  if ('refusal' in settled) return refused(settled.refusal)
  if ('present' in settled) {
    const { id: _id, ...present } = settled.present
    return { outcome: 'skipped', _id, ...present }
  }
  if ('ready' in settled && result !== undefined) return reportOfInsert(deps, session, settled.ready, result)
  return refused(packFault(deps, new Error('fault' in settled ? settled.fault : 'a record of an import was lost')))
}

async function reportOfInsert(
  deps: RecordDeps,
  session: Session,
  { collection, id: _id, withoutSymmetry }: ReadyRecord,
  result: WrittenResult,
): Promise<Report> {
  if ('refusal' in result) return refused(packError(result.refusal))
  if ('fault' in result) return refused(packFault(deps, result.fault))
  const known = { collection, _id }
  if (result.outcome === 'done') {
    return { outcome: 'stored', ...known, ...(withoutSymmetry === null ? {} : { withoutSymmetry }) }
  }
  const present = await deps.store.read(collection, session.scope, _id)
  if (present?.accountId === session.account.id) return { outcome: 'skipped', ...known }
  const error = new AppError(RECORD_ERRORS.idTaken, `The _id ${JSON.stringify(_id)} cannot be used here.`, {
    path: '_id',
    hint: 'Leave _id out, and the record gets one of its own.',
  })
  return { ...refused(packError(error)), ...known }
}

/** A fault of the program is the refusal of the record that met it; what it was is told to the log alone. */
export function faultRefusal(deps: RecordDeps, fault: Error): AppError {
  deps.log.tell(RECORD_EVENTS.recordFailed, {}, fault)
  const message = 'The server has a fault that this record has met; its log has the details. The other records go on.'
  return new AppError(RECORD_ERRORS.fault, message)
}

function packFault(deps: RecordDeps, fault: Error): PackedError {
  return packError(faultRefusal(deps, fault))
}

function refused({ spec, message, data }: PackedError): Report {
  return { outcome: 'refused', error: { code: spec.code, message, data } }
}

/** What reading has told stands in the record as well. */
function warningsOf(
  { store }: RecordDeps,
  { scope }: Session,
  { collection, warnings }: ReadyRecord,
): Promise<readonly Warning[]> {
  const ofRecord = warnings.filter(({ path }) => path !== SOURCE_KEY)
  return toldWarnings(store, { collection, scope }, ofRecord)
}

function readingOf(settled: Settled, told: readonly Warning[] = []): Pick<ImportReport, 'format' | 'warnings'> {
  const reading = 'reading' in settled ? settled.reading : undefined
  const warnings = [...(reading?.warnings ?? []), ...told]
  return {
    ...(reading === undefined ? {} : { format: reading.format }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}
