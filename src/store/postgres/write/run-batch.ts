import { parseDocument } from '../../../kernel/json.ts'
import { changeApplier, PendingChanges } from '../../changes/apply-change.ts'
import { auditChange } from '../../changes/audit-entries.ts'
import { repeated } from '../../errors.ts'
import { storageQuota } from '../../limits.ts'
import type { NumberCipher } from '../../number-cipher.ts'
import type { Once } from '../../port/answers.ts'
import type { AuditEntry, Deed } from '../../port/audit.ts'
import { storedBytes } from '../../port/named-files.ts'
import type { Change, ChangeResult, StorageLimits } from '../../port/record-store.ts'
import type { SegmentSizes } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import { PUBLIC_HOME, type Transaction } from '../base/database.ts'
import { insertSegment } from '../base/segment-rows.ts'
import { type AuditLine, insertAudit } from './audit-lines.ts'
import { forgetErased, KeptAnswers } from './kept-answers.ts'
import { type LockedHome, loadRecords, lockHomes } from './load-records.ts'
import type { LoadedRecords } from './loaded-records.ts'
import { gatherInSlices, sealTail } from './seal.ts'
import { writeRecords } from './write-records.ts'

/** Changes that are applied all or none, or each by itself. */
export interface RecordJob {
  readonly kind: 'apply' | 'applyEach'
  readonly changes: readonly Change[]
  readonly deed: Deed
  /** With what its answer is kept, where it is carried out once. */
  readonly once?: Once | undefined
}

export type JobOutcome = { readonly results: readonly ChangeResult[] } | { readonly failure: unknown }

export interface BatchTerms {
  readonly cipher: NumberCipher
  readonly mostRevisions: number
  readonly limits: StorageLimits
  readonly sizes: SegmentSizes
  /** Hears of shelves in which segments were made. */
  readonly onSealed: (shelf: Shelf<string>) => void
}

const LEAST_INSERTED = 256

/** Carries out jobs in one transaction: what they look at is read, they are decided in memory, and what they change is written. */
export async function runBatch(
  sql: Transaction,
  jobs: readonly RecordJob[],
  terms: BatchTerms,
): Promise<readonly JobOutcome[]> {
  const changes = jobs.flatMap((job) => job.changes)
  const homes = await lockHomes(sql, homesOf(jobs))
  const isPublished = changes.some((change) => 'isPublic' in change && change.isPublic)
  // The public home is locked after those of accounts, by everybody.
  const locked = new Map(
    (isPublished ? [...homes, ...(await lockHomes(sql, [PUBLIC_HOME]))] : homes).map((home) => [home.home, home]),
  )
  const [rows, answers] = await Promise.all([
    loadRecords(sql, changes, locked),
    KeptAnswers.load(
      sql,
      jobs.flatMap(({ once }) => once ?? []),
    ),
  ])
  const decided = decide({ rows, answers }, jobs, terms)
  if (decided.pending.homes.has(PUBLIC_HOME) && !isPublished) {
    for (const home of await lockHomes(sql, [PUBLIC_HOME])) locked.set(home.home, home)
  }
  await Promise.all([write(sql, { rows, locked, decided }, terms), ...forgetErased(sql, decided.kept)])
  await answers.write(sql)
  return decided.outcomes
}

/** The homes of accounts that a job changes something of, its answer included. */
export function homesOfJob({ changes, once }: RecordJob): readonly string[] {
  const homes = new Set(changes.map(({ accountId }) => accountId))
  if (once !== undefined) homes.add(once.accountId)
  return [...homes]
}

/** Those of jobs, in the order in which they are locked. */
export function homesOf(jobs: readonly RecordJob[]): readonly string[] {
  return [...new Set(jobs.flatMap(homesOfJob))].sort()
}

interface Decided {
  readonly outcomes: readonly JobOutcome[]
  readonly pending: PendingChanges<string>
  readonly audit: readonly AuditLine[]
  /** The changes of the jobs that were carried out as a whole. */
  readonly kept: readonly Change[]
}

interface LoadedBatch {
  readonly rows: LoadedRecords
  readonly answers: KeptAnswers
}

/** Decides jobs one after the other. One that fails, or is to be done as a whole and cannot, is taken back. */
function decide({ rows, answers }: LoadedBatch, jobs: readonly RecordJob[], { cipher, limits }: BatchTerms): Decided {
  const areTogether = jobs.every(({ kind }) => kind === 'applyEach')
  const pending = new PendingChanges<string>({ areTogether })
  const apply = changeApplier(rows, cipher)
  const findOf = ({ collection, id, accountId }: Pick<Change, 'collection' | 'id' | 'accountId'>) => {
    const own = rows.find(accountId, collection, id) ?? rows.find(PUBLIC_HOME, collection, id)
    return own?.owner === accountId ? own : undefined
  }
  const bytesOf = (of: Pick<Change, 'collection' | 'id' | 'accountId'>): number | null => {
    const found = findOf(of)
    return found === undefined ? null : storedBytes(found.doc)
  }
  const exceededBy = storageQuota({ usageOf: (account) => rows.usageOf(account), bytesOf }, limits)
  const audit: AuditLine[] = []
  const kept: Change[] = []

  function applyAudited(change: Change, deed: Deed, own: PendingChanges<string>, notes: AuditLine[]): ChangeResult {
    const note = (entry: AuditEntry) => notes.push({ home: change.accountId, deed, entry })
    const wasPublic = () => findOf(change)?.scope === PUBLIC_HOME
    return auditChange(change, { wasPublic, note }, () => exceededBy(change, deed) ?? apply(change, own))
  }

  function run({ kind, changes, deed, once }: RecordJob): JobOutcome {
    if (once !== undefined && answers.has(once)) return { failure: repeated() }
    const own = areTogether ? pending : new PendingChanges<string>()
    const notes: AuditLine[] = []
    try {
      const results = changes.map((change) => applyAudited(change, deed, own, notes))
      if (kind === 'apply' && results.some(({ outcome }) => outcome !== 'done')) {
        rows.takeBack()
        return { results }
      }
      rows.keep()
      if (!areTogether) pending.absorb(own)
      audit.push(...notes)
      if (kind === 'apply') kept.push(...changes)
      if (once !== undefined) answers.add(once, serialIn(results))
      return { results }
    } catch (failure) {
      if (areTogether) throw failure
      rows.takeBack()
      return { failure }
    }
  }

  return { outcomes: jobs.map(run), pending, audit, kept }
}

function serialIn([first]: readonly ChangeResult[]): string | null {
  return first?.outcome === 'done' ? first.serial : null
}

interface Writing {
  readonly rows: LoadedRecords
  readonly locked: ReadonlyMap<string, LockedHome>
  readonly decided: Decided
}

async function write(sql: Transaction, { rows, locked, decided }: Writing, terms: BatchTerms): Promise<void> {
  const { pending, audit } = decided
  const { sizes, mostRevisions, onSealed } = terms
  const sealed = putInserted(rows, pending, sizes)
  const stamps = new Map(Array.from(pending.homes, (home) => [home, (locked.get(home)?.changes ?? 0) + 1]))
  await Promise.all([
    writeRecords(sql, rows, { stamps, mostRevisions }),
    insertAudit(sql, audit),
    ...Array.from(locked.keys(), (home) => {
      const { records, bytes } = rows.usageOf(home)
      const layout = sealed.some(({ shelf }) => shelf.home === home) ? 1 : 0
      return sql`
        UPDATE home SET changes = changes + ${pending.homes.has(home) ? 1 : 0}, layout = layout + ${layout}, records = ${records}, bytes = ${bytes}
        WHERE home = ${home}`
    }),
  ])
  for (const { shelf, records } of sealed) {
    for (const segment of await gatherInSlices(records)) await insertSegment(sql, shelf, segment)
    onSealed(shelf)
  }
  for (const shelf of pending.shelves.values()) {
    if (!shelf.isLarge && (await countTail(sql, shelf)) < sizes.tailRows) continue
    await sealTail(sql, shelf)
    onSealed(shelf)
  }
}

/** Returns insertions that are large enough for segments of their own; puts the others into the tail. */
function putInserted(
  rows: LoadedRecords,
  pending: PendingChanges<string>,
  { insertedTogether = LEAST_INSERTED }: SegmentSizes,
) {
  const sealed = []
  for (const inserted of pending.inserted.values()) {
    const { shelf, records } = inserted
    if (records.length >= insertedTogether) sealed.push(inserted)
    else {
      for (const { n, doc } of records) {
        parseDocument(doc)
        rows.addToTail(shelf, n)
        pending.noteChange(shelf, doc)
      }
    }
  }
  return sealed
}

async function countTail(sql: Transaction, { home, collection }: Shelf<string>): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) FROM tail WHERE home = ${home} AND collection = ${collection}`
  return row?.count ?? 0
}
