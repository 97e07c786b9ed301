import { type Clock, isoInstant } from '../kernel/clock.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'
import { below, describeGiven } from './schema.ts'

/** One place at which two versions of a record differ. What is not there is left out. */
export type DocumentChange = {
  /** RFC 6901. */
  readonly path: string
  /** A value that is too long to be repeated is described in `fromSummary` or `toSummary` instead. */
  readonly from?: Json
  readonly to?: Json
  readonly fromSummary?: string
  readonly toSummary?: string
}

/** Changes of a document, up to a limit. */
export type DocumentChanges = {
  readonly changes: readonly DocumentChange[]
  /** Number of further changes. */
  readonly more: number
}

const MOST_CHANGES = 100
const MOST_CHARACTERS = 16 * 1024
const LONGEST_VALUE = 200

/** Changes with every write and says nothing. */
const LEFT_OUT = 'updatedAt'

interface ChangeWalk {
  readonly changes: DocumentChange[]
  characters: number
  more: number
}

/** Lists the places at which two versions of a record differ: objects by field, arrays by index, the first ones in full. */
export function documentChanges(before: JsonObject, after: JsonObject): DocumentChanges {
  const walk: ChangeWalk = { changes: [], characters: 0, more: 0 }
  compareObjects(before, after, '', walk)
  return { changes: walk.changes, more: walk.more }
}

function compareObjects(before: JsonObject, after: JsonObject, pointer: string, walk: ChangeWalk): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (pointer === '' && key === LEFT_OUT) continue
    compareValues(ownField(before, key), ownField(after, key), below(pointer, key), walk)
  }
}

// Records have a bounded depth.
function compareValues(before: Json | undefined, after: Json | undefined, pointer: string, walk: ChangeWalk): void {
  if (before === after) return
  if (isJsonObject(before) && isJsonObject(after)) {
    compareObjects(before, after, pointer, walk)
  } else if (isJsonArray(before) && isJsonArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      compareValues(before[index], after[index], below(pointer, index), walk)
    }
  } else {
    note(walk, { path: pointer, ...told('from', before), ...told('to', after) })
  }
}

function note(walk: ChangeWalk, change: DocumentChange): void {
  const { length } = JSON.stringify(change)
  if (walk.changes.length >= MOST_CHANGES || walk.characters + length > MOST_CHARACTERS) {
    walk.more += 1
    return
  }
  walk.changes.push(change)
  walk.characters += length
}

function told(side: 'from' | 'to', value: Json | undefined): Partial<DocumentChange> {
  if (value === undefined) return {}
  return JSON.stringify(value).length > LONGEST_VALUE ? { [`${side}Summary`]: describeGiven(value) } : { [side]: value }
}

/** Actions on a record. */
export type ChangeAction =
  | 'create'
  | 'copy'
  | 'update'
  | 'set-default'
  | 'unset-default'
  | 'move-to-set'
  | 'restore'
  | 'remove'
  | 'put-file'
  | 'remove-file'

/** Author of a change. */
export interface Changer {
  readonly user: { readonly id: string; readonly slug: string }
}

/** Tells who changed a record and when: kept with the version that the change made, or with the removed record. */
export function changeNote(
  deps: { readonly clock: Clock },
  { user }: Changer,
  action: ChangeAction,
  details: JsonObject = {},
): string {
  const by = { _id: user.id, slug: user.slug }
  return JSON.stringify({ action, at: isoInstant(deps.clock()), by, ...details })
}

/** Details of a change for its note, by the record before and after: what differs, and when it was written. */
export function changeDetails(before: JsonObject, after: JsonObject): JsonObject {
  const { changes, more } = documentChanges(before, after)
  const at = ownField(after, 'updatedAt')
  return {
    ...(at === undefined ? {} : { at }),
    changes: changes as Json,
    ...(more === 0 ? {} : { more }),
  }
}

/** Reads a note; null for a version that nobody told of. */
export function readNote(note: string | null): JsonObject | null {
  return note === null ? null : (JSON.parse(note) as JsonObject)
}
