import { requireCell } from '../cell.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { determinant, type Matrix3, type Vector3 } from '../linear-algebra.ts'
import { linesOf, readCount, readNumber, requireNumber, requireVector, wordsOf } from './common/text.ts'

/** Successive atoms of one element. */
interface SpeciesBlock {
  /** As the file writes it: `Fe_pv`; unknown in files of VASP 4. */
  readonly symbol: string | undefined
  readonly count: number
}

/** Header, before the places. */
export interface PoscarHeader {
  readonly title: string
  /** Index of the title's line. */
  readonly first: number
  readonly lattice: Matrix3
  /** Factors of Cartesian coordinates, per axis. */
  readonly factors: Vector3
  readonly blocks: readonly SpeciesBlock[]
  /** Index of the line after the counts. */
  readonly next: number
}

/** The number of atoms that a header announces. */
export function atomsOf({ blocks }: PoscarHeader): number {
  return blocks.reduce((sum, { count }) => sum + count, 0)
}

/** Index of the first coordinates behind a header, or the first line of a step. */
export function placesBehind(lines: readonly string[], start: number): number {
  return start + 1 + (/^\s*s/i.test(lines[start] ?? '') ? 1 : 0)
}

/** Tells by the numbers of its points that volumetric data follows: charge density, potential. */
export function isGrid(line: string | undefined): boolean {
  const counts = wordsOf(line ?? '').map(readCount)
  return counts.length === 3 && counts.every((count) => (count ?? 0) > 1)
}

/** Tells the header of a further structure from velocities, the block of a predictor and what else may follow the places: none of these has a word. */
export function isHeader(lines: readonly string[], first: number): boolean {
  if (dataWords(lines[first + 1]).length !== 1 || !isPoscar(lines.slice(first, first + 5).join('\n'))) return false
  const isCounts = (index: number): boolean => readCount(dataWords(lines[index])[0]) !== undefined
  let next = first + 5
  while (next < first + MOST_LINES_OF_SYMBOLS && /^\s*[a-z]/i.test(lines[next] ?? '')) next++
  if (!isCounts(next)) return false
  while (isCounts(next)) next++
  return /^\s*[a-z]/i.test(lines[next] ?? '')
}

const MOST_LINES_OF_SYMBOLS = 25

/** The words of a line before a comment. */
export function dataWords(line: string | undefined): string[] {
  return wordsOf((line ?? '').replace(/[!#].*$/, ''))
}

export function readHeader(lines: readonly string[], first: number): PoscarHeader {
  const factorWords = leadingNumbers(dataWords(lines[first + 1]))
  const vectors = [2, 3, 4].map((index) =>
    requireVector(dataWords(lines[first + index]), 'A lattice vector', { line: first + index + 1 }),
  ) as unknown as Matrix3
  const factors = readFactors(factorWords, vectors, first)
  const lattice = requireCell(
    vectors.map((row) => row.map((x, axis) => x * (factors[axis] as number))) as unknown as Matrix3,
    { line: first + 3 },
  )
  return { title: (lines[first] ?? '').trim(), first, lattice, factors, ...readBlocks(lines, first + 5) }
}

function leadingNumbers(words: readonly string[]): string[] {
  const end = words.findIndex((word) => readNumber(word) === undefined)
  return words.slice(0, end === -1 ? words.length : end)
}

/** One factor for all axes, three for one each, or a negative one: the volume that the cell shall have. */
function readFactors(words: readonly string[], vectors: Matrix3, first: number): Vector3 {
  const place = { line: first + 2, hint: 'Give one scale factor, a negative volume, or three positive factors.' }
  const factors = words.map((word) => requireNumber(word, 'The scale factor', place))
  if (factors.length === 3) {
    if (factors.every((factor) => factor > 0)) return factors as unknown as Vector3
    throw refusal(FORMAT_ERRORS.malformed, 'Three scale factors must all be positive.', place)
  }
  const factor = factors[0]
  if (factors.length !== 1 || factor === undefined || factor === 0) {
    throw refusal(FORMAT_ERRORS.malformed, `The scale line has ${factors.length} factors.`, place)
  }
  const volume = Math.abs(determinant(requireCell(vectors, { line: first + 3 })))
  const each = factor > 0 ? factor : Math.cbrt(-factor / volume)
  return [each, each, each]
}

/** Symbols and counts, each of which may run over several lines. */
function readBlocks(lines: readonly string[], first: number): Pick<PoscarHeader, 'blocks' | 'next'> {
  const symbols: string[] = []
  let next = first
  while (next < lines.length && readCount(dataWords(lines[next])[0]) === undefined) {
    const words = dataWords(lines[next])
    if (words.length === 0 || next > first + 20) break
    symbols.push(...words)
    next++
  }
  const counts: number[] = []
  while (next < lines.length) {
    const words = dataWords(lines[next])
    if (!words.every((word) => readCount(word) !== undefined) || words.length === 0) break
    counts.push(...words.map((word) => Number(word)))
    next++
    if (symbols.length > 0 && counts.length >= symbols.length) break
  }
  const place = { line: next + (counts.length === 0 ? 1 : 0) }
  if (counts.length === 0)
    throw refusal(FORMAT_ERRORS.malformed, 'The line with the numbers of atoms is missing.', place)
  if (symbols.length > 0 && symbols.length !== counts.length) {
    const message = `${symbols.length} species but ${counts.length} numbers of atoms.`
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { ...place, hint: 'Give one number for each species.' })
  }
  const blocks = counts.map((count, index) => ({
    symbol: symbols[index],
    count,
  }))
  return { blocks, next }
}

/** Tells by its first lines whether a text may be a POSCAR: a title, a scale, three vectors. */
export function isPoscar(text: string): boolean {
  const lines = linesOf(text.slice(0, 4000)).slice(0, 5).map(dataWords)
  if (lines.length < 5 || readNumber(lines[1]?.[0]) === undefined) return false
  return lines
    .slice(2, 5)
    .every((words) => words.length >= 3 && words.slice(0, 3).every((w) => readNumber(w) !== undefined))
}
