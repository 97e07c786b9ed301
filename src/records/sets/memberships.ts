import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { RecordKind } from '../record-kind.ts'
import { entityClass } from './entity-set.ts'

/** The sets that a record is in, as it says itself. */
export function membershipsOf(document: JsonObject): readonly JsonObject[] {
  const inSet = ownField(document, 'inSet')
  return isJsonArray(inSet) ? inSet.filter(isJsonObject) : []
}

/** Tells whether a record is in a set. */
export function isMember(document: JsonObject, setId: string): boolean {
  return membershipsOf(document).some((membership) => ownField(membership, '_id') === setId)
}

/** A record's memberships without the one in a set. */
export function withoutMembership(document: JsonObject, setId: string): readonly JsonObject[] {
  return membershipsOf(document).filter((membership) => ownField(membership, '_id') !== setId)
}

/** How a record refers to a set that it comes into; members of an ordered set have the index of their arrival. */
export function membershipIn(kind: RecordKind, set: JsonObject): JsonObject {
  const type = ownField(set, 'entitySetType') ?? 'unordered'
  const index: Record<string, Json> = type === 'ordered' ? { index: ownField(set, 'nextIndex') ?? 0 } : {}
  return { _id: set._id ?? null, cls: entityClass(kind), slug: set.slug ?? null, type, ...index }
}
