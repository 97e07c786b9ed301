import { type Clock, isoInstant } from '../../kernel/clock.ts'
import { type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { documentChanges } from './document-changes.ts'

/** What people do to a record. */
export type ChangeAction =
  | 'create'
  | 'copy'
  | 'update'
  | 'set-default'
  | 'unset-default'
  | 'move-to-set'
  | 'restore'
  | 'remove'

/** Who makes a change. */
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

/** Tells in addition what a change did, by the record before and after it. */
export function noteOfChange(
  deps: { readonly clock: Clock },
  changer: Changer,
  action: ChangeAction,
  before: JsonObject,
  after: JsonObject,
  details: JsonObject = {},
): string {
  const { changes, more } = documentChanges(before, after)
  const at = ownField(after, 'updatedAt') ?? isoInstant(deps.clock())
  return changeNote(deps, changer, action, {
    ...details,
    at,
    changes: changes as Json,
    ...(more === 0 ? {} : { more }),
  })
}

/** Reads a note; null for a version that nobody told of. */
export function readNote(note: string | null): JsonObject | null {
  return note === null ? null : (JSON.parse(note) as JsonObject)
}
