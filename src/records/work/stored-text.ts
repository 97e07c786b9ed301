import { type JsonObject, ownField } from '../../kernel/json.ts'

/** Stored texts up to so many characters are looked into wherever one is; longer ones by the threads that make records. */
export const SHORT_TEXT = 64 * 1024

/** Reads some fields of a stored record; those that it does not have are left out. */
export function pickFields(text: string, names: readonly string[]): JsonObject {
  const document = JSON.parse(text) as JsonObject
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = ownField(document, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The text of a stored record with other values in some of its fields. */
export function putFields(text: string, fields: JsonObject): string {
  return JSON.stringify({ ...(JSON.parse(text) as JsonObject), ...fields })
}
