import type { Vector3 } from '../../../structure/linear-algebra.ts'

/** What a reader of several lines makes of one: there may be more, it was the last, or it is none of them. */
export type Taken = 'more' | 'last' | 'other'

/** Reads lines that belong together, without the spaces around them. */
export type PwBlock = (text: string) => Taken

/** Rows of tables are shorter; pw.x writes no line of more than 132 characters. */
const LONGEST_ROW = 200

const DECIMAL = /[-+]?\d+\.\d+(?:[eEdD][-+]?\d+)?/g

/** Decimal numbers of a row, also where they have no space between them; null where one was too large for its column. */
export function decimalsIn(text: string): readonly number[] | null {
  if (text.length > LONGEST_ROW || text.includes('*')) return null
  const numbers = (text.match(DECIMAL) ?? []).map((number) => Number(number.replace(/[dD]/, 'e')))
  return numbers.every(Number.isFinite) ? numbers : null
}

export function threeIn(text: string): Vector3 | null {
  const [x, y, z] = decimalsIn(text) ?? []
  return x === undefined || y === undefined || z === undefined ? null : [x, y, z]
}

/** The only, or the last of the numbers behind the first `=`, `<` or `:` of a line. */
export function numberAfter(text: string): number | undefined {
  return decimalsIn(text.slice(text.search(/[=<:]/) + 1))?.[0]
}

/** Reads so many rows, of which the first may follow blank lines; gives them when all are there. */
export function rows<Row>(
  count: number,
  read: (text: string) => Row | null,
  done: (rows: readonly Row[]) => void,
): PwBlock {
  const found: Row[] = []
  return (text) => {
    if (text === '' && found.length === 0) return 'more'
    const row = read(text)
    if (row === null) return 'other'
    found.push(row)
    if (found.length < count) return 'more'
    done(found)
    return 'last'
  }
}

/** Reads the next line that is not blank. */
export function nextLine(done: (text: string) => void): PwBlock {
  return (text) => {
    if (text === '') return 'more'
    done(text)
    return 'last'
  }
}
