import type { FieldsNode, FieldsTree } from '../query/ast/fields.ts'
import type { Column } from './column.ts'
import { type ColumnSource, hasColumn } from './evaluate-values.ts'
import { SHAPE_PATH, type Shape, type ShapeTable } from './shapes.ts'

/** The paths whose columns a projection needs beside the shapes; null when it can only be made from documents. */
export function columnsOfFields(
  { mode, tree, positional }: FieldsNode,
  shapes: Iterable<Shape>,
): ReadonlySet<string> | null {
  if (mode === 'exclusion' || positional !== null || !isPlain(tree)) return null
  const paths = new Set<string>([SHAPE_PATH])
  for (const shape of shapes) {
    const steps = stepsOf(tree, shape)
    if (steps === null) return null
    for (const step of steps) if (step.kind === 'value') paths.add(step.path)
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

/** One step of writing a record: text, or the value of a column. */
type Step = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'value'; readonly path: string }

/** More columns than this are not worth it: the document is read instead. */
const MOST_VALUES = 40

/** What is written of records of a shape; null for what columns cannot tell. */
function stepsOf(tree: FieldsTree, shape: Shape): readonly Step[] | null {
  const writer = new StepWriter()
  return writer.object(tree, shape, []) ? writer.steps() : null
}

class StepWriter {
  readonly #steps: Step[] = []
  #text = ''
  #values = 0

  /** Writes the fields of an object that the tree names, or all of them. */
  object(tree: FieldsTree | null, shape: Shape, before: readonly string[]): boolean {
    this.#text += '{'
    let isFirst = true
    for (const field of shape) {
      const [name, inner] = typeof field === 'string' ? [field, null] : field
      const node = tree === null ? undefined : tree.get(name)
      if (tree !== null && node === undefined) continue
      const below = tree === null || node?.kind !== 'branch' ? null : node.children
      // Inside of what is no object there may be an array of objects: only its document tells.
      if (inner === null && below !== null) return false
      this.#text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`
      isFirst = false
      if (!(inner === null ? this.#value([...before, name]) : this.object(below, inner, [...before, name])))
        return false
    }
    this.#text += '}'
    return true
  }

  steps(): readonly Step[] {
    this.#flush()
    return this.#steps
  }

  #value(parts: readonly string[]): boolean {
    const path = parts.join('.')
    const isNamed = parts.every((part) => part !== '' && !part.includes('.'))
    this.#values += 1
    if (!isNamed || !hasColumn(parts, path) || this.#values > MOST_VALUES) return false
    this.#flush()
    this.#steps.push({ kind: 'value', path })
    return true
  }

  #flush(): void {
    if (this.#text !== '') this.#steps.push({ kind: 'text', text: this.#text })
    this.#text = ''
  }
}

type Piece = string | ((row: number) => string | null)

/** Writes what a projection leaves of the records of a segment, from its columns alone. */
export class ColumnProjection {
  readonly #source: ColumnSource
  readonly #tree: FieldsTree
  readonly #shapes: ShapeTable
  readonly #programs = new Map<number, readonly Piece[] | null>()

  constructor(source: ColumnSource, tree: FieldsTree, shapes: ShapeTable) {
    this.#source = source
    this.#tree = tree
    this.#shapes = shapes
  }

  /** The record of a row as JSON text; null when its columns do not tell all of it. */
  write(row: number): string | null {
    const shapes = this.#source.column(SHAPE_PATH)
    const number = shapes?.valueAt(shapes.ordinalAt(shapes.offsets[row] as number))
    const program = typeof number === 'number' ? this.#programOf(number) : null
    if (program === null) return null
    let text = ''
    for (const piece of program) {
      const part = typeof piece === 'string' ? piece : piece(row)
      if (part === null) return null
      text += part
    }
    return text
  }

  #programOf(number: number): readonly Piece[] | null {
    let program = this.#programs.get(number)
    if (program === undefined) {
      const shape = this.#shapes.get(number)
      const steps = shape === undefined ? null : stepsOf(this.#tree, JSON.parse(shape) as Shape)
      program =
        steps?.map((step) => (step.kind === 'text' ? step.text : valueWriter(this.#source.column(step.path)))) ?? null
      this.#programs.set(number, program)
    }
    return program
  }
}

/** Writes the value of a row as JSON: a scalar, or an array of scalars. */
function valueWriter(column: Column | null): (row: number) => string | null {
  // A value without a form in the column, which its shape says is there.
  if (column === null) return () => null
  const { offsets, oddCount, arrayCount } = column
  return (row) => {
    const first = offsets[row] as number
    const end = offsets[row + 1] as number
    if (arrayCount > 0 && column.isArray(row)) return column.isOdd(row) ? null : arrayText(column, first, end)
    if (first === end || (oddCount > 0 && column.isOdd(row))) return null
    return scalarText(column, first)
  }
}

function arrayText(column: Column, first: number, end: number): string | null {
  let text = '['
  for (let entry = first; entry < end; entry++) {
    const element = scalarText(column, entry)
    if (element === null) return null
    text += entry === first ? element : `,${element}`
  }
  return `${text}]`
}

function scalarText(column: Column, entry: number): string | null {
  const value = column.valueAt(column.ordinalAt(entry))
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'object':
      return value === null ? 'null' : null
    default:
      return String(value)
  }
}
