import type { Column } from './column.ts'

/** Counts the rows in which two columns of one path differ, as far as both tell; row `at` of the second is row `rows[at]` of the first. */
export function countDifferences(
  first: Column | null,
  second: Column | null,
  rows: Uint16Array,
  isTold: (row: number, at: number) => boolean,
): number {
  const [a, b] = [first === null ? null : new ColumnRows(first), second === null ? null : new ColumnRows(second)]
  let different = 0
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    if (!isSame(a, row, b, at) && isTold(row, at)) different += 1
  }
  return different
}

function isSame(a: ColumnRows | null, rowOfA: number, b: ColumnRows | null, rowOfB: number): boolean {
  const isPresent = a?.column.isPresent(rowOfA) ?? false
  if (isPresent !== (b?.column.isPresent(rowOfB) ?? false)) return false
  if (!isPresent || a === null || b === null) return true
  const [one, other] = [a.valuesAt(rowOfA), b.valuesAt(rowOfB)]
  if (a.column.isOdd(rowOfA) || b.column.isOdd(rowOfB)) {
    const [left, right] = [new Set(one), new Set(other)]
    return left.size === right.size && [...left].every((value) => right.has(value))
  }
  const isArray = a.column.isArray(rowOfA)
  if (isArray !== b.column.isArray(rowOfB) || (isArray && a.column.depth !== b.column.depth)) return false
  return one.length === other.length && one.every((value, at) => value === other[at])
}

/** The rows of a column with their values as texts, each of which is made once. */
class ColumnRows {
  readonly column: Column
  readonly #texts: string[] = []

  constructor(column: Column) {
    this.column = column
  }

  valuesAt(row: number): readonly string[] {
    const { offsets } = this.column
    const values: string[] = []
    for (let entry = offsets[row] as number; entry < (offsets[row + 1] as number); entry++) {
      values.push(this.#textOf(this.column.ordinalAt(entry)))
    }
    return values
  }

  #textOf(ordinal: number): string {
    this.#texts[ordinal] ??= this.#write(ordinal)
    return this.#texts[ordinal]
  }

  /** Writes a cut text as far as it goes. */
  #write(ordinal: number): string {
    const [from, to] = this.column.dictionary.ordinalsOf('string')
    const isText = ordinal >= from && ordinal < to
    return isText
      ? `"${this.column.dictionary.textAt(ordinal - from)}`
      : JSON.stringify(this.column.dictionary.valueAt(ordinal))
  }
}
