import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { remedied } from '../../page/remedies.ts'
import { RECORD_ERRORS } from '../errors.ts'

/** Values of a record at the paths of its key, in their order. */
export type RecordKey = readonly Json[]

/** What an import does with the record of the account that has the same key: it becomes what was sent, or has the fields that were sent. */
export const ON_MATCH = ['replace', 'merge'] as const
export type OnMatch = (typeof ON_MATCH)[number]

/** Reads the key of a record; refuses one without, for which no other could be told. */
export function keyOf(document: JsonObject, paths: readonly string[]): RecordKey {
  return paths.map((path) => {
    let value: Json | undefined = document
    for (const part of path.split('.')) value = isJsonObject(value) ? ownField(value, part) : undefined
    if (value !== undefined && value !== null && !isJsonArray(value) && !isJsonObject(value)) return value
    throw new AppError(RECORD_ERRORS.keyMissing, `The record has no text, number or boolean at its key "${path}".`, {
      path,
      ...remedied('nameKey'),
    })
  })
}

/** Fields that say which record it is and where it stands: what is sent does not decide them. */
const KEPT = (
  '_id owner creator createdAt isDefault inSet isEntitySet entitySetType entityCls nextIndex ' +
  'duplicates sameAs sharedCount'
).split(' ')

/** Makes of a stored record what a matching one that was sent asks for. Who sees it changes where that is said. */
export function matchedBy(before: JsonObject, sent: JsonObject, onMatch: OnMatch): JsonObject {
  const content = Object.entries(sent).filter(([field]) => !KEPT.includes(field))
  const stays = (field: string): boolean => onMatch === 'merge' || KEPT.includes(field) || field === 'isPublic'
  const kept = Object.entries(before).filter(([field]) => stays(field))
  return Object.fromEntries([...kept, ...content])
}
