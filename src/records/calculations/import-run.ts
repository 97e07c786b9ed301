import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import type { Code } from '../../calculations/calculation.ts'
import type { LocalFile } from '../../calculations/runs/output-file.ts'
import type { RunDocuments } from '../../calculations/runs/run-documents.ts'
import { type Run, runsOfFiles } from '../../calculations/runs/runs-of-files.ts'
import { AppError, type PackedError, unpackError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { storageExceeded } from '../../store/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { contentId } from '../ids.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { jobKind } from '../kinds/plain-kinds.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import { WRITE_ATTEMPTS, writeConflict } from '../use-cases/change.ts'
import { listFiles } from '../use-cases/files.ts'
import { commit, insertOf } from '../use-cases/write-record.ts'
import { isThere, type ReadCalculation, type RecordOfRun, type RunPlace, recordsOf } from './records-of-run.ts'
import { keepFiles, type RunFile } from './run-files.ts'

/** Options of an import of calculations. */
export interface RunOptions {
  /** Lets everybody see the records. */
  readonly isPublic?: boolean
  /** Nothing is stored: it is told what would be. */
  readonly dryRun?: boolean
  /** Folder of the files, as whoever sends them calls it. */
  readonly folder?: string
  /** Leaves calculations whose output has no end: they may still run. */
  readonly finished?: boolean
  /** Ids of the jobs that are meant; all where nothing is said. Of others nothing is stored or told. */
  readonly only?: ReadonlySet<string>
}

/** What came of one calculation, or would come of it. */
export type CalculationReport = {
  /** The output that says most. */
  readonly file: string
  readonly outcome: 'stored' | 'skipped' | 'refused'
  readonly code?: Code
  /** Group of its properties: application, model, subtype, functional. */
  readonly group?: string
  /** Formulas of the structure before, where another one came of it, and of the structure at the end. */
  readonly formulas?: readonly string[]
  readonly jobId?: string
  /** Whether it was skipped since its output has no end. */
  readonly isUnfinished?: true
  /** Materials, those of before a relaxation first; `isNew` where the account had none of the same content. */
  readonly materials?: readonly { readonly _id: string; readonly name: string; readonly isNew: boolean }[]
  readonly properties?: readonly JsonObject[]
  /** Names of the files that are kept with the job. */
  readonly files?: readonly string[]
  /** Names of files that the job has not, which was stored before. */
  readonly notKept?: readonly string[]
  /** Names of what was read and is in no record. */
  readonly leftOut?: readonly string[]
  readonly warnings?: readonly string[]
  readonly error?: { readonly code: number; readonly message: string; readonly data: object }
}

/** Runs and structures among the files of a folder. */
export interface FoundRuns {
  readonly runs: readonly Run[]
  /** Names of files that hold a structure and are of no run. */
  readonly structures: readonly string[]
}

/** Finds the runs among the files of a folder. */
export async function findRuns({ deps, session }: RunPlace, files: readonly LocalFile[]): Promise<FoundRuns> {
  const local = files.map(({ name, path }) => ({ name, path }))
  const { outputs, structures } = await deps.work.run('outputs', session.user.id, { files: local })
  const runs = runsOfFiles(
    outputs,
    files.map(({ name }) => name),
  )
  const ofRuns = new Set(runs.flatMap((run) => run.files))
  return { runs, structures: structures.filter((name) => !ofRuns.has(name)) }
}

/** Stores what a run tells: its materials, its method, its job with all files, its properties, in one transaction for each calculation. What is there is skipped. */
export async function importRun(
  place: RunPlace,
  run: Run,
  files: readonly RunFile[],
  options: RunOptions = {},
): Promise<readonly CalculationReport[]> {
  const { deps, session } = place
  assertMayWrite(session)
  const paths = new Map(files.map(({ name, path }) => [name, path]))
  const outputs = run.outputs.map(({ name, format }) => ({ name, format, path: paths.get(name) ?? '' }))
  const { calculations, refused } = await deps.work.run('readRun', session.user.id, { outputs })
  const refusals = refused.map(({ name, error }) => refusedReport(name, error))
  if (calculations.length === 0) return refusals
  const ofRun = new Set(run.files)
  const isLeft = ({ isWhole }: RunDocuments) => options.finished === true && !isWhole
  const kept = calculations.every(isLeft) ? [] : files.filter(({ name }) => ofRun.has(name))
  const contents = await keepFiles(place, kept, options)
  const [main] = run.outputs
  const reports: CalculationReport[] = [...refusals]
  for (const [at, documents] of calculations.entries()) {
    const calculation = { documents, main: main?.name ?? '', at, files: contents }
    if (isLeft(documents)) {
      reports.push({ ...saidBy(calculation), outcome: 'skipped', isUnfinished: true })
      continue
    }
    if (options.only?.has(jobIdOf(place, calculation)) === false) continue
    reports.push(
      await storeCalculation(place, calculation, options).catch((error) =>
        refusedBy(calculation.main, jobIdOf(place, calculation), error),
      ),
    )
  }
  return reports
}

function refusedBy(file: string, jobId: string, error: unknown): CalculationReport {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const { code, message, data } = error
  return { file, jobId, outcome: 'refused', error: { code, message, data } }
}

function refusedReport(file: string, packed: PackedError): CalculationReport {
  const { spec, message, data } = unpackError(packed)
  return { file, outcome: 'refused', error: { code: spec.code, message, data } }
}

async function storeCalculation(
  place: RunPlace,
  calculation: ReadCalculation,
  options: RunOptions,
): Promise<CalculationReport> {
  const { deps, session } = place
  const jobId = jobIdOf(place, calculation)
  let known: ReadonlySet<string> = new Set()
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    if (await isThere(place, jobKind, jobId)) return skippedReport(place, calculation, jobId)
    const prepared = await recordsOf(place, calculation, { ...options, jobId, isRetry: attempt > 0 })
    const report = reportOf(calculation, jobId, prepared)
    if (options.dryRun) return report
    const built = prepared.flatMap(({ id, built: one }) => (known.has(id) ? [] : (one ?? [])))
    const steps = built.map((record) => ({
      change: insertOf(session.account.id, record),
      before: record.before,
      after: record.after,
    }))
    const { isDone, results } = await commit(deps, { steps, by: actorOf(session) })
    if (isDone) return report
    const full = results.find((result) => result.outcome === 'full')
    if (full?.outcome === 'full') throw storageExceeded(full)
    await assertNotRemoved(place, jobId)
    known = await knownAmong(place, prepared)
  }
  throw writeConflict(jobKind)
}

/** Refuses a run whose job was removed: what somebody has taken away does not come back by itself. */
async function assertNotRemoved({ deps: { store }, session }: RunPlace, jobId: string): Promise<void> {
  if ((await store.readRemoved(jobKind.collection, session.scope, jobId)) === null) return
  const message = `The job of this run, ${jobId}, was removed.`
  throw new AppError(RECORD_ERRORS.runRemoved, message, {
    hint: 'Restore it, or delete it for good to have the run imported anew.',
    jobId,
  })
}

/** Ids of properties that outlived the job that they are of, or were removed by themselves. */
async function knownAmong(place: RunPlace, prepared: readonly RecordOfRun[]): Promise<ReadonlySet<string>> {
  const { deps, session } = place
  const known = new Set<string>()
  for (const { kind, id } of prepared) {
    if (kind !== propertyKind) continue
    const removed = await deps.store.readRemoved(kind.collection, session.scope, id)
    if (removed !== null || (await isThere(place, kind, id))) known.add(id)
  }
  return known
}

/** Report on a calculation that was stored before, and on files that its folder had not then. */
async function skippedReport(
  { deps, session }: RunPlace,
  calculation: ReadCalculation,
  jobId: string,
): Promise<CalculationReport> {
  const kept = new Set((await listFiles({ deps, kind: jobKind, session }, jobId)).map(({ name }) => name))
  const notKept = calculation.files.map(({ name }) => name).filter((name) => !kept.has(name))
  return { ...saidBy(calculation), outcome: 'skipped', jobId, ...(notKept.length === 0 ? {} : { notKept }) }
}

/** Id of a job, which follows from the account, the output, and its place in it: what is imported again is found. */
export function jobIdOfOutput(accountId: string, sha256: string, at: number): string {
  return contentId('calculation', accountId, sha256, String(at))
}

function jobIdOf({ session }: RunPlace, { main, at, files }: ReadCalculation): string {
  return jobIdOfOutput(session.account.id, files.find(({ name }) => name === main)?.sha256 ?? main, at)
}

/** Part of a report that is the same whatever becomes of the calculation. */
function saidBy({ documents, main, files }: ReadCalculation) {
  const { code, group, initial, final, leftOut } = documents
  return {
    file: main,
    code,
    ...(group === null ? {} : { group }),
    formulas: [initial, final].flatMap((document) => (document === null ? [] : [String(document.name)])),
    files: files.map(({ name }) => name).toSorted(),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  }
}

function reportOf(calculation: ReadCalculation, jobId: string, prepared: readonly RecordOfRun[]): CalculationReport {
  const { warnings } = calculation.documents
  const materials = prepared.filter(({ kind }) => kind === materialKind)
  return {
    ...saidBy(calculation),
    outcome: 'stored',
    jobId,
    materials: materials.map(({ id, name, built }) => ({ _id: id, name, isNew: built !== null })),
    properties: prepared.flatMap(({ kind, built, name }) =>
      kind === propertyKind ? [{ name, ...(built?.after?.property?.summary ?? {}) }] : [],
    ),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}
