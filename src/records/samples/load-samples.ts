import { unpackError } from '../../kernel/errors.ts'
import type { AccountRow } from '../../store/port/account-store.ts'
import { findRuns, importRun } from '../calculations/import-run.ts'
import type { RunPlace } from '../calculations/records-of-run.ts'
import { named } from '../ids.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import type { RecordKind } from '../record-kind.ts'
import { insertEach } from '../use-cases/write-record.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { NewRecord, RecordInput } from '../work/record-input.ts'
import { buildRecords } from '../work/record-threads.ts'
import { readSamples, type Sample, sampleId, sampleRuns } from './library.ts'
import { SAMPLES_OWNER, SAMPLES_USER_ID, samplesOwner, samplesSession } from './owner.ts'

/** Samples that are made and stored together. */
const TOGETHER = 20

export interface LoadOptions {
  readonly directory?: string
  readonly progress?: (done: number, total: number) => void
}

export interface LoadedSamples {
  readonly stored: number
  /** Samples that were there before. */
  readonly present: number
}

/** Stores the samples as public records of an account that nobody logs in to. Ids stay, so a rerun goes on where it was interrupted. */
export async function loadSamples(
  deps: RecordDeps,
  { directory, progress = () => {} }: LoadOptions = {},
): Promise<LoadedSamples> {
  const owner = await samplesOwner(deps)
  const batches = RECORD_KINDS.flatMap((kind) => batchesOfSamples(kind, directory))
  const total = batches.reduce((sum, { samples }) => sum + samples.length, 0)
  let [done, stored] = [0, 0]
  for (const { kind, samples } of batches) {
    progress(done, total)
    const results = await insertEach(
      deps,
      { accountId: owner.id, by: undefined },
      await readySamples(deps, kind, owner, samples),
    )
    for (const result of results) {
      if ('stop' in result) throw result.stop
      if ('fault' in result) throw result.fault
    }
    stored += results.filter((result) => 'outcome' in result && result.outcome === 'done').length
    done += samples.length
  }
  return { stored, present: total - stored }
}

/** Stores the calculations of the library as an import of them would, as public records of the same account. Those that are there are left. */
export async function loadSampleRuns(
  deps: RecordDeps,
  { directory, progress = () => {} }: LoadOptions = {},
): Promise<LoadedSamples> {
  const place: RunPlace = { deps, session: samplesSession(await samplesOwner(deps)) }
  const runs = sampleRuns(directory)
  let [stored, present] = [0, 0]
  for (const [done, { files }] of runs.entries()) {
    progress(done, runs.length)
    for (const run of (await findRuns(place, files)).runs) {
      for (const { outcome, error, file } of await importRun(place, run, files, { isPublic: true })) {
        if (outcome === 'refused') throw new Error(`the sample ${file} cannot be read: ${error?.message}`)
        if (outcome === 'stored') stored++
        else present++
      }
    }
  }
  return { stored, present }
}

function batchesOfSamples(kind: RecordKind, directory: string | undefined) {
  const all = readSamples(kind.collection, directory)
  const starts = Array.from({ length: Math.ceil(all.length / TOGETHER) }, (_, batch) => batch * TOGETHER)
  return starts.map((start) => ({ kind, samples: all.slice(start, start + TOGETHER) }))
}

async function readySamples(
  deps: RecordDeps,
  kind: RecordKind,
  owner: AccountRow,
  samples: readonly Sample[],
): Promise<readonly NewRecord[]> {
  const inputs = samples.map(({ key, document }): RecordInput => ({ id: sampleId(kind, key), source: { document } }))
  const outcomes = await buildRecords(deps.work, SAMPLES_USER_ID, inputs, {
    collection: kind.collection,
    purpose: 'create',
    account: named(owner),
    user: { id: SAMPLES_USER_ID, slug: SAMPLES_OWNER },
    now: deps.clock(),
    overrides: { isPublic: true },
  })
  return outcomes.map((outcome) => {
    if ('built' in outcome) return outcome.built
    if ('refusal' in outcome) throw unpackError(outcome.refusal)
    throw new Error('fault' in outcome ? outcome.fault : 'a sample names an account')
  })
}
