import type { JsonBytes } from '../kernel/json.ts'
import type { FieldsNode, FieldsTree } from '../query/ast/list-request.ts'
import type { Column } from './column.ts'
import { type ColumnSource, hasColumn } from './evaluate-values.ts'
import { SHAPE_PATH, type Shape, shapeAt } from './gather-columns.ts'

/** Whether columns may tell what fields leave of a record; otherwise only documents do. */
export function isOfColumns({ mode, tree, positional }: FieldsNode): boolean {
  return mode === 'inclusion' && positional === null && isPlain(tree)
}

/** Shapes that are looked at for the columns that records will need: most have the same ones. */
const SHAPES_LOOKED_AT = 16

/** The paths whose columns fields need of records, as far as some of their shapes tell. */
export function columnsOfFields({ tree }: FieldsNode, shapes: Column): ReadonlySet<string> {
  const paths = new Set<string>()
  const looked = Math.min(SHAPES_LOOKED_AT, shapes.dictionary.size)
  for (let ordinal = 0; ordinal < looked; ordinal++) {
    const shape = shapeAt(shapes, ordinal)
    for (const path of (shape === null ? null : stepsOf(tree, shape))?.paths ?? []) paths.add(path)
  }
  return paths
}

/** Only fields that are taken whole, at any depth. */
function isPlain(tree: FieldsTree): boolean {
  for (const node of tree.values()) {
    if (node.kind === 'branch' ? !isPlain(node.children) : node.kind !== 'include') return false
  }
  return true
}

/** How records of a shape are written: JSON before the value of each path, and behind the last. */
interface ShapeSteps {
  readonly before: readonly Buffer[]
  readonly paths: readonly string[]
  readonly last: Buffer
}

/** More columns than this are not worth it: the document is read instead. */
const MOST_VALUES = 40

/** Steps that write records of a shape; null for what columns cannot tell. */
function stepsOf(tree: FieldsTree, shape: Shape): ShapeSteps | null {
  const writer = new StepWriter()
  return writer.object(tree, shape, []) ? writer.steps() : null
}

class StepWriter {
  readonly #before: Buffer[] = []
  readonly #paths: string[] = []
  #text = ''

  /** Writes the fields of an object that the tree names, or all of them. */
  object(tree: FieldsTree | null, shape: Shape, before: readonly string[]): boolean {
    this.#text += '{'
    let isFirst = true
    for (const field of shape) {
      const [name, inner] = typeof field === 'string' ? [field, null] : field
      const node = tree === null ? undefined : tree.get(name)
      if (tree !== null && node === undefined) continue
      const below = node?.kind === 'branch' ? node.children : null
      this.#text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`
      isFirst = false
      if (!this.#field(below, inner, [...before, name])) return false
    }
    this.#text += '}'
    return true
  }

  #field(below: FieldsTree | null, inner: Shape | null, parts: readonly string[]): boolean {
    if (inner !== null) return this.object(below, inner, parts)
    // Inside of what is no object there may be an array of objects: only its document tells.
    return below === null && this.#value(parts)
  }

  steps(): ShapeSteps {
    return { before: this.#before, paths: this.#paths, last: this.#taken() }
  }

  #value(parts: readonly string[]): boolean {
    const path = parts.join('.')
    const isNamed = parts.every((part) => part !== '' && !part.includes('.'))
    if (!isNamed || !hasColumn(parts, path) || this.#paths.length === MOST_VALUES) return false
    this.#before.push(this.#taken())
    this.#paths.push(path)
    return true
  }

  #taken(): Buffer {
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    return bytes
  }
}

/** Steps that write records of a segment, worked out once for each shape: they are the same for every question with these fields. */
export class ProjectionSteps {
  readonly #tree: FieldsTree
  /** By the ordinals of shapes. */
  readonly #known = new Map<number, ShapeSteps | null>()

  constructor(tree: FieldsTree) {
    this.#tree = tree
  }

  /** Null for a shape whose fields columns do not tell. */
  of(shapes: Column, ordinal: number): ShapeSteps | null {
    let steps = this.#known.get(ordinal)
    if (steps === undefined) {
      const shape = shapeAt(shapes, ordinal)
      steps = shape === null ? null : stepsOf(this.#tree, shape)
      this.#known.set(ordinal, steps)
    }
    return steps
  }
}

/** What is written of records of a shape: JSON before each value, the columns that have the values, and what comes last. */
interface ReadyShape {
  readonly before: readonly Buffer[]
  readonly columns: readonly Column[]
  readonly last: Buffer
}

/** Writes what a projection leaves of the records of a segment, from its columns alone. */
export class ColumnProjection {
  readonly #source: ColumnSource
  readonly #steps: ProjectionSteps
  readonly #shapes: Column | null
  readonly #columns = new Map<string, Column | null>()
  /** By the ordinals of shapes; null: columns do not tell. */
  readonly #ready = new Map<number, ReadyShape | null>()

  constructor(source: ColumnSource, steps: ProjectionSteps) {
    this.#source = source
    this.#steps = steps
    this.#shapes = source.column(SHAPE_PATH)
  }

  /** Writes the record of a row as JSON; false, and nothing, when its columns do not tell all of it. */
  write(row: number, out: JsonBytes): boolean {
    const shapes = this.#shapes
    if (shapes === null) return false
    const ordinal = shapes.ordinalAt(shapes.isDense ? row : (shapes.offsets[row] as number))
    const known = this.#ready.get(ordinal)
    const ready = known === undefined ? this.#getReady(shapes, ordinal) : known
    if (ready === null) return false
    const { before, columns, last } = ready
    const start = out.length
    for (let at = 0; at < columns.length; at++) {
      out.raw(before[at] as Buffer)
      if (writeValue(columns[at] as Column, row, out)) continue
      out.cutTo(start)
      return false
    }
    out.raw(last)
    return true
  }

  #getReady(shapes: Column, ordinal: number): ReadyShape | null {
    const steps = this.#steps.of(shapes, ordinal)
    const ready = steps === null ? null : this.#withColumns(steps)
    this.#ready.set(ordinal, ready)
    return ready
  }

  #withColumns({ before, paths, last }: ShapeSteps): ReadyShape | null {
    const columns = paths.map((path) => this.#column(path))
    return columns.every((column) => column !== null) ? { before, columns, last } : null
  }

  #column(path: string): Column | null {
    let column = this.#columns.get(path)
    if (column === undefined) {
      column = this.#source.column(path)
      this.#columns.set(path, column)
    }
    return column
  }
}

/** Writes the value of a row as JSON: a scalar, or an array of scalars. A value without a form in the column has none here. */
function writeValue(column: Column, row: number, out: JsonBytes): boolean {
  if (column.isDense && column.arrayCount === 0) return writeScalar(column, row, out)
  const first = column.offsets[row] as number
  const end = column.offsets[row + 1] as number
  if (column.arrayCount > 0 && column.isArray(row)) return !column.isOdd(row) && writeArray(column, [first, end], out)
  if (first === end || (column.oddCount > 0 && column.isOdd(row))) return false
  return writeScalar(column, first, out)
}

const OPEN = 0x5b
const CLOSE = 0x5d
const COMMA = 0x2c

function writeArray(column: Column, [first, end]: readonly [number, number], out: JsonBytes): boolean {
  out.byte(OPEN)
  for (let entry = first; entry < end; entry++) {
    if (entry > first) out.byte(COMMA)
    if (!writeScalar(column, entry, out)) return false
  }
  out.byte(CLOSE)
  return true
}

function writeScalar(column: Column, entry: number, out: JsonBytes): boolean {
  const ordinal = column.ordinalAt(entry)
  if (column.dictionary.writeText(ordinal, out)) return true
  const value = column.dictionary.valueAt(ordinal)
  if (typeof value === 'object' && value !== null) return false
  out.json(String(value))
  return true
}
