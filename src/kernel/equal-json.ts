import { isJsonArray, isJsonObject, type Json, ownField } from './json.ts'

/** Tells whether two values are the same JSON: the fields of objects in any order, numbers by their value. */
export function equalJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (isJsonArray(one)) {
    return (
      isJsonArray(other) && one.length === other.length && one.every((item, index) => equalJson(item, other[index]))
    )
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equalJson(ownField(one, key), ownField(other, key)))
  )
}
