import { createHash } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'

/** The path under which a segment has the shapes of its rows: no field can have it. */
export const SHAPE_PATH = ''

/** The fields of an object in their order; those that are objects with theirs. What is in arrays is left out. */
export type Shape = readonly (string | readonly [name: string, fields: Shape])[]

/** Shapes by their numbers, as text. */
export type ShapeTable = ReadonlyMap<number, string>

/** A record with more fields has no shape: what is asked of it comes from its document. */
const MOST_FIELDS = 1000
const NO_SHAPE = -1

/** Gathers in which order the fields of documents stand, which columns do not tell. */
export class ShapeGatherer {
  readonly #numbers = new Map<string, number>()
  /** The shape that most documents have: they are compared with it before a text is made. */
  #usual: { readonly keys: readonly string[]; readonly number: number } | null = null

  /** The number of a document's shape. */
  numberOf(document: JsonObject): number {
    const keys: string[] = []
    if (!collectKeys(document, keys)) return NO_SHAPE
    const usual = this.#usual
    if (usual !== null && isSame(keys, usual.keys)) return usual.number
    const text = JSON.stringify(shapeOf(document))
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = createHash('sha256').update(text).digest().readUIntBE(0, 6)
      this.#numbers.set(text, number)
    }
    this.#usual = { keys, number }
    return number
  }

  get table(): ShapeTable {
    return new Map([...this.#numbers].map(([text, number]) => [number, text]))
  }
}

/** Stands between the keys of an object and those after it. */
const END = '\u0000'

function collectKeys(object: JsonObject, keys: string[]): boolean {
  for (const key of Object.keys(object)) {
    keys.push(key)
    const value = object[key] as Json
    if (!isJsonObject(value)) continue
    keys.push(END)
    if (!collectKeys(value, keys)) return false
    keys.push(END)
  }
  return keys.length <= MOST_FIELDS
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

function shapeOf(object: JsonObject): Shape {
  return Object.keys(object).map((key) => {
    const value = object[key] as Json
    return isJsonObject(value) ? [key, shapeOf(value)] : key
  })
}
