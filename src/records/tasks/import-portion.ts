import { AppError } from '../../kernel/errors.ts'
import type { CalculationReport } from '../calculations/import-run.ts'
import { importRuns } from '../calculations/import-runs.ts'
import type { RunPlace } from '../calculations/records-of-run.ts'
import { jobKind } from '../kinds/plain-kinds.ts'
import {
  type BulkTask,
  erasePart,
  isUnderWay,
  MOST_TOLD,
  type RefusedRecord,
  readContentPart,
  readTask,
  replaceTask,
  type TaskAddress,
} from '../use-cases/bulk-tasks.ts'
import { WRITE_ATTEMPTS, writeConflict } from '../use-cases/change.ts'
import { advanced } from '../use-cases/task-portion.ts'
import { commit } from '../use-cases/write-record.ts'
import type { Collection } from '../work/deps.ts'
import { fieldsOf } from '../work/stored-text.ts'
import type { RunPortion } from './begin-import.ts'

/**
 * Stores the calculations of the portion that is next, each in a commit of its own, and then commits how far the import is. What a process that died
 * has stored of it is there already, and counts as stored.
 */
export async function importPortion(
  { deps, session }: Collection,
  address: TaskAddress,
  task: BulkTask,
): Promise<void> {
  const part = await readContentPart(deps, address, task.work.next)
  const outcome = await outcomeOf({ deps, session }, part.content as unknown as RunPortion, task.told.at)
  let current: BulkTask | null = task
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    // Another one has counted it, or it was cancelled meanwhile: what is stored counts all the same.
    if (current === null || !isUnderWay(current.told) || current.work.next !== task.work.next) return
    const beside = [erasePart(part), progressOf(deps.clock(), current, outcome)]
    const { isDone } = await commit(deps, { steps: [], beside, by: task.work.by })
    if (isDone) return
    current = await readTask(deps, address.accountId, address.id)
  }
  throw writeConflict(jobKind)
}

interface PortionOutcome {
  readonly stored: number
  readonly there: number
  readonly refusals: readonly RefusedRecord[]
}

function progressOf(now: number, task: BulkTask, { stored, there, refusals }: PortionOutcome) {
  const { told, work } = task
  const counted = { ...told, unchanged: told.unchanged + there }
  const advance = { count: stored + there + refusals.length, changed: stored, refused: refusals.length }
  return replaceTask(task, advanced(now, counted, advance), {
    ...work,
    next: work.next + 1,
    refusals: [...work.refusals, ...refusals].slice(0, MOST_TOLD),
  })
}

async function outcomeOf(place: RunPlace, portion: RunPortion, since: string): Promise<PortionOutcome> {
  const { files, only, isPublic } = portion
  try {
    const { calculations } = await importRuns(place, files, { isPublic, only: new Set(only) })
    return await sorted(place, only, calculations, since)
  } catch (error) {
    // What is wrong with the files of a portion is no reason not to go on with the next.
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { message: reason, code } = error
    return { stored: 0, there: 0, refusals: only.map((_id) => ({ _id, reason, code })) }
  }
}

async function sorted(
  place: RunPlace,
  only: readonly string[],
  calculations: readonly CalculationReport[],
  since: string,
): Promise<PortionOutcome> {
  const byJob = new Map(calculations.map((report) => [report.jobId, report]))
  const refusals: RefusedRecord[] = []
  let [stored, there] = [0, 0]
  // What an archive that cannot be read had in it is not known.
  const unread = calculations.find((report) => report.jobId === undefined && report.error !== undefined)
  for (const jobId of only) {
    const report = byJob.get(jobId) ?? unread
    if (report === undefined) refusals.push({ _id: jobId, reason: 'It is not among the files.' })
    else if (report.error !== undefined)
      refusals.push({ _id: jobId, reason: `${report.file}: ${report.error.message}`, code: report.error.code })
    else if (report.outcome === 'stored' || (await isStoredSince(place, jobId, since))) stored += 1
    else there += 1
  }
  return { stored, there, refusals }
}

async function isStoredSince({ deps, session }: RunPlace, jobId: string, since: string): Promise<boolean> {
  const job = await deps.store.read(jobKind.collection, session.scope, jobId)
  if (job === null) return false
  const { createdAt } = await fieldsOf(deps.work, session.user.id, job.text, ['createdAt'])
  return String(createdAt) >= since
}
