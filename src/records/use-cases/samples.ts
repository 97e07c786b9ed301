import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Session } from '../../accounts/session.ts'
import { AppError, isOf, unpackError } from '../../kernel/errors.ts'
import { equalJson, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { RandomSource } from '../../kernel/names.ts'
import { projectFile } from '../../kernel/project-files.ts'
import { equals } from '../../query/ast/filter.ts'
import type { AccountRow } from '../../store/port/account-store.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { contentId, named, versionTag } from '../ids.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import type { NewRecord, RecordInput } from '../work/record-input.ts'
import { buildRecords } from '../work/record-threads.ts'
import { exportRecords, getRecord } from './read-records.ts'
import { deleteRecord } from './removed.ts'
import { insertEach } from './write-record.ts'

/** One record of the library of samples; its key is the name of its file. */
export interface Sample {
  readonly key: string
  readonly document: JsonObject
}

export const SAMPLES_DIRECTORY = fileURLToPath(projectFile('samples/'))

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
  const message = `The name "${OWNER}" belongs to a user, so the samples have no account.`
  throw new AppError(RECORD_ERRORS.samplesNameTaken, message, { hint: 'Start with --no-samples.' })
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
    user: { id: SAMPLES_USER_ID, slug: OWNER },
    now: deps.clock(),
    overrides: { isPublic: true },
  })
  return outcomes.map((outcome) => {
    if ('built' in outcome) return outcome.built
    if ('refusal' in outcome) throw unpackError(outcome.refusal)
    throw new Error('fault' in outcome ? outcome.fault : 'a sample names an account')
  })
}

/** An argon2id hash that was not made from a password, of a form that comparing with it takes as long as with any other. */
function hashOfNoPassword(random: RandomSource): string {
  const unpadded = (size: number): string => Buffer.from(random(size)).toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(16)}$${unpadded(32)}`
}

export interface RemovedSamples {
  readonly removed: number
  readonly left: readonly LeftRecord[]
}

/** A record in the account of the samples that was not removed: somebody has changed it, or it is none of the library. */
export interface LeftRecord {
  readonly collection: string
  readonly id: string
  readonly name: string
  readonly reason: 'changed' | 'no sample'
}

/** Removes for good the samples that are as they were added, in their account's session. A rerun goes on where it was interrupted. */
export async function removeSamples(
  deps: RecordDeps,
  session: Session,
  progress: (done: number, total: number) => void,
): Promise<RemovedSamples> {
  const left: LeftRecord[] = []
  const library = readLibrary()
  const records = await recordsOf(deps, session)
  for (const [done, { among, id }] of records.entries()) {
    progress(done, records.length)
    const record = await getRecord(among, id)
    const reason = await removeOne(among, record, library.get(id))
    if (reason !== null) left.push({ collection: among.kind.collection, id, name: nameOf(record), reason })
  }
  return { removed: records.length - left.length, left }
}

/** All that the account of the samples has, of every kind. */
async function recordsOf(deps: RecordDeps, session: Session): Promise<readonly { among: Collection; id: string }[]> {
  const filter = equals('owner._id', session.account.id)
  const found: { among: Collection; id: string }[] = []
  for (const kind of RECORD_KINDS) {
    const among = { deps, kind, session }
    const chunks = exportRecords(among, { filter, sort: [], fields: null, skip: 0, limit: 1 })
    for await (const line of linesOf(chunks)) found.push({ among, id: String((JSON.parse(line) as JsonObject)._id) })
  }
  return found
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** The documents of all samples, by the ids that they are stored under. */
function readLibrary(): ReadonlyMap<string, JsonObject> {
  const samples = RECORD_KINDS.flatMap((kind) =>
    readSamples(kind.collection).map(({ key, document }) => [sampleId(kind, key), document] as const),
  )
  return new Map(samples)
}

/** Gives the reason when the record is left. */
async function removeOne(
  collection: Collection,
  record: StoredRecord,
  sample: JsonObject | undefined,
): Promise<LeftRecord['reason'] | null> {
  if (sample === undefined) return 'no sample'
  if (!isUntouched(collection.kind, JSON.parse(record.text) as JsonObject, sample)) return 'changed'
  return (await erase(collection, record)) ? null : 'changed'
}

function nameOf({ text }: StoredRecord): string {
  return String(ownField(JSON.parse(text) as JsonObject, 'name'))
}

/** False when somebody has changed the record since it was read. */
async function erase(collection: Collection, record: StoredRecord): Promise<boolean> {
  try {
    await deleteRecord(collection, record.id, { isForGood: true, ifMatch: `"${versionTag(record)}"` })
    return true
  } catch (error) {
    if (isOf(RECORD_ERRORS.preconditionFailed, error)) return false
    throw error
  }
}

/** Fields that the server adds to a record, or fills in where they were left out. */
const ADDED = [
  ...['_id', 'name', 'slug', 'tags', 'isPublic', 'isNonPeriodic', 'schemaVersion', 'exabyteId'],
  ...['isDefault', 'owner', 'creator', 'createdAt', 'updatedAt'],
]

/** A record that nobody has written since it was added, or that says what the library says. */
function isUntouched(kind: RecordKind, record: JsonObject, sample: JsonObject): boolean {
  if (ownField(record, 'updatedAt') === ownField(record, 'createdAt')) return true
  const own = [...Object.keys(sample), ...ADDED, ...(kind.derivedFields ?? [])]
  const isSame = ownField(record, 'isPublic') === true && Object.keys(record).every((field) => own.includes(field))
  return isSame && says(record, sample)
}

/** Tells whether a value has all that another one has; what the server computes may stand beside it. */
function says(value: Json | undefined, other: Json): boolean {
  if (!isJsonObject(other)) return equalJson(value, other)
  return isJsonObject(value) && Object.keys(other).every((key) => says(ownField(value, key), other[key] as Json))
}
