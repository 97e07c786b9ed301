import { assertNever, isOf } from '../../../kernel/errors.ts'
import type { AccountWriteResult } from '../../accounts/account-write.ts'
import { changeApplier, PendingChanges } from '../../changes/apply-change.ts'
import { DEFAULT_MOST_REVISIONS } from '../../changes/record-tables.ts'
import { STORE_ERRORS } from '../../errors.ts'
import type { Deed } from '../../port/audit.ts'
import { type Change, type ChangeResult, NO_STORAGE_LIMITS } from '../../port/record-store.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../segments/segment-sizes.ts'
import { type Connection, isDamage, numberCipher } from '../base/database.ts'
import { mergeWriter } from '../segments/merge-segments.ts'
import { insertedSealer, tailSealer, tailTable, tailWriter } from '../segments/seal.ts'
import { accountWriter } from './account-writer.ts'
import { answerWriter, auditWriter } from './audit-writer.ts'
import { isBusy, leaveGap, writeBeginner } from './gather-batch.ts'
import { nameNumbers, quotaOf, recordTables } from './record-tables.ts'
import { backlogWorker } from './work-off-backlog.ts'
import type { CareJob, JobOutcome, WriteFailure, WriteJob, WriteResult, WriterOptions } from './write-job.ts'

/** Prepares the statements that count changes, the last act of a transaction. */
export function changeWriter(connection: Connection): (changes: PendingChanges) => void {
  const records = connection.prepare('UPDATE collection SET records = records + ? WHERE number = ?')
  const change = connection.prepare(
    'INSERT INTO home (number, changes) VALUES (?, 1) ON CONFLICT (number) DO UPDATE SET changes = changes + 1',
  )
  return ({ homes, records: differences }) => {
    for (const [collection, difference] of differences) if (difference !== 0) records.run(difference, collection)
    for (const home of homes) change.run(home)
  }
}

/** Writes marks; one that is to be moved from another value stays as it is where its value is a third one. */
function markWriter(connection: Connection): (job: Extract<WriteJob, { kind: 'mark' }>) => boolean {
  const set = connection.prepare(
    'INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const add = connection.prepare('INSERT INTO mark (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING')
  const move = connection.prepare('UPDATE mark SET value = ? WHERE name = ? AND value = ?')
  return ({ name, value, from }) => {
    if (from === undefined) return set.run(name, value).changes > 0
    if (from === null) return add.run(name, value).changes > 0
    return move.run(value, name, from).changes > 0
  }
}

/** Carries out jobs, all of a batch in one commit; a job that fails takes only itself back. */
export type RunBatch = (jobs: readonly WriteJob[]) => JobOutcome[]

/** Options of a writer; those left out are as a server has them by default. */
type WriterBounds = Partial<Omit<WriterOptions, 'file'>>

/** Prepares a connection for running batches of jobs. */
export function batchRunner(
  connection: Connection,
  { mostRevisions, audit: bounds, limits, segmentSizes = DEFAULT_SEGMENT_SIZES, patienceMs }: WriterBounds = {},
): RunBatch {
  const numbers = nameNumbers(connection)
  const tail = tailWriter(connection)
  const tails = tailTable(connection)
  const tables = recordTables(connection, numbers, tail, mostRevisions ?? DEFAULT_MOST_REVISIONS)
  const applyChange = changeApplier(tables, numberCipher(connection))
  const writeAccount = accountWriter(connection)
  const audit = auditWriter(connection, bounds)
  const writeChanges = changeWriter(connection)
  const sealInserted = insertedSealer(connection, tail, segmentSizes)
  const sealTail = tailSealer(connection, segmentSizes)
  const writeMerged = mergeWriter(connection, segmentSizes)
  const backlog = backlogWorker(connection, segmentSizes)
  const writeMark = markWriter(connection)
  const answers = answerWriter(connection)
  const exceededBy = quotaOf(connection, limits ?? NO_STORAGE_LIMITS)
  const begin = writeBeginner(connection, patienceMs)
  const commit = connection.prepare<[]>('COMMIT')
  const rollBack = connection.prepare<[]>('ROLLBACK')
  /** Savepoints keep a copy of every page that is written: a job that shares its transaction with no other does without. */
  const wholeTransaction: Protection = {
    begin() {},
    keep() {},
    takeBack() {
      rollBack.run()
      begin()
    },
  }
  const savepoint: Protection = {
    begin: () => connection.exec('SAVEPOINT job'),
    keep: () => connection.exec('RELEASE job'),
    takeBack: () => connection.exec('ROLLBACK TO job; RELEASE job'),
  }

  /** Forgets what may have been taken back. */
  function forget(): void {
    for (const writer of [numbers, tail]) writer.forget()
  }

  /** Applies a change; one in somebody's name is audited. */
  function applyAudited(change: Change, changes: PendingChanges, deed: Deed | undefined): ChangeResult {
    const carryOut = () => exceededBy(change, deed) ?? applyChange(change, changes)
    return deed === undefined ? carryOut() : audit.change(deed, change, carryOut)
  }

  function writeAudited({ write, deed }: Extract<WriteJob, { kind: 'account' }>): AccountWriteResult {
    const carryOut = () => writeAccount(write)
    return deed === undefined ? carryOut() : audit.account(deed, write, carryOut)
  }

  function keepAnswer({ changes, once }: Extract<WriteJob, { kind: 'apply' }>, results: readonly ChangeResult[]): void {
    const [first] = results
    answers.forgetErased(changes, results)
    if (once !== undefined) answers.put(once, first?.outcome === 'done' ? first.serial : null)
  }

  function runAccountJob(job: Extract<WriteJob, { kind: 'account' }>): { result: AccountWriteResult; keep: boolean } {
    const { write } = job
    const once = 'once' in write ? write.once : undefined
    if (once !== undefined && answers.has(once)) return { result: 'repeated', keep: false }
    const result = writeAudited(job)
    if (once !== undefined && result === 'done') answers.put(once, null)
    return { result, keep: true }
  }

  function runJob(job: WriteJob, changes: PendingChanges): { result: WriteResult; keep: boolean } {
    switch (job.kind) {
      case 'apply': {
        if (job.once !== undefined && answers.has(job.once)) return { result: 'repeated', keep: false }
        const result = job.changes.map((change) => applyAudited(change, changes, job.deed))
        const keep = result.every((change) => change.outcome === 'done')
        if (keep) keepAnswer(job, result)
        return { result, keep }
      }
      case 'applyEach':
        return { result: job.changes.map((change) => applyAudited(change, changes, job.deed)), keep: true }
      case 'account':
        return runAccountJob(job)
      case 'answer':
        if (!answers.has(job.once)) answers.put(job.once, null)
        return { result: 'done', keep: true }
      case 'audit':
        audit.note(job.deed, job.entry)
        return { result: 'done', keep: true }
      case 'mark':
        return { result: writeMark(job) ? 'done' : 'other', keep: true }
      default:
        return { result: runCare(job, changes), keep: true }
    }
  }

  function runCare(job: CareJob, changes: PendingChanges): WriteResult {
    switch (job.kind) {
      case 'reindex':
        return backlog.begin(changes)
      case 'backlog':
        return backlog.goOn()
      case 'merge':
        return writeMerged(job.merged)
      case 'seal':
        for (const shelf of job.shelves) sealTail(shelf)
        return 'done'
      default:
        return assertNever(job, 'write job')
    }
  }

  /** Runs a job so that it can be taken back by itself. */
  function runProtected(job: WriteJob, isAlone: boolean, changes: PendingChanges): JobOutcome {
    const protection = isAlone ? wholeTransaction : savepoint
    protection.begin()
    const own = new PendingChanges()
    const takeBack = (): void => {
      protection.takeBack()
      forget()
    }
    try {
      const { result, keep } = runJob(job, own)
      if (keep) {
        protection.keep()
        changes.absorb(own)
      } else {
        takeBack()
      }
      return { result }
    } catch (error) {
      if (!connection.inTransaction || isStorageFailure(error)) throw error
      takeBack()
      return { failure: failureOf(error) }
    }
  }

  function inTransaction(
    jobs: readonly WriteJob[],
    changes: PendingChanges,
    run: (changes: PendingChanges) => JobOutcome[],
  ): JobOutcome[] {
    try {
      const began = begin()
      tail.forget()
      const outcomes = run(changes)
      sealInserted(changes)
      writeChanges(changes)
      for (const shelf of changes.shelves.values())
        if (shelf.isLarge || tails.count(shelf) >= segmentSizes.tailRows) sealTail(shelf)
      commit.run()
      leaveGap(began)
      return outcomes
    } catch (error) {
      if (connection.inTransaction) rollBack.run()
      forget()
      return jobs.map(() => ({ failure: failureOf(error) }))
    }
  }

  /** Bulk writes as if they were one. Nothing is kept when one fails. */
  function runTogether(jobs: readonly WriteJob[]): JobOutcome[] {
    const together = new PendingChanges({ areTogether: true })
    return inTransaction(jobs, together, (changes) => jobs.map((job) => ({ result: runJob(job, changes).result })))
  }

  return (jobs) => {
    const isAlone = jobs.length === 1
    if (jobs.every(({ kind }) => kind === 'applyEach')) {
      const outcomes = runTogether(jobs)
      if (isAlone || !outcomes.some((outcome) => 'failure' in outcome && isOfOneJob(outcome.failure))) return outcomes
    }
    return inTransaction(jobs, new PendingChanges(), (changes) =>
      jobs.map((job) => runProtected(job, isAlone, changes)),
    )
  }
}

interface Protection {
  begin(): void
  keep(): void
  takeBack(): void
}

const STORAGE_FAILURE = /^SQLITE_(FULL|BUSY|IOERR|READONLY|CORRUPT|CANTOPEN|LOCKED|NOMEM|PROTOCOL|NOTADB|PERM)/

function isStorageFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && STORAGE_FAILURE.test(String(error.code))
}

/** Whether the others would have gone well without it. */
function isOfOneJob({ cause }: WriteFailure): boolean {
  return cause === 'job' || cause === 'damaged-record'
}

function failureOf(error: unknown): WriteFailure {
  const reason = error instanceof Error ? error.message : String(error)
  if (isOf(STORE_ERRORS.damagedRecord, error)) return { cause: 'damaged-record', reason }
  if (isDamage(error)) return { cause: 'damaged-file', reason }
  if (!isStorageFailure(error)) return { cause: 'job', reason }
  return { cause: isBusy(error) ? 'busy' : 'storage', reason }
}
