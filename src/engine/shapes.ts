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
  /** The shape of the document before, which most documents have too: they are compared with it before a text is made. */
  #usual: { readonly shape: Shape; readonly number: number } | null = null

  /** The number of a document's shape. */
  numberOf(document: JsonObject): number {
    if (this.#usual !== null && hasShape(document, this.#usual.shape)) return this.#usual.number
    const shape = shapeOf(document)
    if (fieldsOf(shape) > MOST_FIELDS) return NO_SHAPE
    const text = JSON.stringify(shape)
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = createHash('sha256').update(text).digest().readUIntBE(0, 6)
      this.#numbers.set(text, number)
    }
    this.#usual = { shape, number }
    return number
  }

  get table(): ShapeTable {
    return new Map([...this.#numbers].map(([text, number]) => [number, text]))
  }
}

function hasShape(object: JsonObject, shape: Shape): boolean {
  const keys = Object.keys(object)
  if (keys.length !== shape.length) return false
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string
    const field = shape[at] as Shape[number]
    const value = object[key] as Json
    if (typeof field === 'string') {
      if (field !== key || isJsonObject(value)) return false
    } else if (field[0] !== key || !isJsonObject(value) || !hasShape(value, field[1])) return false
  }
  return true
}

function shapeOf(object: JsonObject): Shape {
  return Object.keys(object).map((key) => {
    const value = object[key] as Json
    return isJsonObject(value) ? [key, shapeOf(value)] : key
  })
}

function fieldsOf(shape: Shape): number {
  return shape.reduce<number>((sum, field) => sum + (typeof field === 'string' ? 1 : 1 + fieldsOf(field[1])), 0)
}
