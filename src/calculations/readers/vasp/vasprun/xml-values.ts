import type { Json } from '../../../../kernel/json.ts'
import { readNumber, wordsOf } from '../../../../structure/formats/common/text.ts'
import { type Matrix3, mapVector, type Vector3 } from '../../../../structure/linear-algebra.ts'
import type { Tag } from './xml-elements.ts'

/** Reads what an element `i` (one value) or another (`v`: several) says, by the type that it declares; what is no such value stays text. */
export function valueIn({ name, attributes: { type } }: Tag, text: string): Json {
  if (type === 'string') return text.trim()
  const words = wordsOf(text).map((word) => typedWord(word, type))
  if (name === 'v') return words
  return words.length > 1 ? words : (words[0] ?? '')
}

function typedWord(word: string, type: string | undefined): Json {
  if (type === 'logical') return /^\.?t/i.test(word) ? true : /^\.?f/i.test(word) ? false : word
  return readNumber(word) ?? word
}

/** Reads numbers with spaces between them; null where one of them is none, as `********` is. */
export function numbersOf(text: string): readonly number[] | null {
  const numbers: number[] = []
  for (const word of wordsOf(text)) {
    const value = readNumber(word)
    if (value === undefined) return null
    numbers.push(value + 0)
  }
  return numbers
}

/** Takes three numbers as a vector; null where there are not three. */
export function vectorOf(numbers: readonly number[] | null): Vector3 | null {
  if (numbers === null || numbers.length !== 3) return null
  return mapVector([0, 1, 2], (axis) => numbers[axis] as number)
}

/** Takes three vectors as the rows of a matrix; null where there are not three. */
export function matrixOf(rows: readonly (Vector3 | null)[]): Matrix3 | null {
  const [a, b, c] = rows
  return rows.length === 3 && a && b && c ? [a, b, c] : null
}
