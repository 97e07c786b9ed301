/** A record, or any object of JSON. */
export type Fields = Readonly<Record<string, unknown>>

/** What PATCH takes. */
export interface Update {
  readonly $set: Fields
  readonly $unset: Fields
}

/** What makes one record of another, field by field; null where they are the same. */
export function updateOf(before: Fields, after: Fields): Update | null {
  const $set: Record<string, unknown> = {}
  const $unset: Record<string, unknown> = {}
  for (const field of changedFields(before, after)) {
    if (Object.hasOwn(after, field)) $set[field] = after[field]
    else $unset[field] = ''
  }
  return Object.keys($set).length + Object.keys($unset).length === 0 ? null : { $set, $unset }
}

/** The fields in which two records differ. */
export function changedFields(one: Fields, other: Fields): readonly string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.filter((name) => !isSame(one[name], other[name]))
}

/** A field that two people have made something else of. */
export interface Conflict {
  readonly field: string
  readonly mine: unknown
  readonly theirs: unknown
}

/** Where what somebody has written meets what somebody else has, both beginning from one version. */
export function conflictsOf(base: Fields, mine: Fields, theirs: Fields): readonly Conflict[] {
  const changedThere = new Set(changedFields(base, theirs))
  return changedFields(base, mine)
    .filter((field) => changedThere.has(field) && !isSame(mine[field], theirs[field]))
    .map((field) => ({ field, mine: mine[field], theirs: theirs[field] }))
}

/** Theirs, with what I have changed; of fields that both have changed, as it is chosen. */
export function merged(base: Fields, mine: Fields, theirs: Fields, keepsMine: (field: string) => boolean): Fields {
  const conflicts = new Set(conflictsOf(base, mine, theirs).map(({ field }) => field))
  const result: Record<string, unknown> = { ...theirs }
  for (const field of changedFields(base, mine)) {
    if (conflicts.has(field) && !keepsMine(field)) continue
    if (Object.hasOwn(mine, field)) result[field] = mine[field]
    else delete result[field]
  }
  return result
}

/** JSON with its keys in any order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, each]) => [key, ordered(each)]),
  )
}
