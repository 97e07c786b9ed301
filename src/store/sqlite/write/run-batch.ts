import { assertNever, isOf } from '../../../kernel/errors.ts'
import { STORE_ERRORS } from '../../errors.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'
import { NO_STORAGE_LIMITS, type StorageLimits } from '../../port/storage-limits.ts'
import type { AuditBounds } from '../audit-bounds.ts'
import { type Connection, isDamage } from '../database.ts'
import type { Deed } from '../sign.ts'
import { accountWriter } from './account-writer.ts'
import { auditWriter } from './audit-writer.ts'
import { beginWrite, isBusy, leaveGap } from './begin-write.ts'
import { bodyWriter } from './body-writer.ts'
import { type CompoundBuilder, compoundBuilder } from './compound-builder.ts'
import { compoundWriter } from './compound-writer.ts'
import { indexRebuild } from './index-rebuild.ts'
import { leafWriter } from './leaf-writer.ts'
import { markWriter } from './mark-writer.ts'
import { nameNumbers } from './name-numbers.ts'
import { countWriter, PendingCounts } from './pending-counts.ts'
import { recordWriter } from './record-writer.ts'
import { sealer } from './sealer.ts'
import { storageQuota } from './storage-quota.ts'
import type {
  AccountWriteResult,
  CompoundWork,
  CompoundWorkResult,
  WriteFailure,
  WriteJob,
  WriteResult,
} from './write-job.ts'

/** Earlier versions that a record keeps. */
export const DEFAULT_MOST_REVISIONS = 20

export type JobOutcome = { readonly result: WriteResult } | { readonly failure: WriteFailure }

/** Carries out jobs, all of a batch in one commit; a job that fails takes only itself back. */
export type RunBatch = (jobs: readonly WriteJob[]) => JobOutcome[]

/** Prepares a connection for running batches of jobs; a record keeps at most `mostRevisions` earlier versions, an account no more than `limits`. */
export function batchRunner(
  connection: Connection,
  mostRevisions: number = DEFAULT_MOST_REVISIONS,
  bounds?: AuditBounds,
  limits: StorageLimits = NO_STORAGE_LIMITS,
): RunBatch {
  const numbers = nameNumbers(connection)
  const bodies = bodyWriter(connection)
  const index = leafWriter(connection)
  const compounds = compoundWriter(connection, numbers)
  const rebuild = indexRebuild(connection, { numbers, bodies, index })
  const builder = compoundBuilder(connection, numbers, compounds)
  const applyChange = recordWriter(connection, numbers, bodies, index, compounds, rebuild, mostRevisions)
  const writeAccount = accountWriter(connection)
  const seal = sealer(connection)
  const audit = auditWriter(connection, bounds)
  const writeCounts = countWriter(connection)
  const writeMark = markWriter(connection)
  const exceededBy = storageQuota(connection, limits)

  /** What was remembered may have been taken back. */
  function forget(): void {
    for (const writer of [numbers, bodies, index, compounds, rebuild]) writer.forget()
  }

  /** Whatever is done in somebody's name is in the audit as well. */
  function applyAudited(change: Change, counts: PendingCounts, deed: Deed | undefined): ChangeResult {
    const carryOut = () => exceededBy(change, deed) ?? applyChange(change, counts)
    return deed === undefined ? carryOut() : audit.change(deed, change, carryOut)
  }

  function writeAudited({ write, deed }: Extract<WriteJob, { kind: 'account' }>): AccountWriteResult {
    const carryOut = () => writeAccount(write)
    return deed === undefined ? carryOut() : audit.account(deed, write, carryOut)
  }

  function runJob(job: WriteJob, counts: PendingCounts): { result: WriteResult; keep: boolean } {
    switch (job.kind) {
      case 'apply': {
        const result = job.changes.map((change) => applyAudited(change, counts, job.deed))
        return { result, keep: result.every((change) => change.outcome === 'done') }
      }
      case 'applyEach':
        return { result: job.changes.map((change) => applyAudited(change, counts, job.deed)), keep: true }
      case 'account':
        return { result: writeAudited(job), keep: true }
      case 'audit':
        audit.note(job.deed, job.entry)
        return { result: 'done', keep: true }
      case 'mark':
        return { result: writeMark(job) ? 'done' : 'other', keep: true }
      case 'reindex':
        return { result: job.step === 'begin' ? rebuild.begin() : rebuild.goOn(counts), keep: true }
      case 'compound':
        return { result: runCompoundWork(builder, job.work), keep: true }
      case 'seal':
        return { result: seal(job.milliseconds) ? 'more' : 'done', keep: true }
      default:
        return assertNever(job, 'write job')
    }
  }

  function flush(): void {
    index.flush()
    compounds.flush()
  }

  /** Runs a job so that it can be taken back by itself. */
  function runProtected(job: WriteJob, isAlone: boolean, counts: PendingCounts): JobOutcome {
    const protection = isAlone ? WHOLE_TRANSACTION : SAVEPOINT
    connection.exec(protection.begin)
    const ownCounts = new PendingCounts()
    const takeBack = (): void => {
      connection.exec(protection.takeBack)
      forget()
    }
    try {
      const { result, keep } = runJob(job, ownCounts)
      if (keep) {
        flush()
        connection.exec(protection.keep)
        counts.absorb(ownCounts)
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

  function inTransaction(jobs: readonly WriteJob[], run: (counts: PendingCounts) => JobOutcome[]): JobOutcome[] {
    try {
      const began = beginWrite(connection)
      compounds.forget()
      rebuild.forget()
      const counts = new PendingCounts()
      const outcomes = run(counts)
      writeCounts(counts)
      connection.exec('COMMIT')
      leaveGap(began)
      return outcomes
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      forget()
      return jobs.map(() => ({ failure: failureOf(error) }))
    }
  }

  /** Bulk writes as if they were one: the rows of all are written in the order of the index. Nothing is kept when one fails. */
  function runTogether(jobs: readonly WriteJob[]): JobOutcome[] {
    return inTransaction(jobs, (counts) => {
      const outcomes = jobs.map((job) => ({ result: runJob(job, counts).result }))
      flush()
      return outcomes
    })
  }

  return (jobs) => {
    if (jobs.length > 1 && jobs.every(({ kind }) => kind === 'applyEach')) {
      const outcomes = runTogether(jobs)
      if (!outcomes.some((outcome) => 'failure' in outcome && isOfOneJob(outcome.failure))) return outcomes
    }
    const isAlone = jobs.length === 1
    return inTransaction(jobs, (counts) => jobs.map((job) => runProtected(job, isAlone, counts)))
  }
}

/** Savepoints keep a copy of every page that is written: a job that shares its transaction with no other does without. */
const WHOLE_TRANSACTION = { begin: '', keep: '', takeBack: 'ROLLBACK; BEGIN IMMEDIATE' }
const SAVEPOINT = { begin: 'SAVEPOINT job', keep: 'RELEASE job', takeBack: 'ROLLBACK TO job; RELEASE job' }

function runCompoundWork(builder: CompoundBuilder, work: CompoundWork): CompoundWorkResult {
  switch (work.action) {
    case 'order':
      return builder.order(work.order)
    case 'work':
      return builder.work(work.milliseconds) ? 'more' : 'done'
    case 'note-use':
      builder.noteUse(work.numbers, work.day)
      return 'done'
    case 'keep-at-most':
      builder.keepAtMost(work.most)
      return 'done'
    case 'start-over':
      builder.startOver()
      return 'done'
    default:
      return assertNever(work, 'work on compound indexes')
  }
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
