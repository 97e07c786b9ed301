import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { isEntitySet } from '../kinds/entity-set.ts'
import type { Collection } from '../work/deps.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { assertMayNest, atTheSet, isMember, membershipIn, membershipsOf, readSet, SET_FIELDS } from './sets.ts'

/** Sets that records come into, and sets they leave. */
export interface SetChange {
  readonly enter: readonly string[]
  readonly leave: readonly string[]
}

/** Update without sets, and change of sets. */
export interface SplitChange {
  readonly update: JsonObject
  /** Null where it says nothing of sets. */
  readonly sets: SetChange | null
}

const MOST_SETS = 10
const FIELD = 'inSet'

/** Takes `{"$addToSet":{"inSet":{"_id":…}}}` and `{"$pull":{"inSet":{"_id":…}}}` out of an update. */
export function readSetChange(change: JsonObject): SplitChange {
  const [entered, withoutEntered] = takeOut(change, '$addToSet', '$each')
  const [left, update] = takeOut(withoutEntered, '$pull', '$in')
  if (entered.length === 0 && left.length === 0) return { update, sets: null }
  if (entered.length + left.length > MOST_SETS) throw invalid(`A change names ${MOST_SETS} sets at the most.`)
  return { update, sets: { enter: [...new Set(entered)], leave: [...new Set(left)] } }
}

function takeOut(change: JsonObject, operator: string, several: string): [string[], JsonObject] {
  const operand = ownField(change, operator)
  const value = isJsonObject(operand) ? ownField(operand, FIELD) : undefined
  if (!isJsonObject(operand) || value === undefined) return [[], change]
  const { [FIELD]: _, ...fields } = operand
  const { [operator]: __, ...rest } = change
  const list = isJsonObject(value) ? ownField(value, several) : undefined
  const ids = (isJsonArray(list) ? list : [value]).map(idOf)
  return [ids, Object.keys(fields).length === 0 ? rest : { ...rest, [operator]: fields }]
}

function idOf(value: Json): string {
  const id = isJsonObject(value) && Object.keys(value).length === 1 ? ownField(value, '_id') : undefined
  if (typeof id === 'string') return id
  throw invalid('A set is named by its _id alone.')
}

function invalid(message: string): AppError {
  const hint = 'For example {"$addToSet":{"inSet":{"_id":"…"}}}.'
  return new AppError(RECORD_ERRORS.invalidUpdate, message, { path: FIELD, hint })
}

export interface SetsChanged {
  /** By the id of the record: the sets that it is in afterwards; of those alone for which something changes. */
  readonly memberships: ReadonlyMap<string, readonly JsonObject[]>
  /** Conditions and changes at the sets. */
  readonly beside: readonly Change[]
}

/** Works out the memberships of records, in their order: arrivals of ordered sets are counted in it. */
export async function setsChanged(
  collection: Collection,
  records: readonly StoredRecord[],
  { enter, leave }: SetChange,
): Promise<SetsChanged> {
  const { deps, session } = collection
  const targets = await Promise.all(enter.map((id) => arrivalsAt(collection, id)))
  const memberships = new Map<string, readonly JsonObject[]>()
  for (const record of records) {
    const document = await fieldsOf(deps.work, session.user.id, record.text, ['_id', FIELD, 'isEntitySet'])
    const before = membershipsOf(document)
    const after = before.filter((membership) => !leave.includes(String(ownField(membership, '_id'))))
    for (const target of targets) {
      if (isMember({ inSet: after }, target.id)) continue
      if (isEntitySet(document)) await assertMayNest(collection, document, target.set)
      after.push(target.arrive())
    }
    const stays = after.length === before.length && after.every((membership, index) => membership === before[index])
    if (!stays) memberships.set(record.id, after)
  }
  const beside = await Promise.all(targets.map((target) => target.atTheSet()))
  return { memberships, beside: beside.filter((change) => change !== null) }
}

/** A set that records come into; an ordered one counts them. */
async function arrivalsAt(collection: Collection, id: string) {
  const { deps, kind, session } = collection
  const record = await readSet(collection, id, FIELD)
  const set = await fieldsOf(deps.work, session.user.id, record.text, SET_FIELDS)
  const first = Number(ownField(set, 'nextIndex') ?? 0)
  let arrived = 0
  return {
    id,
    set,
    arrive: () => membershipIn(kind, { ...set, nextIndex: first + arrived++ }),
    atTheSet: async () => (arrived === 0 ? null : await atTheSet(collection, record, set, arrived)),
  }
}
