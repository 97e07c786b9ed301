import { type Crystal, PERIODIC, type ReadOptions, type StructureLimits } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { ANGSTROM_PER_BOHR } from '../lattice.ts'
import { scale, type Vector3 } from '../linear-algebra.ts'
import { crystalOf, type FileAtom } from './common/file-atoms.ts'
import type { StructureFormat } from './common/format.ts'
import { SpeciesNames } from './common/species-names.ts'
import { type FileFrame, GatheredText, type LineReader, LineSplitter, NO_FRAMES } from './common/splitter.ts'
import { linesOf, readNumber, requireFewAtoms, requireNumber, requireVector, wordsOf } from './common/text.ts'

/** Lines of a header before the atoms: two of text, atoms and origin, three of the grid. */
const HEADER_LINES = 6

/** The structure of a cube file of Gaussian; values on the grid are not read. */
export const cubeFormat: StructureFormat = {
  name: 'cube',
  title: 'Gaussian cube',
  extensions: ['cube', 'cub'],
  recognizes: isCube,
  splitter: (limits) => new LineSplitter(limits, new CubeHeader(limits)),
  parse: parseCube,
}

/** A whole number and three others on each of the lines of atoms and grid, then an atom of five. */
function isCube(text: string): boolean {
  const lines = linesOf(text.slice(0, 4000))
    .slice(2, HEADER_LINES + 1)
    .map(wordsOf)
  const [counts, atom] = [lines.slice(0, 4), lines[4]]
  const isNumbers = (words: readonly string[]): boolean => words.every((word) => readNumber(word) !== undefined)
  if (atom === undefined || atom.length !== 5 || !isNumbers(atom)) return false
  return counts.every(
    (words, index) =>
      (words.length === 4 || (index === 0 && words.length === 5)) && /^-?\d+$/.test(words[0] ?? '') && isNumbers(words),
  )
}

/** Takes the lines up to the last atom; what follows is not looked at. */
class CubeHeader implements LineReader {
  isOver = false
  readonly #text: GatheredText
  #lines = HEADER_LINES

  constructor(limits: StructureLimits) {
    this.#text = new GatheredText(limits)
  }

  line(text: string, number: number): readonly FileFrame[] {
    if (number === 3) this.#lines += Math.abs(Math.trunc(readNumber(wordsOf(text)[0]) ?? 0))
    this.#text.add(`${text}\n`)
    this.isOver = number >= HEADER_LINES && number === this.#lines
    return this.isOver ? [this.#text.take()] : NO_FRAMES
  }

  finish(): readonly FileFrame[] {
    return [this.#text.take()]
  }
}

function parseCube(text: string, options: ReadOptions): Crystal {
  const [title = '', subtitle = '', ...lines] = linesOf(text)
  const rows = lines.map(wordsOf)
  const count = Math.abs(wholeNumber(rows[0], 3))
  requireFewAtoms(count, options, { line: 3 })
  const points = [1, 2, 3].map((row) => wholeNumber(rows[row], row + 3))
  const unit = points.some((number) => number < 0) ? 1 : ANGSTROM_PER_BOHR
  const vectors = points.map((number, axis) => {
    const step = requireVector(rows[axis + 1]?.slice(1) ?? [], 'A vector of the grid', { line: axis + 4 })
    return scale(step, Math.abs(number) * unit)
  })
  const names = new SpeciesNames('An atom is its atomic number, its charge and three coordinates.')
  const atoms = Array.from({ length: count }, (_, index): FileAtom => {
    const line = index + HEADER_LINES + 1
    const words = rows[index + 4] ?? []
    if (words.length === 0) {
      throw refusal(FORMAT_ERRORS.inconsistentCounts, `${count} atoms announced, ${index} found.`, { line })
    }
    const place: Vector3 = scale(requireVector(words.slice(2), 'A place', { line }), unit)
    return { species: names.ofNumber(wholeNumber(words, line), { line }), place, isFraction: false, line }
  })
  const warnings = [
    { code: 'cell-of-grid', message: 'The cell is the one that the grid fills: a cube file has no other.', line: 4 },
  ]
  const values = { subtitle: subtitle.trim() }
  const leftOut = [`values on a grid (${points.map(Math.abs).join(' × ')})`]
  return crystalOf(
    { title: title.trim(), vectors, periodic: PERIODIC, atoms, names, warnings, rest: { values, leftOut } },
    options,
  )
}

function wholeNumber(words: readonly string[] | undefined, line: number): number {
  const number = requireNumber(words?.[0], 'The number at the beginning', { line })
  if (Number.isInteger(number)) return number
  throw refusal(FORMAT_ERRORS.malformed, `The line begins with ${number}, which is no whole number.`, { line })
}
