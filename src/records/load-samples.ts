import { isoInstant } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import type { RandomSource } from '../kernel/ids.ts'
import type { AccountRow } from '../store/port/account-store.ts'
import { completeRecord } from './complete-record.ts'
import { contentId } from './content-id.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_ERRORS } from './errors.ts'
import { type Insert, insertEach } from './insert-each.ts'
import { referenceTo } from './owner.ts'
import type { RecordKind } from './record-kind.ts'
import { RECORD_KINDS } from './record-kinds.ts'
import { readSamples, type Sample } from './sample-files.ts'
import { validateRecord } from './validate-record.ts'

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
  const samples = RECORD_KINDS.flatMap((kind) =>
    readSamples(kind.collection, directory).map((sample) => ({ kind, sample })),
  )
  let stored = 0
  for (let done = 0; done < samples.length; done += TOGETHER) {
    progress(done, samples.length)
    const next = samples.slice(done, done + TOGETHER)
    const inserts = await Promise.all(next.map(({ kind, sample }) => insertOf(deps, kind, owner, sample)))
    const results = await insertEach(deps, inserts)
    stored += results.filter((result) => result.outcome === 'done').length
  }
  return { stored, present: samples.length - stored }
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

async function insertOf(
  deps: RecordDeps,
  kind: RecordKind,
  owner: AccountRow,
  { key, document }: Sample,
): Promise<Insert> {
  validateRecord(kind, document, deps.limits)
  const _id = sampleId(kind, key)
  const now = isoInstant(deps.clock())
  const server = {
    _id,
    isDefault: false,
    owner: referenceTo(owner, 'Account'),
    creator: referenceTo({ id: SAMPLES_USER_ID, slug: OWNER }, 'User'),
    createdAt: now,
    updatedAt: now,
  }
  const { text, isPublic } = await completeRecord(kind, { ...document, isPublic: true }, server, deps)
  return { action: 'insert', collection: kind.collection, id: _id, accountId: owner.id, isPublic, text }
}

/** An argon2id hash that was not made from a password, of a form that comparing with it takes as long as with any other. */
function hashOfNoPassword(random: RandomSource): string {
  const unpadded = (size: number): string => Buffer.from(random(size)).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(16)}$${unpadded(32)}`
}
