import type { JsonObject } from '../../kernel/json.ts'

/** Stands for every order of fields that is too long to be kept. */
export const ANY_SHAPE = '*'

const LONGEST_SHAPE = 4096

/** The names of a document's fields in their order, as text. */
export function shapeOf(document: JsonObject): string {
  const keys = JSON.stringify(Object.keys(document))
  return keys.length > LONGEST_SHAPE ? ANY_SHAPE : keys
}
