import type { Session } from '../../accounts/session.ts'
import { isOf } from '../../kernel/errors.ts'
import { equalJson, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { versionTag } from '../ids.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import { deleteRecord } from './delete-record.ts'
import { readSamples, sampleId } from './load-samples.ts'
import { exportRecords, getRecord } from './read-records.ts'

/** What `removeSamples` did. */
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

/**
 * Removes the samples for good that are as they were added, in the session of their account. It can be run again, and goes on where it
 * was interrupted.
 */
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
  const filter = parseFilter({ 'owner._id': session.account.id })
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
