import { fractionsOf, vectorsAlongX } from '../../cell.ts'
import { type Crystal, PERIODIC, type ReadOptions, type StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { type Matrix3, scale, type Vector3 } from '../../linear-algebra.ts'
import type { CifAtom } from '../cif/atoms.ts'
import { checkCloseImages, expandAtoms, occupySites } from '../cif/expand.ts'
import { warningsOfMoved } from '../cif/special-positions.ts'
import { evaluateArithmetic } from '../common/arithmetic.ts'
import { cellOfVectors, crystalOf, type FileAtom } from '../common/file-atoms.ts'
import type { StructureFormat } from '../common/format.ts'
import { angstromPer } from '../common/length-units.ts'
import { withSpeciesTags } from '../common/species-labels.ts'
import { SpeciesNames } from '../common/species-names.ts'
import { LineSplitter } from '../common/splitter.ts'
import { readCount, readNumber, requireAtoms, requireFewAtoms, requireVector, shorten } from '../common/text.ts'
import { UnusedLines } from '../common/unused-lines.ts'
import { type GulpLine, type GulpOption, type GulpRow, GulpStructures, linesOfGulp, optionOf, rowOf } from './input.ts'
import { operatorsOf } from './symmetry.ts'

/** Inputs and restart files of GULP. */
export const gulpFormat: StructureFormat = {
  name: 'gulp',
  title: 'GULP input',
  extensions: ['gin', 'grs', 'gulp'],
  recognizes: (text) => (CELL.test(text) && COORDINATES.test(text)) || CORES.test(text),
  splitter: (limits) => new LineSplitter(limits, new GulpStructures(limits)),
  parse: parseGulp,
}

const CELL = /^[ \t]*(?:cell|vect(?:ors?)?)(?:[ \t]+\w+)?[ \t]*\n[ \t]*-?[\d.]+[ \t]+-?[\d.]+[ \t]+-?[\d.]/im
const COORDINATES = /^[ \t]*(?:frac|cart)[a-z]*(?:[ \t][^\n]*)?$/im
const CORES = /^[ \t]*(?:frac|cart)[a-z]*(?:[ \t][^\n]*)?\n[ \t]*\w+[ \t]+(?:core|shel)[ \t]+[-+.\d]/im

/** How many vectors an option lists. */
const VECTORS = { vectors: 3, svectors: 2, pvectors: 1 } as const
const ZEROS: readonly string[] = ['0', '0', '0']

interface GulpAtom extends FileAtom {
  readonly label: string
  readonly occupancy: number
}

class GulpReader {
  readonly names = new SpeciesNames('A line of an atom begins with its symbol: Si1 core 0 0 0.')
  readonly unused = new UnusedLines()
  readonly atoms: GulpAtom[] = []
  readonly warnings: StructureWarning[] = []
  /** In Å: those along which it repeats, none of a cluster. */
  vectors: readonly Vector3[] = []
  group: GulpLine | undefined
  origin: GulpLine | undefined
  title = ''
  readonly #lines: readonly GulpLine[]
  #next = 0

  constructor(lines: readonly GulpLine[]) {
    this.#lines = lines
  }

  read(): void {
    const [first] = this.#lines
    if (first !== undefined && optionOf(first.words) === undefined) {
      this.unused.add('keywords', first.words.join(' '))
      this.#next = 1
    }
    for (let line = this.#take(); line !== undefined; line = this.#take()) this.#option(optionOf(line.words), line)
  }

  #take(): GulpLine | undefined {
    return this.#lines[this.#next++]
  }

  #option(option: GulpOption | undefined, line: GulpLine): void {
    const [, ...values] = line.words
    if (option === undefined) this.unused.add('options', line.words.join(' '))
    else if (option === 'cell') this.#cell(unitOf(line), line)
    else if (option === 'scell' || option === 'pcell') this.#layer(unitOf(line), line, option === 'pcell')
    else if (option in VECTORS) this.#vectors(unitOf(line), VECTORS[option as keyof typeof VECTORS])
    else if (/fractional|cartesian/.test(option)) this.#coordinates(line, option !== 'cartesian')
    else if (option === 'spacegroup') this.group = this.#behind(line)
    else if (option === 'origin') this.origin = this.#behind(line)
    else if (option === 'name') this.title = values.join(' ')
    else if (option === 'title') this.#titles(readCount(values[0]))
    else if (option === 'supercell') this.#supercell(values, line)
    else {
      const hint = 'Send the structure as a CIF, which GULP writes (output cif), or list all atoms of a cell.'
      throw refusal(FORMAT_ERRORS.notRepresentable, `${option} is not read.`, { line: line.line, hint })
    }
  }

  /** What stands behind an option: on its line, or on the next one. */
  #behind({ words, line }: GulpLine): GulpLine {
    return words.length > 1 ? { words: words.slice(1), line } : (this.#take() ?? { words: [], line })
  }

  #supercell(values: readonly string[], { line }: GulpLine): void {
    const message = 'supercell is not applied: the crystal is that of the cell that is given.'
    this.warnings.push({ code: 'supercell-not-applied', message, line })
    this.unused.add('supercell', values.join(' '))
  }

  #cell(unit: number, { line: begin }: GulpLine): void {
    const { words, line } = this.#take() ?? { words: [], line: begin }
    const [a, b, c] = scale(requireVector(words, 'The cell', { line }), unit)
    const [alpha, beta, gamma] = requireVector(words.slice(3), 'The cell', { line })
    this.vectors = vectorsAlongX({ a, b, c, alpha, beta, gamma }, { line })
    this.#cellFlags(words.slice(6))
  }

  /** Reads a cell of two lengths and their angle, or of one length. */
  #layer(unit: number, { line: begin }: GulpLine, isChain: boolean): void {
    const { words, line } = this.#take() ?? { words: [], line: begin }
    const [a, b, gamma] = requireVector(isChain ? [...words.slice(0, 1), '1', '90'] : words, 'The cell', { line })
    const right = { alpha: 90, beta: 90, gamma }
    const cell = vectorsAlongX({ a: a * unit, b: b * unit, c: 1, ...right }, { line })
    this.vectors = cell.slice(0, isChain ? 1 : 2)
    this.#cellFlags(words.slice(isChain ? 1 : 3))
  }

  /** Reads so many vectors, which have no more components than that, and takes the flags behind them. */
  #vectors(unit: number, count: number): void {
    this.vectors = Array.from({ length: count }, () => {
      const { words, line } = this.#take() ?? { words: [], line: 1 }
      return scale(requireVector([...words.slice(0, count), ...ZEROS.slice(count)], 'A vector', { line }), unit)
    })
    const flags = this.#lines[this.#next]?.words ?? []
    if (flags.length === 0 || !flags.every((word) => /^[01]$/.test(word))) return
    this.#cellFlags(flags)
    this.#next += 1
  }

  /** Takes what says which parts of the cell are free. */
  #cellFlags(words: readonly string[]): void {
    if (words.length > 0) this.unused.add('cellFlags', words.join(' '))
  }

  /** Reads so many lines of a title, or those up to `end`. */
  #titles(count = Infinity): void {
    const lines: string[] = []
    while (lines.length < count) {
      const line = this.#take()
      if (line === undefined || (count === Infinity && /^end$/i.test(line.words[0] ?? ''))) break
      lines.push(line.words.join(' '))
    }
    if (lines.length > 0) this.unused.add('title', lines.join('\n'))
  }

  /** Reads atoms up to a line that is none. */
  #coordinates(head: GulpLine, isFraction: boolean): void {
    const [, ...beside] = head.words
    const others = beside.filter((word) => BESIDE_ATOMS.test(word))
    if (others.length > 0) this.unused.add('coordinates', others.join(' '))
    const first = this.#lines[this.#next]
    const unit = unitOf({ ...head, words: head.words.filter((word) => !others.includes(word)) })
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      const row = optionOf(line.words) === undefined ? rowOf(line.words) : undefined
      if (row === undefined && line === first) throw this.#noAtom(line)
      if (row === undefined) return
      this.#next += 1
      if (row.isShell) this.unused.ofAtom('shells', '1')
      else this.#atom(row, isFraction ? null : unit, line)
    }
  }

  #noAtom({ words, line }: GulpLine): Error {
    const message = `"${shorten(words.join(' '))}" stands where the first atom is to be.`
    return refusal(FORMAT_ERRORS.noStructure, message, { line, hint: this.names.hint })
  }

  #atom({ label, values }: GulpRow, unit: number | null, { line }: GulpLine): void {
    const place = scale(readPlace(values, line), unit ?? 1)
    const more = values.slice(3)
    const hasFlags = more.length >= 3 && more.slice(-3).every((word) => /^[01]$/.test(word))
    const [charge = '0', share = '1', radius = '0', ...others] = hasFlags ? more.slice(0, -3) : more
    this.unused.ofAtom('words behind the radius', others.join(' '))
    this.unused.ofAtom('charges', charge)
    this.unused.ofAtom('radii', radius)
    if (hasFlags) this.unused.ofAtom('flags', more.slice(-3).join(' '))
    const occupancy = readNumber(share)
    if (occupancy === undefined) {
      const hint = 'Behind the place stand charge, share and radius, and three flags 0 or 1.'
      throw refusal(FORMAT_ERRORS.malformed, `The share "${shorten(share)}" is not a number.`, { line, hint })
    }
    const number = readCount(label)
    const species = number === undefined ? this.names.ofType(label, { line }) : this.names.ofNumber(number, { line })
    this.atoms.push({ species, place, isFraction: unit === null, line, label, occupancy })
  }
}

/** Words that say of atoms where they belong and how they move. */
const BESIDE_ATOMS = /^(?:regi\w*|rigi\w*|nonr\w*|[xyz]{1,3}|\d+)$/i

/** The length in Å of the unit that stands beside an option, of which four letters are enough. */
function unitOf({ words, line }: GulpLine): number {
  const units = words
    .slice(1)
    .map((word) => angstromPer(word.replace(/^(angs)\w+$/i, '$1'), ['angs', 'au', 'bohr'], { line }))
  return units[0] ?? 1
}

/** Three numbers, which may be quotients. */
function readPlace(words: readonly string[], line: number): Vector3 {
  const values = words.slice(0, 3).map((word) => (/^[^/]+\/[^/]+$/.test(word) ? evaluateArithmetic(word) : undefined))
  return requireVector(
    words.map((word, index) => (values[index] === undefined ? word : String(values[index]))),
    'A place',
    { line },
  )
}

function parseGulp(text: string, options: ReadOptions): Crystal {
  const reader = new GulpReader(linesOfGulp(text))
  reader.read()
  const { names, unused, title, vectors, atoms } = reader
  requireFewAtoms(atoms.length, options)
  if (vectors.length < 3) return openStructure(reader, options)
  const warnings = [...reader.warnings]
  const { lattice } = cellOfVectors(vectors, [], warnings)
  const operators = operatorsOf(reader, lattice, warnings)
  const listed = atoms.flatMap((atom) => asymmetricAtom(atom, lattice))
  const { images, places } = expandAtoms(listed, operators, lattice, options)
  warnings.push(...names.warnings, ...warningsOfMoved(listed, places))
  const sites = occupySites(listed, images, lattice, warnings)
  if (operators.length > 1) checkCloseImages(sites, lattice, warnings)
  const tagged = withSpeciesTags(sites, 'atoms', warnings)
  return requireAtoms({ title, lattice, periodic: PERIODIC, sites: tagged, warnings, rest: unused.rest }, names.hint)
}

/** A cluster, a chain or a layer, which has fractions along its vectors and lengths across. */
function openStructure({ group, title, vectors, atoms, names, warnings, unused }: GulpReader, options: ReadOptions) {
  if (group !== undefined) {
    const message = 'A space group needs a cell of three vectors.'
    throw refusal(FORMAT_ERRORS.impossibleCell, message, { line: group.line })
  }
  const listed = atoms.map(({ label, occupancy, ...atom }): FileAtom => {
    const details = { label, ...(occupancy === 1 ? {} : { occurrence: occupancy }) }
    if (!atom.isFraction || vectors.length === 0) return { ...atom, details }
    const place = [0, 1, 2].map((axis) =>
      vectors.reduce((sum, vector, index) => sum + (atom.place[index] ?? 0) * (vector[axis] ?? 0), 0),
    )
    const across = atom.place.map((x, axis) => (place[axis] ?? 0) + (axis < vectors.length ? 0 : x))
    return { ...atom, place: across as unknown as Vector3, isFraction: false, details }
  })
  return crystalOf({ title, vectors, atoms: listed, names, warnings, rest: unused.rest, namesOf: 'atoms' }, options)
}

function asymmetricAtom({ species, place, isFraction, label, occupancy, line }: GulpAtom, lattice: Matrix3): CifAtom[] {
  if (species === null) return []
  const [fraction = place] = isFraction ? [place] : fractionsOf([place], lattice)
  return [{ ...species, label, fraction, occupancy, disorderGroup: '', disorderAssembly: '', line }]
}
