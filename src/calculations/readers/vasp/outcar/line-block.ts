import { readNumber, wordsOf } from '../../../../structure/formats/common/text.ts'
import type { Vector3 } from '../../../../structure/linear-algebra.ts'

/** Lines that belong together, and follow a line that announces them. */
export interface LineBlock {
  /** Takes the next line; false where it is no part of the block, which has its end before it. */
  take(line: string): boolean
}

/** Numbers of a line, with those that Fortran wrote without a space between them taken apart; null where a word is none. */
export function numbersIn(line: string): readonly number[] | null {
  const numbers: number[] = []
  for (const word of wordsOf(line.replace(/(\d)-(?=[\d.])/g, '$1 -'))) {
    const value = readNumber(word)
    if (value === undefined) return null
    numbers.push(value + 0)
  }
  return numbers
}

/** Tells a line that only rules off, or says nothing. */
export function isRule(line: string): boolean {
  return /^[\s\-=]*$/.test(line)
}

/** Rows of numbers behind a title: lines that rule off may stand before them; the first line behind that has not so many numbers ends them. */
export function rowsOf(
  { width, most, titles = 0 }: { readonly width: number; readonly most: number; readonly titles?: number },
  take: (rows: readonly (readonly number[])[]) => void,
): LineBlock {
  const rows: (readonly number[])[] = []
  let passed = 0
  return {
    take: (line) => {
      const numbers = isRule(line) ? null : numbersIn(line)
      if (numbers !== null && numbers.length >= width && rows.length <= most) {
        rows.push(numbers)
        return true
      }
      if (rows.length === 0 && (isRule(line) || passed++ < titles)) return true
      take(rows)
      return false
    },
  }
}

/** Three numbers of a row, from a column on. */
export function vectorFrom(row: readonly number[], column: number): Vector3 {
  return [row[column] ?? 0, row[column + 1] ?? 0, row[column + 2] ?? 0]
}
