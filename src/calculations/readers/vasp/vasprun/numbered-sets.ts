import { type ElementReader, type Tag, textOf } from './xml-elements.ts'
import { numbersOf } from './xml-values.ts'

/** Row of numbers in sets within each other: the numbers of the sets from 0, from the outermost, and that of the row. */
export interface SetRow {
  readonly sets: readonly number[]
  readonly row: number
  /** Null where one of them is no number. */
  readonly numbers: readonly number[] | null
}

/** What is done with the rows of an array. */
export interface RowReader {
  /** Takes in that a set of rows begins. */
  begin?(sets: readonly number[]): void
  take(row: SetRow): void
}

/** Words of the fields of an array, and its rows, which stand in so many sets within each other. */
export function arrayOf(
  depth: number,
  rows: (fields: readonly string[]) => RowReader,
  unused: (tag: Tag) => ElementReader,
): ElementReader {
  const fields: string[] = []
  return {
    within: (tag) => {
      if (tag.name === 'field') return textOf((text) => fields.push(text.trim()), unused)
      if (tag.name === 'dimension') return textOf(() => {}, unused)
      return tag.name === 'set' ? setOf(depth, [], rows(fields), unused) : unused(tag)
    },
    end: () => {},
  }
}

/** Set whose rows stand in so many sets within; these are counted in their order. */
function setOf(
  depth: number,
  sets: readonly number[],
  rows: RowReader,
  unused: (tag: Tag) => ElementReader,
): ElementReader {
  let count = 0
  if (depth === 0) rows.begin?.(sets)
  return {
    within: (tag) => {
      if (depth > 0) return tag.name === 'set' ? setOf(depth - 1, [...sets, count++], rows, unused) : unused(tag)
      if (tag.name !== 'r') return unused(tag)
      return textOf((text) => rows.take({ sets, row: count++, numbers: numbersOf(text) }), unused)
    },
    end: () => {},
  }
}
