import type { Json, JsonObject } from '../../../kernel/json.ts'
import { readCount, readNumber, shorten, wordsOf } from '../../../structure/formats/common/text.ts'
import { readPieces } from '../../output-lines.ts'

const MOST_POINTS = 10_000
const LONGEST_LINE = 300

/** Reads a KPOINTS: a grid, lines between points, or a list. What is not said is left out; of a file of none of these the lines stay. */
export function readKpoints(pieces: Iterable<string>): JsonObject {
  const lines: string[] = []
  readPieces(pieces, (line) => {
    if (lines.length < MOST_POINTS) lines.push(line.slice(0, LONGEST_LINE))
  })
  const [comment = '', count = '', mode = '', ...rest] = lines
  const base = comment.trim() === '' ? {} : { comment: comment.trim() }
  const number = readCount(wordsOf(count)[0])
  const letter = mode.trim().charAt(0).toLowerCase()
  if (number === undefined) return { ...base, lines: [count, mode, ...rest].map((line) => line.trimEnd()) }
  if (letter === 'l') return { ...base, ...linesOf(number, rest) }
  if (number === 0) return { ...base, ...gridOf(letter, mode.trim(), rest) }
  return { ...base, ...listOf(letter, rest.slice(0, number)) }
}

const GRIDS: Readonly<Record<string, string>> = { g: 'gamma', m: 'monkhorst-pack', a: 'automatic' }

function gridOf(
  letter: string,
  mode: string,
  [first = '', second = '', third = '', fourth = '']: readonly string[],
): JsonObject {
  const name = GRIDS[letter]
  if (name === undefined) return { mode: shorten(mode), vectors: [first, second, third, fourth].map(numbersOf) }
  const numbers = numbersOf(first)
  if (letter === 'a') return { mode: name, length: numbers[0] ?? null }
  const shift = numbersOf(second)
  return { mode: name, divisions: numbers, ...(shift.length === 3 ? { shift } : {}) }
}

/** Lines between points, which follow in pairs; a blank line stands between pairs. */
function linesOf(divisions: number, [way = '', ...rows]: readonly string[]): JsonObject {
  const points: Json[] = []
  const labels: Json[] = []
  for (const row of rows) {
    const point = numbersOf(row)
    if (point.length < 3) continue
    points.push(point.slice(0, 3))
    labels.push(labelOf(row))
  }
  const named = labels.some((label) => label !== null) ? { labels } : {}
  return { mode: 'line', divisions, coordinates: coordinatesOf(way.trim().charAt(0).toLowerCase()), points, ...named }
}

function listOf(letter: string, rows: readonly string[]): JsonObject {
  const numbers = rows.map(numbersOf).filter((row) => row.length >= 3)
  return {
    mode: 'list',
    coordinates: coordinatesOf(letter),
    points: numbers.map((row) => row.slice(0, 3)),
    weights: numbers.map((row) => row[3] ?? null),
  }
}

/** VASP looks at the first letter: C, c, K or k is Cartesian, anything else is of reciprocal lattice vectors. */
function coordinatesOf(letter: string): string {
  return letter === 'c' || letter === 'k' ? 'cartesian' : 'reciprocal'
}

/** Numbers at the beginning of a line. */
function numbersOf(line: string): readonly number[] {
  const numbers: number[] = []
  for (const word of wordsOf(line)) {
    const value = readNumber(word)
    if (value === undefined) break
    numbers.push(value)
  }
  return numbers
}

/** Name behind a point: `0.5 0.0 0.5 ! X`, `0.5 0.0 0.5 1 X`. */
function labelOf(row: string): string | null {
  const words = wordsOf(row.replace(/[!#]/g, ' ')).slice(3)
  const label = words.filter((word) => readNumber(word) === undefined).join(' ')
  return label === '' ? null : label
}
