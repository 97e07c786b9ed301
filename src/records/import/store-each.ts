import { actorOf, type Session } from '../../accounts/session.ts'
import { AppError, type PackedError, packError } from '../../kernel/errors.ts'
import { equalJson, type JsonObject } from '../../kernel/json.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { RECORD_EVENTS } from '../events.ts'
import { SOURCE_KEY } from '../kinds/material/findings.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import type { RecordKind } from '../record-kind.ts'
import type { CheckTerms, WriteFindings } from '../use-cases/write.ts'
import { check, type InsertResult, insertEach } from '../use-cases/write-record.ts'
import { SHORT_TEXT } from '../work/client-body.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { BuildOutcome, NewRecord } from '../work/record-input.ts'
import type { ImportPlace, ImportReport, PresentRecord } from './import-item.ts'

/** Treatment of equal content and of the same crystal in the account; and the kind of all records, where it is said. */
export type Settling = Pick<CheckTerms, 'onDuplicate' | 'skipSame'> & {
  readonly kind?: RecordKind
  /** Fields that all have, whatever they say. */
  readonly overrides?: JsonObject
}

/** What came of building an item, or the record that an earlier run has stored. */
type ItemOutcome =
  | BuildOutcome
  | { readonly present: PresentRecord; readonly reading?: undefined; readonly key?: undefined }

/** Item after the checks: a record with their findings, or none. */
type Checked =
  | Exclude<ItemOutcome, { readonly built: NewRecord }>
  | (Extract<BuildOutcome, { readonly built: NewRecord }> & { readonly findings: WriteFindings })

/** For whom records are checked, and how. */
interface Checking {
  readonly deps: RecordDeps
  readonly session: Session
  readonly settling: Settling
}

/** Puts the records of a batch through the checks: each is compared with those that go to the store before it, where that matters. */
async function checkEach(checking: Checking, batch: readonly ItemOutcome[]): Promise<readonly Checked[]> {
  const { onDuplicate = 'create', skipSame = false } = checking.settling
  if (onDuplicate === 'create' && !skipSame) return Promise.all(batch.map((one) => checkOne(checking, one, [])))
  const earlier: NewRecord[] = []
  const checked: Checked[] = []
  for (const one of batch) {
    const become = await checkOne(checking, one, earlier)
    checked.push(become)
    if ('built' in become && become.findings.existing === null) earlier.push(become.built)
  }
  return checked
}

async function checkOne(
  { deps, session, settling: { kind: known, overrides: _overrides, ...terms } }: Checking,
  outcome: ItemOutcome,
  earlier: readonly NewRecord[],
): Promise<Checked> {
  if (!('built' in outcome)) return outcome
  // The record has the warnings of reading as well.
  const warnings = outcome.built.warnings.filter(({ path }) => path !== SOURCE_KEY)
  const built = { ...outcome.built, warnings }
  const kind = kindOfItem(outcome, { kind: known })
  if (kind === null) throw new Error(`there is no kind of records in ${built.collection}`)
  const record = { deps, kind, session, accountId: session.account.id, built, asNew: built, earlier, terms }
  try {
    return { ...outcome, findings: await check(record) }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { reading } = outcome
    return { ...(reading === undefined ? {} : { reading }), refusal: packError(error) }
  }
}

/** The kind of a record of an import; null where it is not said and could not be told. */
export function kindOfItem(outcome: ItemOutcome, { kind: known }: { readonly kind?: RecordKind | undefined }) {
  if (!('built' in outcome)) return known ?? null
  const kinds = known === undefined ? RECORD_KINDS : [known, ...RECORD_KINDS]
  return kinds.find(({ collection }) => collection === outcome.built.collection) ?? null
}

/** A thing of an import that was built, or is not going to be stored. */
export interface PreparedItem {
  readonly place: ImportPlace
  readonly outcome: ItemOutcome
  /** The text that was sent, where it may become the next version of a record with the same key. */
  readonly json?: Uint8Array
}

/** Result of a batch. `stop`: the store took no more; what has no report is not stored. */
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
  const checked = await checkEach({ deps, session, settling }, outcomes)
  const built = checked.flatMap((one) => (isToBeStored(one) ? [one.built] : []))
  const results = await insertEach(deps, { accountId: session.account.id, by: actorOf(session) }, built)
  const reports: ImportReport[] = []
  let stored = 0
  let stop: AppError | null = null
  for (const [index, one] of checked.entries()) {
    const place = batch[index]?.place
    const result = isToBeStored(one) ? results[stored++] : undefined
    if (result !== undefined && 'stop' in result) {
      stop = result.stop
      continue
    }
    const { isOfOthers = false, ...report } = await reportOf(deps, session, one, result)
    reports.push({ ...place, ...(isOfOthers ? {} : readingOf(one, report)), ...report })
  }
  return { reports, stop }
}

function isToBeStored(one: Checked): one is Extract<Checked, { readonly built: NewRecord }> {
  return 'built' in one && one.findings.existing === null
}

type WrittenResult = Exclude<InsertResult, { readonly stop: AppError }>
type Report = Omit<ImportReport, 'line' | 'file' | 'frame' | 'frames' | 'format' | 'warnings'> & {
  /** Whether it was skipped for the record of another account: then nothing of what was brought was written. */
  readonly isOfOthers?: true
}

async function reportOf(
  deps: RecordDeps,
  session: Session,
  checked: Checked,
  result: WrittenResult | undefined,
): Promise<Report> {
  if ('refusal' in checked) return refused(checked.refusal)
  if ('present' in checked) {
    const { id, collection } = checked.present
    return { outcome: 'skipped', _id: id, collection }
  }
  if (!('built' in checked)) {
    const fault = 'fault' in checked ? checked.fault : 'a record of an import names an account'
    return refused(packFault(deps, new Error(fault)))
  }
  const { built, findings } = checked
  if (findings.existing !== null) {
    const { existing: _id, sameAs } = findings
    return { outcome: 'skipped', _id, collection: built.collection, ...(sameAs.length === 0 ? {} : { sameAs }) }
  }
  if (result === undefined) throw new Error('a record of an import was lost')
  return reportOfInsert(deps, session, built, result)
}

async function reportOfInsert(
  deps: RecordDeps,
  session: Session,
  { collection, id: _id, withoutSymmetry, text, isPublic }: NewRecord,
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
  // An export of what somebody sees has public records of others, too.
  if (present !== null && isPublic && sayTheSame([present.text, text]))
    return { outcome: 'skipped', ...known, isOfOthers: true }
  return { ...refused(packError(idTaken(known, present !== null))), ...known }
}

/** Fields that say who has a record and since when, or follow from others. */
const NOT_SAID = ['owner', 'creator', 'createdAt', 'updatedAt', 'isPublic', 'isBest', 'files']

/** Tells whether two records say the same, whoever has them; of long ones nothing is told. */
function sayTheSame(texts: readonly [string, string]): boolean {
  if (texts.some(({ length }) => length > SHORT_TEXT)) return false
  const [one, other] = texts.map((text) => {
    const said = Object.entries(JSON.parse(text) as JsonObject).filter(([name]) => !NOT_SAID.includes(name))
    return Object.fromEntries(said)
  }) as [JsonObject, JsonObject]
  return equalJson(one, other)
}

/** Ids are unique among the records of an account and among the public ones. */
function idTaken(
  { collection, _id }: Pick<NewRecord, 'collection'> & { readonly _id: string },
  isSeen: boolean,
): AppError {
  const id = JSON.stringify(_id)
  const message = isSeen
    ? `There is a public record with the _id ${id} in ${collection} already, of another account: nobody else can have one.`
    : `The _id ${id} cannot be used here.`
  const hint = isSeen
    ? 'If it is the same, nothing is missing. Without an _id it is stored as one of your own.'
    : 'Leave _id out, and the record gets one of its own.'
  return new AppError(RECORD_ERRORS.idTaken, message, { path: '_id', hint })
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

function readingOf(checked: Checked, { outcome }: Report): Pick<ImportReport, 'format' | 'warnings'> {
  if ('present' in checked) return { format: checked.present.format }
  const { reading } = checked
  const told = 'findings' in checked && outcome !== 'refused' ? checked.findings.warnings : []
  const warnings = [...(reading?.warnings ?? []), ...told]
  return {
    ...(reading === undefined ? {} : { format: reading.format }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}
