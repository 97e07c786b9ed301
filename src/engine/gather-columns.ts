import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import { NESTED_ARRAY } from '../query/paths.ts'
import type { Column } from './column.ts'
import { ColumnBuilder, type ColumnValue, columnValueOf, KIND_VALUES } from './column-builder.ts'
import { type ColumnParts, MOST_ROWS } from './column-parts.ts'

/** The path of the column that has the shapes of rows, as texts that are not cut: no field can have it. */
export const SHAPE_PATH = ''

/** The path of the column of the rest, which stands for every path without a column: in the rows that have more paths than get columns, something may be there. */
export const REST_PATH = '.'

/** Most columns of a segment, and most that one record adds to those there are: names that are data would make a column each. */
export interface ColumnBounds {
  readonly most: number
  readonly ofRecord: number
}

export const COLUMN_BOUNDS: ColumnBounds = { most: 20_000, ofRecord: 1000 }

/** The fields of an object in their order; those that are objects with theirs. What is in arrays is left out. */
export type Shape = readonly (string | readonly [name: string, fields: Shape])[]

/** A record with more fields has no shape: what is asked of it comes from its document. */
const MOST_FIELDS = 1000

/** Tells in which order the fields of documents stand, which columns of fields do not. */
class ShapeGatherer {
  /** The shape of the document before, which most documents have too: they are compared with it before a text is made. */
  #usual: { readonly shape: Shape; readonly text: string } | null = null

  of(document: JsonObject): ColumnValue {
    if (this.#usual !== null && hasShape(document, this.#usual.shape)) return this.#usual.text
    const shape = shapeOf(document)
    if (fieldsOf(shape) > MOST_FIELDS) return KIND_VALUES.unknown
    const text = JSON.stringify(shape)
    this.#usual = { shape, text }
    return text
  }
}

/** The shape that an ordinal of the column of shapes stands for; null where a row has none, or one that an earlier version of the program wrote. */
export function shapeAt({ dictionary }: Pick<Column, 'dictionary'>, ordinal: number): Shape | null {
  const [from, to] = dictionary.ordinalsOf('string')
  return ordinal >= from && ordinal < to ? (JSON.parse(dictionary.textAt(ordinal - from)) as Shape) : null
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

/** Deeper and longer paths have no column. */
export const PATH_PARTS = 32
export const PATH_LENGTH = 512

/** From these lengths on, an array of nothing but numbers is a vector: nobody searches it by its elements. */
const VECTOR_LENGTH = 9
const NESTED_VECTOR_LENGTH = 3

/** Room for columns: a row that needs more than there are is noted, and is in doubt in all that come after it. */
class ColumnRoom {
  readonly rest = new ColumnBuilder()
  readonly #bounds: ColumnBounds
  readonly #rows: number[] = []
  #row = -1
  #columns = 0
  #columnsBefore = 0

  constructor(bounds: ColumnBounds) {
    this.#bounds = bounds
  }

  begin(row: number): void {
    this.#row = row
    this.#columnsBefore = this.#columns
  }

  /** The builder of one more column; null, where there is no room. */
  take(): ColumnBuilder | null {
    const { most, ofRecord } = this.#bounds
    if (this.#columns >= most || this.#columns - this.#columnsBefore >= ofRecord) {
      if (this.#rows.at(-1) === this.#row) return null
      this.#rows.push(this.#row)
      this.rest.addOdd(this.#row, KIND_VALUES.untold)
      return null
    }
    this.#columns += 1
    const builder = new ColumnBuilder()
    for (const row of this.#rows) builder.addOdd(row, KIND_VALUES.untold)
    return builder
  }

  get isExceeded(): boolean {
    return this.#rows.length > 0
  }
}

/** A path on its way down; paths of documents are much alike, so they are looked up component by component. */
class ColumnPath {
  readonly text: string
  readonly parts: number
  readonly builder: ColumnBuilder
  readonly #below = new Map<string, ColumnPath>()

  constructor(text: string, parts: number, builder: ColumnBuilder) {
    this.text = text
    this.parts = parts
    this.builder = builder
  }

  /** The path of a field; null for one that no query can name, that is too deep or too long for a column, or that there is no room for. */
  field(key: string, room: ColumnRoom): ColumnPath | null {
    const known = this.#below.get(key)
    if (known !== undefined) return known
    if (key === '' || key.includes('.') || this.parts >= PATH_PARTS) return null
    const text = this.text === '' ? key : `${this.text}.${key}`
    const builder = text.length > PATH_LENGTH ? null : room.take()
    if (builder === null) return null
    const made = new ColumnPath(text, this.parts + 1, builder)
    this.#below.set(key, made)
    return made
  }

  /** The columns of this path and of all below. */
  *columns(): Generator<readonly [string, ColumnBuilder]> {
    yield [this.text, this.builder]
    for (const node of this.#below.values()) yield* node.columns()
  }
}

/** Way of a walk through a document: through no array, through one of objects, or through more than that. */
type Way =
  | { readonly kind: 'plain' }
  | {
      readonly kind: 'element'
      readonly depth: number
      /** The one that is walked through now. */
      element: number
      /** The columns that elements of the array have something for. */
      readonly touched: ColumnBuilder[]
    }
  | { readonly kind: 'odd' }

const PLAIN: Way = { kind: 'plain' }
const ODD: Way = { kind: 'odd' }

/** Gathers the columns of documents. Keys that no query path can name (empty, or with a dot in them) are left out with all below. */
export class ColumnGatherer {
  readonly #room: ColumnRoom
  readonly #top = new ColumnPath('', 0, new ColumnBuilder())
  readonly #shapes = new ShapeGatherer()
  #row = 0

  constructor(bounds = COLUMN_BOUNDS) {
    this.#room = new ColumnRoom(bounds)
  }

  get rows(): number {
    return this.#row
  }

  /** Adds a document as the next row; at most `MOST_ROWS`. */
  add(document: JsonObject): void {
    if (this.#row === MOST_ROWS) throw new RangeError(`a segment holds ${MOST_ROWS} records at most`)
    this.#room.begin(this.#row)
    this.#top.builder.addPlain(this.#row, this.#shapes.of(document))
    this.#object(document, this.#top, PLAIN)
    this.#row += 1
  }

  *finish(): Generator<readonly [string, ColumnParts]> {
    for (const [path, builder] of this.#top.columns()) yield [path, builder.finish(this.#row)]
    if (this.#room.isExceeded) yield [REST_PATH, this.#room.rest.finish(this.#row)]
  }

  #object(object: JsonObject, node: ColumnPath, way: Way): void {
    for (const key of Object.keys(object)) {
      const below = node.field(key, this.#room)
      if (below !== null) this.#value(object[key] as Json, below, way)
    }
  }

  #value(value: Json, node: ColumnPath, way: Way): void {
    if (isJsonArray(value)) this.#array(value, node, way)
    else if (isJsonObject(value)) {
      this.#keep(KIND_VALUES.object, node, way)
      this.#object(value, node, way)
    } else this.#keep(columnValueOf(value), node, way)
  }

  #keep(value: ColumnValue, { builder }: ColumnPath, way: Way): void {
    if (way.kind === 'plain') builder.addPlain(this.#row, value)
    else if (way.kind === 'odd') builder.addOdd(this.#row, value)
    else {
      builder.addElement(this.#row, way.depth, way.element, value)
      if (builder.touch(this.#row)) way.touched.push(builder)
    }
  }

  #array(array: readonly Json[], node: ColumnPath, way: Way): void {
    if (isVector(array, way)) this.#keep(KIND_VALUES.vector, node, way)
    else if (way.kind === 'plain') this.#firstArray(array, node)
    else this.#furtherArray(array, node)
  }

  /** An array that no other leads to: its elements stand in the columns in their order. */
  #firstArray(array: readonly Json[], node: ColumnPath): void {
    const { builder, parts: depth } = node
    builder.beginArray(this.#row, depth)
    const touched: ColumnBuilder[] = []
    const way: Way = array.every(isJsonObject) ? { kind: 'element', depth, element: 0, touched } : ODD
    for (let element = 0; element < array.length; element++) {
      const value = array[element] as Json
      if (isJsonObject(value)) {
        builder.addElement(this.#row, depth, element, KIND_VALUES.object)
        if (way.kind === 'element') way.element = element
        this.#object(value, node, way)
      } else if (isJsonArray(value)) {
        builder.addElement(this.#row, depth, element, KIND_VALUES.nested)
        this.#nested(value, node)
      } else builder.addElement(this.#row, depth, element, columnValueOf(value))
    }
    for (const column of touched) column.padTo(this.#row, array.length)
  }

  #furtherArray(array: readonly Json[], node: ColumnPath): void {
    const { builder } = node
    // Also an empty array is something that is there.
    builder.addOdd(this.#row, KIND_VALUES.nested)
    for (const value of array) {
      if (isJsonArray(value)) this.#nested(value, node)
      else this.#value(value, node, ODD)
    }
  }

  /** Arrays within an array have a path of their own, which no other way leads to. */
  #nested(array: readonly Json[], node: ColumnPath): void {
    const below = node.field(NESTED_ARRAY, this.#room)
    if (below === null) return
    if (isVector(array, ODD)) below.builder.addOdd(this.#row, KIND_VALUES.vector)
    else this.#furtherArray(array, below)
  }
}

function isVector(array: readonly Json[], way: Way): boolean {
  if (array.length < (way.kind === 'plain' ? VECTOR_LENGTH : NESTED_VECTOR_LENGTH)) return false
  for (let at = 0; at < array.length; at++) if (typeof array[at] !== 'number') return false
  return true
}
