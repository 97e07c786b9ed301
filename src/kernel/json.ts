/** Values that JSON text can hold, as every room passes them around. Treated as immutable. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. Read fields with `ownField`, so that `constructor` and `__proto__` are never found by accident. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Tells whether a value is a JSON object, as opposed to an array, a scalar or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Tells whether a value is a JSON array. */
export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** Reads a field that the object itself has; inherited JavaScript properties are not fields. */
export function ownField(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Writes a field that may be called `__proto__` without touching the prototype. */
export function setOwnField(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

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
