import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Session } from '../../accounts/session.ts'
import { isOf } from '../../kernel/errors.ts'
import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { equals } from '../../query/ast/filter.ts'
import { type Projection, parseProjection } from '../../query/fields/parse-projection.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { jobIdOfOutput } from '../calculations/import-run.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { versionTag } from '../ids.ts'
import { HULL_SOURCE } from '../kinds/property/best-property.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import type { RecordKind } from '../record-kind.ts'
import { exportRecords, getRecord } from '../use-cases/read-records.ts'
import { deleteRecord } from '../use-cases/removed.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import { readSamples, sampleId, sampleRuns } from './library.ts'

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
  const ofRuns = idsOfRuns(records, session.account.id)
  for (const [done, { among, document }] of records.entries()) {
    progress(done, records.length)
    const id = String(document._id)
    const record = await getRecord(among, id)
    const reason = await removeOne(among, record, library.get(id) ?? (ofRuns.has(id) ? {} : undefined))
    if (reason !== null) left.push({ collection: among.kind.collection, id, name: nameOf(record), reason })
  }
  return { removed: records.length - left.length, left }
}

/** A record of the account of the samples: what tells of which run it is. */
interface OwnRecord {
  readonly among: Collection
  readonly document: JsonObject
}

const TELLING: Projection = parseProjection({ fields: { source: 1, madeFrom: 1, _method: 1, _materials: 1 } })

/** All that the account of the samples has, of every kind; what was computed of a record before the record. */
async function recordsOf(deps: RecordDeps, session: Session): Promise<readonly OwnRecord[]> {
  const filter = equals('owner._id', session.account.id)
  const found: OwnRecord[] = []
  for (const kind of RECORD_KINDS.toReversed()) {
    const among = { deps, kind, session }
    const chunks = exportRecords(among, { filter, ...TELLING })
    for await (const line of linesOf(chunks)) found.push({ among, document: JSON.parse(line) as JsonObject })
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

/** Ids of what the runs of the library have brought: jobs, their methods and materials, properties of theirs, and those that the server has computed. */
function idsOfRuns(records: readonly OwnRecord[], accountId: string): ReadonlySet<string> {
  const contents = sampleRuns().flatMap(({ files }) => files.map(({ path }) => sha256Of(path)))
  const jobs = new Set(contents.map((sha256) => jobIdOfOutput(accountId, sha256, 0)))
  const isOfRun = (id: Json | undefined) => typeof id === 'string' && jobs.has(id)
  return new Set(
    records.flatMap(({ document }) => {
      const own = String(document._id)
      if (isOfRun(own)) return [own, ...idsIn(document._method), ...idsIn(document._materials)]
      const source = objectIn(document.source)
      const isOwn =
        source.type === HULL_SOURCE ||
        isOfRun(objectIn(source.info).jobId) ||
        listOf(document.madeFrom).some((from) => isOfRun(objectIn(from).jobId))
      return isOwn ? [own] : []
    }),
  )
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : value === undefined ? [] : [value]
}

function idsIn(value: Json | undefined): readonly string[] {
  return listOf(value).map((one) => String(objectIn(one)._id))
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
