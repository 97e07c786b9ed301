import { isJsonObject, type Json, type JsonObject, setOwnField } from '../kernel/json.ts'
import { type ExpressionNode, pathsRead } from '../query/ast/expression.ts'
import type { ExprNode } from '../query/ast/filter.ts'
import { evaluate } from '../query/expressions/evaluate.ts'
import { chargingSteps } from '../query/expressions/language/environment.ts'
import { isTruthy } from '../query/expressions/language/read-value.ts'
import type { Column } from './column.ts'
import { type ColumnSource, hasColumn, rowsWithArrays, waysTo } from './evaluate-values.ts'
import {
  type Bits,
  between,
  hasBit,
  NO,
  noBits,
  PERHAPS,
  rowsOf,
  type Selection,
  setBit,
  type Verdict,
  verdictOf,
  YES,
} from './selection.ts'

/** Computes an expression for the rows of `among`: once for each value of a dictionary where it reads one path, else row by row. */
export function evaluateExpression(source: ColumnSource, node: ExprNode, among: Bits): Selection {
  const must = noBits(source.rows)
  const may = noBits(source.rows)
  const paths = pathsOfExpression(node.expression)
  const fields = paths?.map((parts) => fieldOf(source, parts)) ?? null
  const judge = fields === null ? () => PERHAPS : rowJudge(node, fields)
  const rows = rowsOf(among)
  source.spend(rows.length * EXPRESSION_STEPS)
  for (const row of rows) {
    const verdict = chargingExpressions(source, () => judge(row))
    if (verdict === NO) continue
    setBit(may, row)
    if (verdict === YES) setBit(must, row)
  }
  return between(must, may)
}

/** A step of an expression takes about as long as so many looks at a value. */
const STEPS_OF_A_STEP = 10

/** Charges the expressions that something runs, as looks at a value. */
export function chargingExpressions<Result>(to: Pick<ColumnSource, 'spend'>, run: () => Result): Result {
  return chargingSteps((steps) => to.spend(STEPS_OF_A_STEP * steps), run)
}

/** An expression takes about as long as so many looks at a value. */
const EXPRESSION_STEPS = 8

/** The paths that an expression reads; null when it may read anything, or a path has no column. */
function pathsOfExpression(expression: ExpressionNode): readonly (readonly string[])[] | null {
  const paths = pathsRead(expression)
  return paths?.every((parts) => hasColumn(parts, parts.join('.'))) ? paths : null
}

/** The columns that `evaluateExpression` looks at: those of the paths, and of what leads to them. */
export function columnsOfExpression({ expression }: ExprNode): readonly string[] {
  return (pathsOfExpression(expression) ?? []).flatMap(waysTo)
}

interface Field {
  readonly parts: readonly string[]
  readonly column: Column | null
  /** Rows that have arrays on the way: what is absent below them is no missing field. */
  readonly before: readonly Bits[]
}

function fieldOf(source: ColumnSource, parts: readonly string[]): Field {
  const before = parts.slice(1).flatMap((_, at) => {
    const column = source.column(parts.slice(0, at + 1).join('.'))
    const arrays = column === null ? null : rowsWithArrays(column)
    return arrays === null ? [] : [arrays]
  })
  return { parts, column: source.column(parts.join('.')), before }
}

/** Told from every value of a document. */
const UNKNOWN = Symbol('unknown')
const MISSING = Symbol('missing')

function rowJudge(node: ExprNode, fields: readonly Field[]): (row: number) => Verdict {
  const read = fields.map(reader)
  const [only] = fields
  const memory = fields.length === 1 ? new Map<Json | typeof MISSING, Verdict>() : null
  return (row) => {
    const values = read.map((one) => one(row))
    if (values.includes(UNKNOWN)) return PERHAPS
    const [first] = values as (Json | typeof MISSING)[]
    if (memory === null || only === undefined || first === undefined) return compute(node, fields, values)
    let verdict = memory.get(first)
    if (verdict === undefined) {
      verdict = compute(node, fields, values)
      memory.set(first, verdict)
    }
    return verdict
  }
}

function reader({ column, before }: Field): (row: number) => Json | typeof UNKNOWN | typeof MISSING {
  const absent = (row: number) => (before.some((bits) => hasBit(bits, row)) ? UNKNOWN : MISSING)
  if (column === null) return absent
  const { offsets, arrayBits, oddBits, arrayCount } = column
  return (row) => {
    const entry = offsets[row] as number
    if (entry === offsets[row + 1]) return arrayCount > 0 && hasBit(arrayBits, row) ? UNKNOWN : absent(row)
    if (arrayCount > 0 && (hasBit(arrayBits, row) || hasBit(oddBits, row))) return UNKNOWN
    const value = column.dictionary.valueAt(column.ordinalAt(entry))
    return typeof value === 'object' && value !== null ? UNKNOWN : value
  }
}

/** A failure is doubtful: another clause may exclude the document, which fails in its turn when read. */
function compute({ expression }: ExprNode, fields: readonly Field[], values: readonly unknown[]): Verdict {
  const document: Record<string, Json> = {}
  for (const [at, { parts }] of fields.entries()) {
    const value = values[at]
    if (value !== MISSING) setAt(document, parts, value as Json)
  }
  try {
    return verdictOf(isTruthy(evaluate(expression, document)))
  } catch {
    return PERHAPS
  }
}

function setAt(document: Record<string, Json>, parts: readonly string[], value: Json): void {
  let object = document
  for (const part of parts.slice(0, -1)) {
    const inner = Object.hasOwn(object, part) ? object[part] : undefined
    const next: JsonObject = isJsonObject(inner) ? inner : {}
    setOwnField(object, part, next)
    object = next as Record<string, Json>
  }
  setOwnField(object, parts.at(-1) ?? '', value)
}
