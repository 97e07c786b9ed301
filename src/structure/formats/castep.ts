import { vectorsAlongX } from '../cell.ts'
import { type Crystal, type CrystalSite, PERIODIC, type ReadOptions, type StructureWarning } from '../crystal.ts'
import { massOfAtom } from '../elements/element.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { scale, type Vector3 } from '../linear-algebra.ts'
import { crystalOf, type FileAtom } from './common/file-atoms.ts'
import type { StructureFormat } from './common/format.ts'
import { angstromPer } from './common/length-units.ts'
import { disordered } from './common/species.ts'
import { SpeciesNames } from './common/species-names.ts'
import {
  decimal,
  decimalColumns,
  linesOf,
  oneLine,
  readCount,
  readNumber,
  requireVector,
  shorten,
  wordsOf,
} from './common/text.ts'
import { UnusedLines } from './common/unused-lines.ts'

/** The cell file of CASTEP. */
export const castepFormat: StructureFormat = {
  name: 'castep',
  title: 'CASTEP .cell',
  extensions: ['cell'],
  recognizes: (text) => /^[ \t]*%block[ \t]+(?:lattice_(?:abc|cart)|positions_(?:frac|abs))\b/im.test(text),
  parse: parseCastep,
  print: printCastep,
  writes: ['labels', 'title', 'moments', 'crossMoments', 'isotopes', 'fixedAtoms', 'fixedDirections'],
}

/** Units that a block may begin with. */
const UNITS = ['ang', 'angstrom', 'bohr', 'a0', 'nm', 'cm', 'm'] as const

interface CellRow {
  readonly text: string
  readonly line: number
}

interface CellBlock {
  readonly rows: readonly CellRow[]
  readonly line: number
}

/** Takes the file apart: its blocks by name, in small letters; keywords outside are no structure, but for fixed ions. */
class CellFile {
  readonly blocks = new Map<string, CellBlock>()
  readonly unused = new UnusedLines()
  isFixed = false
  #rows: CellRow[] | null = null

  line(text: string, line: number): void {
    const [, mark = '', name = ''] = /^%(end)?block\s+(\S+)/i.exec(text) ?? []
    if (mark !== '') this.#rows = null
    else if (name !== '') this.#begin(name.toLowerCase(), line)
    else if (this.#rows !== null) this.#rows.push({ text, line })
    else this.#keyword(text)
  }

  #begin(name: string, line: number): void {
    if (this.blocks.has(name)) {
      throw refusal(FORMAT_ERRORS.malformed, `The block ${shorten(name)} is there more than once.`, { line })
    }
    this.#rows = []
    this.blocks.set(name, { rows: this.#rows, line })
  }

  #keyword(text: string): void {
    const [keyword = ''] = /^[^\s:=]+/.exec(text) ?? []
    const value = text.slice(keyword.length).replace(/^\s*[:=]?\s*/, '')
    if (/^fix_all_ions$/i.test(keyword)) this.isFixed = !/^(?:f|\.f)/i.test(value)
    else if (keyword !== '') this.unused.add(keyword.toLowerCase(), value)
  }

  /** Takes a block. */
  take(name: string): CellBlock | undefined {
    const block = this.blocks.get(name)
    this.blocks.delete(name)
    return block
  }

  /** Takes what no one has asked for to the rest. */
  leave(): void {
    for (const [name, { rows }] of this.blocks) this.unused.add(name, rows.map(({ text }) => text).join('\n'))
  }
}

function parseCastep(text: string, options: ReadOptions): Crystal {
  const file = new CellFile()
  const lines = linesOf(text)
  for (const [index, line] of lines.entries()) {
    const content = line.replace(/[!#;].*$/, '').trim()
    if (content !== '') file.line(content, index + 1)
  }
  const warnings: StructureWarning[] = []
  const names = new SpeciesNames('A line of a block of positions begins with the symbol of an element: Fe 0 0 0.')
  const isFraction = file.blocks.has('positions_frac')
  const positions = file.take(isFraction ? 'positions_frac' : 'positions_abs')
  if (positions === undefined)
    throw refusal(FORMAT_ERRORS.noStructure, 'The file has no block POSITIONS_FRAC or POSITIONS_ABS.')
  const vectors = latticeOf(file, isFraction, warnings)
  const { rows, unit } = withoutUnit(positions)
  const atoms = withFixed(
    file,
    rows.map((row) => readAtom(row, isFraction ? 1 : unit, { isFraction, names, unused: file.unused })),
  )
  const masses = massesOf(file)
  file.leave()
  const weighed = atoms.map((atom, index): FileAtom => {
    const mass = masses.get(nameOf(rows[index]?.text ?? ''))
    return { ...atom, species: names.withMass(atom.species, mass, atom) }
  })
  const title = /^\s*[#!]+\s*(\S.*)$/.exec(lines[0] ?? '')?.[1]?.trim() ?? ''
  const rest = file.unused.rest
  return crystalOf({ title, vectors, periodic: PERIODIC, atoms: weighed, names, warnings, rest }, options)
}

/** Rows without the unit that may stand above them; ångström where none does. */
function withoutUnit({ rows }: CellBlock): { readonly rows: readonly CellRow[]; readonly unit: number } {
  const [first, ...others] = rows
  const word = first?.text ?? ''
  if (first === undefined || /\s/.test(word) || readNumber(word) !== undefined) return { rows, unit: 1 }
  return { rows: others, unit: angstromPer(word, UNITS, { line: first.line }) }
}

function latticeOf(file: CellFile, isFraction: boolean, warnings: StructureWarning[]): readonly Vector3[] {
  const [cart, abc] = [file.take('lattice_cart'), file.take('lattice_abc')]
  const block = cart ?? abc
  if (block === undefined || (cart !== undefined && abc !== undefined)) {
    const hint = 'Give one block, LATTICE_CART or LATTICE_ABC.'
    throw refusal(FORMAT_ERRORS.impossibleCell, 'The file does not have one lattice.', { hint })
  }
  const { rows, unit } = withoutUnit(block)
  const vectors = rows.map(({ text, line }) => requireVector(wordsOf(text), 'The lattice', { line }))
  const wanted = cart === undefined ? 2 : 3
  if (vectors.length !== wanted) {
    const message = `The lattice has ${vectors.length} lines of three numbers, and needs ${wanted}.`
    throw refusal(FORMAT_ERRORS.impossibleCell, message, { line: block.line })
  }
  if (cart !== undefined) return vectors.map((vector) => scale(vector, unit))
  if (!isFraction) {
    const message = 'The file does not say where the lattice lies: a along x and b in the xy plane are assumed.'
    warnings.push({ code: 'axes-assumed', message, line: block.line })
  }
  const [[a, b, c], [alpha, beta, gamma]] = vectors as [Vector3, Vector3]
  return vectorsAlongX({ a: a * unit, b: b * unit, c: c * unit, alpha, beta, gamma }, { line: block.line })
}

/** The name of an atom, with what tells it from others of its element: `Fe`, `Fe:up`. */
function nameOf(text: string): string {
  return wordsOf(text)[0] ?? ''
}

interface AtomReading {
  readonly isFraction: boolean
  readonly names: SpeciesNames
  readonly unused: UnusedLines
}

function readAtom({ text, line }: CellRow, unit: number, { isFraction, names, unused }: AtomReading): FileAtom {
  const [name = '', ...words] = wordsOf(text)
  const place = scale(requireVector(words, 'A place', { line }), unit)
  const options = words.slice(3).join(' ')
  if (/mixture/i.test(options)) throw disordered('The site is a mixture of species.', { line })
  const [symbol = ''] = name.split(':')
  const number = readCount(symbol)
  const species = number === undefined ? names.ofType(symbol, { line }) : names.ofNumber(number, { line })
  const { spin, others, label: marked } = partedOptions(options)
  const label = name.includes(':') ? name : marked
  const moment = spin === undefined ? undefined : readSpin(spin, line)
  const [, keyword = 'words behind the place', value = others] = /^([A-Za-z]\w*) ?[=:]? ?(.*)$/.exec(others) ?? []
  if (others !== '') unused.ofAtom(keyword, value === '' ? keyword : value)
  const details = { ...(label === undefined ? {} : { label }), ...(moment === undefined ? {} : { moment }) }
  return { species, place, isFraction, line, details }
}

const LABEL = /\blabel ?[=:]? ?(\S+)/i
/** The value is in parentheses, or one word and the numbers behind it. */
const SPIN = /\bspin(?![a-z]) ?[=:]? ?(\([^)]*\)|\S+(?: [-+]?\.?\d\S*)*)/i

/** Takes what stands behind a place apart. MAGMOM, which is a share of the electrons, is none of what is read. */
function partedOptions(options: string): { readonly label?: string; readonly spin?: string; readonly others: string } {
  const [ofLabel = '', label] = LABEL.exec(options) ?? []
  const unlabelled = options.replace(ofLabel, '')
  const [ofSpin = '', spin] = SPIN.exec(unlabelled) ?? []
  const others = unlabelled.replace(ofSpin, '').trim()
  return { ...(label === undefined ? {} : { label }), ...(spin === undefined ? {} : { spin }), others }
}

/** The moment in Bohr magnetons: a number along z, or a vector; nothing where it is 0. */
function readSpin(spin: string, line: number): Vector3 | undefined {
  const words = spin.split(/[\s,()]+/).filter((word) => word !== '')
  if (words.length !== 1 && words.length !== 3) {
    const message = `"SPIN ${shorten(spin)}" is neither one number nor three.`
    throw refusal(FORMAT_ERRORS.malformed, message, { line, hint: 'Write SPIN= 2, or SPIN= (0 0 2).' })
  }
  const moment = requireVector(words.length === 1 ? ['0', '0', ...words] : words, 'The spin', { line })
  return moment.some((x) => x !== 0) ? moment : undefined
}

/** Applies constraints that fix ions along axes; any other stays in the rest. */
function withFixed(file: CellFile, atoms: readonly FileAtom[]): readonly FileAtom[] {
  const fixed = (atom: FileAtom, movable: readonly [boolean, boolean, boolean]): FileAtom =>
    movable.includes(false) ? { ...atom, details: { ...atom.details, movable } } : atom
  if (file.isFixed) return atoms.map((atom) => fixed(atom, [false, false, false]))
  const constraints = (file.blocks.get('ionic_constraints')?.rows ?? []).map(({ text }) => readConstraint(text))
  const isPlain = new Set(constraints.map((one) => one?.number)).size === constraints.length
  if (constraints.length === 0 || constraints.includes(undefined) || !isPlain) return atoms
  file.take('ionic_constraints')
  const axes = new Set(constraints.map((one) => `${one?.ion} ${one?.axis}`))
  const counts = new Map<string, number>()
  return atoms.map((atom) => {
    const element = (atom.species?.element ?? '').toLowerCase()
    const count = (counts.get(element) ?? 0) + 1
    counts.set(element, count)
    const isFree = (axis: number): boolean => !axes.has(`${element} ${count} ${axis}`)
    return fixed(atom, [isFree(0), isFree(1), isFree(2)])
  })
}

/** A constraint of one ion along one axis: its number, the element, the number of the ion of that element, a vector. */
function readConstraint(text: string): { number: string; ion: string; axis: number } | undefined {
  const [number = '', element = '', index = '', ...words] = wordsOf(text)
  const vector = words.map(readNumber)
  const axes = [0, 1, 2].filter((axis) => vector[axis] !== 0)
  const [axis] = axes
  if (words.length !== 3 || vector.includes(undefined) || axes.length !== 1 || axis === undefined) return undefined
  return { number, ion: `${element.toLowerCase()} ${Number(index)}`, axis }
}

/** Masses in Da, by the names of the atoms; in other units they stay in the rest. */
function massesOf(file: CellFile): ReadonlyMap<string, number> {
  const rows = file.blocks.get('species_mass')?.rows ?? []
  const listed = /^amu$/i.test(rows[0]?.text ?? '') ? rows.slice(1) : rows
  const masses = listed.map(({ text }) => [nameOf(text), readNumber(wordsOf(text)[1]) ?? Number.NaN] as const)
  if (masses.some(([, mass]) => Number.isNaN(mass))) return new Map()
  file.take('species_mass')
  return new Map(masses)
}

/** Writes LATTICE_CART and POSITIONS_FRAC, with spins, masses of isotopes and fixed directions. */
function printCastep({ title, lattice, sites }: Crystal): string {
  const block = (name: string, rows: readonly string[]): readonly string[] =>
    rows.length === 0 ? [] : [`%BLOCK ${name}`, ...rows, `%ENDBLOCK ${name}`, '']
  const named = sites.map(nameToWrite)
  const heavy = new Map(
    sites.flatMap((site, index) => (site.isotope === undefined ? [] : [[named[index] as string, site]])),
  )
  const counts = new Map<string, number>()
  const held = sites.flatMap((site) => {
    const count = (counts.get(site.element) ?? 0) + 1
    counts.set(site.element, count)
    const axes = [0, 1, 2].filter((axis) => site.movable?.[axis] === false)
    return axes.map((axis) => `${site.element} ${count} ${[0, 1, 2].map((one) => Number(one === axis)).join(' ')}`)
  })
  return `${[
    `# ${oneLine(title, 'crystal')}`,
    ...block('LATTICE_CART', ['ang', ...lattice.map((vector) => decimalColumns(vector))]),
    ...block(
      'POSITIONS_FRAC',
      sites.map((site, index) => `${named[index]} ${decimalColumns(site.fraction)}${printSpin(site)}`),
    ),
    ...block(
      'SPECIES_MASS',
      [...heavy].map(([name, site]) => `${name} ${massOfAtom({ element: site.element, isotope: site.isotope ?? 0 })}`),
    ),
    ...block(
      'IONIC_CONSTRAINTS',
      held.map((text, index) => `${index + 1} ${text}`),
    ),
  ].join('\n')}\n`
}

/** `Fe`, `Fe:1` of a label, `Fe:m57` of an isotope, `Fe:1_57` of both. */
function nameToWrite({ element, speciesTag, isotope }: CrystalSite): string {
  if (speciesTag === undefined) return isotope === undefined ? element : `${element}:m${isotope}`
  return `${element}:${speciesTag}${isotope === undefined ? '' : `_${isotope}`}`
}

function printSpin({ moment }: CrystalSite): string {
  if (moment === undefined) return ''
  const [x, y, z] = moment
  return x === 0 && y === 0 ? ` SPIN=${decimal(z)}` : ` SPIN=( ${moment.map(decimal).join(' ')} )`
}
