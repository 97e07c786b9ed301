import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { type ClientBytes, isClientBytes } from '../../kernel/bytes.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { all, equals } from '../../query/ast/filter.ts'
import { planQuery } from '../../query/plan.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { changeDetails, changeNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { addressOf } from '../ids.ts'
import { entityClass, isEntitySet, notASet } from '../kinds/entity-set.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Collection } from '../work/deps.ts'
import { fieldsOf, withFields } from '../work/stored-text.ts'
import { readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './change.ts'
import { type CreatedRecord, createFrom, sourceOf } from './create-record.ts'
import { rewriteRecord } from './update-record.ts'
import { commit, oneByOne, stepOf } from './write-record.ts'

/** Stores a new set without members; unordered unless it says otherwise. */
export function createSet(collection: Collection, given: Uint8Array | JsonObject): Promise<CreatedRecord> {
  const shape = { defaults: { entitySetType: 'unordered' }, overrides: { isEntitySet: true } }
  return createFrom(collection, sourceOf(given), shape)
}

/** The sets that a record is in, as it says itself. */
export function membershipsOf(document: JsonObject): readonly JsonObject[] {
  const inSet = ownField(document, 'inSet')
  return isJsonArray(inSet) ? inSet.filter(isJsonObject) : []
}

/** Memberships of a document in sets that are still there. */
export async function presentMemberships(
  { deps, kind, session }: Collection,
  document: JsonObject,
): Promise<readonly JsonObject[]> {
  const memberships = membershipsOf(document)
  const sets = await Promise.all(
    memberships.map((one) => deps.store.read(kind.collection, session.scope, String(ownField(one, '_id')))),
  )
  return memberships.filter((_, index) => sets[index] !== null)
}

export function isMember(document: JsonObject, setId: string): boolean {
  return membershipsOf(document).some((membership) => ownField(membership, '_id') === setId)
}

export function withoutMembership(document: JsonObject, setId: string): readonly JsonObject[] {
  return membershipsOf(document).filter((membership) => ownField(membership, '_id') !== setId)
}

/** Reference to a set that a record comes into; members of an ordered set have the index of their arrival. */
export function membershipIn(kind: RecordKind, set: JsonObject): JsonObject {
  const type = ownField(set, 'entitySetType') ?? 'unordered'
  const index: Record<string, Json> = type === 'ordered' ? { index: ownField(set, 'nextIndex') ?? 0 } : {}
  return { _id: set._id ?? null, cls: entityClass(kind), slug: set.slug ?? null, type, ...index }
}

/** Members that leave a set in one transaction. */
export const LEAVING_TOGETHER = 500

/** Makes the changes by which up to `LEAVING_TOGETHER` members leave a set of the session's account. */
export async function leavingChanges(collection: Collection, setId: string): Promise<readonly Change[]> {
  const { deps, kind, session } = collection
  const filter = all(equals('inSet._id', setId), equals('owner._id', session.account.id))
  const request = { filter, sort: [], fields: null, skip: 0, limit: LEAVING_TOGETHER }
  const page = await deps.store.find(planQuery(request, kind.collection, session.scope), { user: session.user.id })
  const members = JSON.parse(page.documents.toString()) as readonly { readonly _id: string }[]
  const changes = await Promise.all(members.map(({ _id }) => leavingChange(collection, setId, _id)))
  return changes.filter((change) => change !== null)
}

async function leavingChange(collection: Collection, setId: string, id: string): Promise<Change | null> {
  const { deps, kind, session } = collection
  const record = await deps.store.read(kind.collection, session.scope, id)
  if (record === null) return null
  const before = await fieldsOf(deps.work, session.user.id, record.text, ['inSet'])
  const after = { inSet: withoutMembership(before, setId), updatedAt: isoInstant(deps.clock()) }
  return {
    action: 'replace',
    ...addressOf(kind.collection, record),
    isPublic: record.isPublic,
    text: await withFields(deps.work, session.user.id, record.text, after),
    note: changeNote(deps, session, 'move-to-set', changeDetails(before, after)),
  }
}

/** Sets that a record leaves and comes into; an empty text is none. */
export interface SetMove {
  readonly oldSetId: string
  readonly newSetId: string
}

/** Fields that are read of a set. */
export const SET_FIELDS = ['_id', 'slug', 'inSet', 'entitySetType', 'nextIndex']

/** Sets within sets, at most. */
const DEEPEST_NESTING = 32

/** Takes a record of the session's account out of one set and into another of the same account and collection. */
export function moveToSet(
  collection: Collection,
  id: string,
  move: SetMove,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  const { deps } = collection
  return oneByOne(deps.store, `set ${move.newSetId}`, () => moveInTurn(collection, id, move, options))
}

async function moveInTurn(
  collection: Collection,
  id: string,
  move: SetMove,
  options: WriteOptions,
): Promise<StoredRecord> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const record = await readOwnRecord(collection, id, options)
    const before = await fieldsOf(deps.work, session.user.id, record.text, ['_id', 'inSet', 'isEntitySet'])
    assertInOldSet(kind, before, move)
    // Out of a set and into the same one: it is where it is to be.
    if (move.oldSetId === move.newSetId) return record
    const left = { ...before, inSet: withoutMembership(before, move.oldSetId) }
    const arrival = await arriveIn(collection, left, move)
    if (move.oldSetId === '' && arrival.changes.length === 0) return record
    const moved = { inSet: arrival.inSet, updatedAt: isoInstant(deps.clock()) }
    const after = { ...before, ...moved }
    const text = await withFields(deps.work, session.user.id, record.text, moved)
    const note = changeNote(deps, session, 'move-to-set', changeDetails(before, after))
    const { isPublic } = record
    const step = stepOf({ ...replaceOf(kind, record, text), isPublic, note })
    const written = { ...record, text, version: record.version + 1 }
    const write = { steps: [step], beside: arrival.changes, by: actorOf(session), once: collection.once?.(written) }
    if ((await commit(deps, write)).isDone) return written
  }
  throw writeConflict(kind)
}

function assertInOldSet(kind: RecordKind, document: JsonObject, { oldSetId }: SetMove): void {
  if (oldSetId === '' || isMember(document, oldSetId)) return
  const message = `The ${kind.name} is not in the set ${JSON.stringify(oldSetId)}.`
  const hint = 'Its field inSet names the sets that it is in; an empty oldSetId takes it out of none.'
  throw new AppError(RECORD_ERRORS.notInSet, message, { path: 'oldSetId', hint })
}

interface Arrival {
  readonly inSet: readonly JsonObject[]
  /** Conditions and changes at the set; none when the record is in it already. */
  readonly changes: readonly Change[]
}

async function arriveIn(collection: Collection, document: JsonObject, { newSetId }: SetMove): Promise<Arrival> {
  const { deps, kind, session } = collection
  const inSet = membershipsOf(document)
  if (newSetId === '' || isMember(document, newSetId)) return { inSet, changes: [] }
  const target = await readSet(collection, newSetId, 'newSetId')
  const set = await fieldsOf(deps.work, session.user.id, target.text, SET_FIELDS)
  if (isEntitySet(document)) await assertMayNest(collection, document, set)
  return { inSet: [...inSet, membershipIn(kind, set)], changes: [await atTheSet(collection, target, set)] }
}

/** An ordered set counts arrivals; an unordered one only has to be there still. */
export async function atTheSet(
  collection: Collection,
  target: StoredRecord,
  set: JsonObject,
  arrivals = 1,
): Promise<Change> {
  const { deps, kind, session } = collection
  if (ownField(set, 'entitySetType') !== 'ordered') return { action: 'expect', ...addressOf(kind.collection, target) }
  const nextIndex = Number(ownField(set, 'nextIndex') ?? 0) + arrivals
  const text = await withFields(deps.work, session.user.id, target.text, { nextIndex })
  return { ...replaceOf(kind, target, text), isPublic: target.isPublic, keepsRevision: false, follows: true }
}

function replaceOf({ collection }: RecordKind, record: StoredRecord, text: string) {
  return { action: 'replace', ...addressOf(collection, record), text } as const
}

export async function readSet(collection: Collection, id: string, path: string): Promise<StoredRecord> {
  const { deps, kind, session } = collection
  const record = await readOwnRecord(collection, id, {})
  if (isEntitySet(await fieldsOf(deps.work, session.user.id, record.text, ['isEntitySet']))) return record
  throw notASet(kind, id, path)
}

/** Ordered sets have one level, and no set may come to be within itself. */
export async function assertMayNest(collection: Collection, inner: JsonObject, outer: JsonObject): Promise<void> {
  if (ownField(outer, 'entitySetType') === 'ordered') {
    throw nestingRefused('A set cannot be in an ordered set.', 'Ordered sets hold records; use an unordered set.')
  }
  let level: readonly JsonObject[] = [outer]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= DEEPEST_NESTING) {
      throw nestingRefused(`Sets can be nested ${DEEPEST_NESTING} levels deep.`, 'Use a set that is less deep.')
    }
    if (level.some((set) => ownField(set, '_id') === ownField(inner, '_id'))) {
      throw nestingRefused('A set cannot be within itself.', 'Move the set that is inside out of it first.')
    }
    level = await parentsOf(collection, level)
  }
}

async function parentsOf(collection: Collection, sets: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const { deps, kind, session } = collection
  const ids = new Set(
    sets.flatMap((set) => membershipsOf(set).map((membership) => String(ownField(membership, '_id')))),
  )
  const records = await Promise.all([...ids].map((id) => deps.store.read(kind.collection, session.scope, id)))
  const present = records.filter((record) => record !== null)
  return Promise.all(present.map(({ text }) => fieldsOf(deps.work, session.user.id, text, SET_FIELDS)))
}

function nestingRefused(message: string, hint: string): AppError {
  return new AppError(RECORD_ERRORS.nestingRefused, message, { path: 'newSetId', hint })
}

/** Changes fields of a set; takes what `createSet` takes, as existing clients send it. */
export function updateSet(
  collection: Collection,
  id: string,
  update: ClientBytes | JsonObject,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  const edit = isClientBytes(update) ? { json: update } : { update }
  return rewriteRecord(collection, id, { action: 'update', edit: { ...edit, isOfSet: true } }, options)
}
