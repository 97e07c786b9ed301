import { requireCell } from '../cell.ts'
import type { ReadOptions } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { determinant, type Matrix3, type Vector3 } from '../linear-algebra.ts'
import { elementNamed } from './common/species.ts'
import {
  linesOf,
  readCount,
  readNumber,
  requireFewAtoms,
  requireNumber,
  requireVector,
  shorten,
  wordsOf,
} from './common/text.ts'

/** Successive atoms of one element, which is unknown in files of VASP 4. */
interface SpeciesBlock {
  /** As the file writes it: `Fe_pv`. */
  readonly symbol: string | undefined
  readonly element: string | undefined
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

/** One of the structures: a POSCAR, or a step of an XDATCAR, which has the header of an earlier one. */
export interface PoscarFrame {
  readonly header: PoscarHeader
  /** Index of the line after the header, or of the step's own. */
  readonly start: number
  readonly total: number
}

const STEP = /^\s*direct configuration\s*=/i

/** The structure that every file begins with, and those that follow its places. */
export function framesOf(lines: readonly string[], options: ReadOptions): PoscarFrame[] {
  const frames: PoscarFrame[] = []
  let header = readHeader(lines, 0)
  let start = header.next
  for (;;) {
    const total = header.blocks.reduce((sum, block) => sum + block.count, 0)
    requireFewAtoms(total, options, { line: header.next })
    if (total === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The counts add up to no atoms.', { line: header.next })
    frames.push({ header, start, total })
    let next = start + 1 + (/^\s*s/i.test(lines[start] ?? '') ? 1 : 0) + total
    while (next < lines.length && (lines[next] ?? '').trim() === '') next++
    // An empty line may be the title of the next.
    if ((lines[next - 1] ?? '').trim() === '' && isHeader(lines, next - 1)) next--
    if (!STEP.test(lines[next] ?? '')) {
      if (!isHeader(lines, next)) return frames
      header = readHeader(lines, next)
      next = header.next
    }
    start = next
  }
}

/** Index of the first line that is a frame's own: of its header, or of a step. */
export function beginOf({ header, start }: PoscarFrame): number {
  return start === header.next ? header.first : start
}

/** Tells the header of a further structure from velocities and what else may follow the places. */
function isHeader(lines: readonly string[], first: number): boolean {
  const rows = lines.slice(first, first + 8).map(wordsOf)
  const counts = rows.slice(5).some((words) => words.length > 0 && words.every((word) => readCount(word) !== undefined))
  return rows[1]?.length === 1 && counts && isPoscar(lines.slice(first, first + 5).join('\n'))
}

function readHeader(lines: readonly string[], first: number): PoscarHeader {
  const factorWords = leadingNumbers(wordsOf(lines[first + 1] ?? ''))
  const vectors = [2, 3, 4].map((index) =>
    requireVector(wordsOf(lines[first + index] ?? ''), 'A lattice vector', { line: first + index + 1 }),
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
  const symbols: { text: string; line: number }[] = []
  let next = first
  while (next < lines.length && readCount(wordsOf(lines[next] ?? '')[0]) === undefined) {
    const words = wordsOf(lines[next] ?? '')
    if (words.length === 0 || next > first + 20) break
    symbols.push(...words.filter((word) => !word.startsWith('!')).map((word) => ({ text: word, line: next + 1 })))
    next++
  }
  const counts: number[] = []
  while (next < lines.length) {
    const words = wordsOf(lines[next] ?? '')
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
    symbol: symbols[index]?.text,
    element: symbolElement(symbols[index]),
    count,
  }))
  return { blocks, next }
}

/** `Fe`, `Fe_pv`, `Fe_sv/9f3a`, `Fe/9f3a`: the element before the name of the potential. */
function symbolElement(symbol: { text: string; line: number } | undefined): string | undefined {
  if (symbol === undefined) return undefined
  const element = elementNamed(symbol.text.split(/[_/.]/)[0] ?? '')
  if (element !== undefined) return element
  const message = `"${shorten(symbol.text)}" is no chemical element.`
  const hint = 'Line 6 lists the symbols of the elements.'
  throw refusal(FORMAT_ERRORS.unknownSpecies, message, { line: symbol.line, hint })
}

/** Tells by its first lines whether a text may be a POSCAR: a title, a scale, three vectors. */
export function isPoscar(text: string): boolean {
  const lines = linesOf(text.slice(0, 4000)).slice(0, 5).map(wordsOf)
  if (lines.length < 5 || readNumber(lines[1]?.[0]) === undefined) return false
  return lines
    .slice(2, 5)
    .every((words) => words.length >= 3 && words.slice(0, 3).every((w) => readNumber(w) !== undefined))
}
