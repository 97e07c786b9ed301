import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError, unpackError } from '../../kernel/errors.ts'
import type { RandomSource } from '../../kernel/ids.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AccountRow } from '../../store/port/account-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { contentId } from '../ids.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import type { RecordKind } from '../record-kind.ts'
import type { RecordDeps } from '../work/deps.ts'
import { type Draft, named, type ReadyRecord } from '../work/draft.ts'
import { insertEach } from './create-record.ts'

/** One record of the library of samples; its key is the name of its file. */
export interface Sample {
  readonly key: string
  readonly document: JsonObject
}

/** The library that comes with the program, beside `src` or `dist`. */
export const SAMPLES_DIRECTORY = fileURLToPath(new URL('../../../samples/', import.meta.url))

/** Reads the samples of one collection, in the order of their keys; a collection without a folder has none. */
export function readSamples(collection: string, directory: string = SAMPLES_DIRECTORY): readonly Sample[] {
  const folder = join(directory, collection)
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.sort().map((file) => ({
    key: basename(file, '.json'),
    document: JSON.parse(readFileSync(join(folder, file), 'utf8')),
  }))
}

const OWNER = 'samples'
const ACCOUNT_ID = contentId('samples', 'account')
/** The user to whom the samples belong. */
export const SAMPLES_USER_ID = contentId('samples', 'user')
/** Samples that are made and stored together. */
const TOGETHER = 20

/** How to load samples. */
export interface LoadOptions {
  readonly directory?: string
  readonly progress?: (done: number, total: number) => void
}

/** What `loadSamples` did. */
export interface LoadedSamples {
  readonly stored: number
  /** Samples that were there before. */
  readonly present: number
}

/**
 * Stores the library of samples as public records of an account that nobody can log in to. Their ids never change, so it can be
 * run again, and goes on where it was interrupted.
 */
export async function loadSamples(
  deps: RecordDeps,
  { directory, progress = () => {} }: LoadOptions = {},
): Promise<LoadedSamples> {
  const owner = await prepareOwner(deps)
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

function batchesOfSamples(kind: RecordKind, directory: string | undefined) {
  const all = readSamples(kind.collection, directory)
  const starts = Array.from({ length: Math.ceil(all.length / TOGETHER) }, (_, batch) => batch * TOGETHER)
  return starts.map((start) => ({ kind, samples: all.slice(start, start + TOGETHER) }))
}

/** The id of a sample, the same in every store. */
export function sampleId(kind: RecordKind, key: string): string {
  return contentId('samples', kind.collection, key)
}

async function prepareOwner(deps: RecordDeps): Promise<AccountRow> {
  const present = await deps.accounts.findAccount(ACCOUNT_ID)
  if (present !== null) return present
  const createdAt = deps.clock()
  const account: AccountRow = { id: ACCOUNT_ID, name: OWNER, slug: OWNER, type: 'personal', email: null, createdAt }
  const user = { id: SAMPLES_USER_ID, name: OWNER, slug: OWNER, email: null, defaultAccountId: ACCOUNT_ID, createdAt }
  const nobody = { passwordHash: hashOfNoPassword(deps.random), disabledAt: createdAt }
  if ((await deps.accounts.insertUser({ ...user, ...nobody }, account)) === 'done') return account
  throw new AppError(
    RECORD_ERRORS.samplesNameTaken,
    `The name "${OWNER}" belongs to a user, so the samples have no account.`,
    {
      hint: 'Start with --no-samples.',
    },
  )
}

async function readySamples(
  deps: RecordDeps,
  kind: RecordKind,
  owner: AccountRow,
  samples: readonly Sample[],
): Promise<readonly ReadyRecord[]> {
  const drafts = samples.map(({ key, document }): Draft => ({ id: sampleId(kind, key), source: { document } }))
  const outcomes = await deps.work.prepare(SAMPLES_USER_ID, drafts, {
    collection: kind.collection,
    purpose: 'create',
    account: named(owner),
    user: { id: SAMPLES_USER_ID, slug: OWNER },
    now: deps.clock(),
    overrides: { isPublic: true },
  })
  return outcomes.map((outcome) => {
    if ('ready' in outcome) return outcome.ready
    if ('refusal' in outcome) throw unpackError(outcome.refusal)
    throw new Error('fault' in outcome ? outcome.fault : 'a sample names an account')
  })
}

/** An argon2id hash that was not made from a password, of a form that comparing with it takes as long as with any other. */
function hashOfNoPassword(random: RandomSource): string {
  const unpadded = (size: number): string => Buffer.from(random(size)).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(16)}$${unpadded(32)}`
}
