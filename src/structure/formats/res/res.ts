import { parametersOf, vectorsFromParameters } from '../../cell.ts'
import {
  type Crystal,
  PERIODIC,
  type ReadOptions,
  rightHanded,
  type StructureLimits,
  type StructureWarning,
} from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Matrix3 } from '../../linear-algebra.ts'
import { wrapFraction } from '../../near-pairs.ts'
import { expandSite, type SymmetryOperator } from '../../symmetry/operator.ts'
import type { CifAtom } from '../cif/atoms.ts'
import { checkCloseImages, expandAtoms, occupySites } from '../cif/expand.ts'
import { placeOf, warningsOfMoved } from '../cif/special-positions.ts'
import type { StructureFormat } from '../common/format.ts'
import { SpeciesNames } from '../common/species-names.ts'
import { type FileFrame, GatheredText, type LineReader, LineSplitter, NO_FRAMES } from '../common/splitter.ts'
import {
  decimal,
  decimalColumns,
  oneLine,
  readCount,
  readNumber,
  requireAtoms,
  requireFewAtoms,
  requireNumber,
  shorten,
} from '../common/text.ts'
import { UnusedLines } from '../common/unused-lines.ts'
import { FreeVariables, instructionOf, linesOfRes, type ResLine } from './instructions.ts'
import { operatorsOf } from './operators.ts'

/** Files of SHELX, and those of AIRSS in the same form. */
export const resFormat: StructureFormat = {
  name: 'res',
  title: 'SHELX .res or .ins',
  extensions: ['res', 'ins'],
  recognizes: (text) => /^CELL[ \t]+[\d.]+(?:[ \t]+[\d.]+){6}/im.test(text) && /^SFAC[ \t]+[A-Z]/im.test(text),
  splitter: (limits) => new LineSplitter(limits, new ResFiles(limits)),
  parse: parseRes,
  print: printRes,
  writes: ['title'],
}

/** Takes files one after the other apart, as AIRSS lists them: each begins with TITL. */
class ResFiles implements LineReader {
  readonly #text: GatheredText
  #hasEnd = false

  constructor(limits: StructureLimits) {
    this.#text = new GatheredText(limits)
  }

  line(text: string, number: number): readonly FileFrame[] {
    const isNext = this.#hasEnd && /^TITL\b/i.test(text)
    const whole = isNext ? [this.#text.take()] : NO_FRAMES
    if (isNext) this.#text.begin(number)
    this.#hasEnd = /^END\b/i.test(text) || (this.#hasEnd && !isNext)
    this.#text.add(`${text}\n`)
    return whole
  }

  finish(): readonly FileFrame[] {
    return [this.#text.take()]
  }
}

/** Names of what a line TITL of AIRSS has behind the name of the structure. */
const AIRSS = ['pressure', 'volume', 'energy', 'spin', 'absoluteSpin']

class ResReader {
  readonly names = new SpeciesNames('SFAC lists the symbols of the elements, by which atoms are numbered.')
  readonly unused = new UnusedLines()
  readonly variables = new FreeVariables()
  readonly atoms: CifAtom[] = []
  readonly symm: ResLine[] = []
  readonly #elements: string[] = []
  cell: ResLine | null = null
  latt: ResLine | undefined
  title = ''
  #part = ''
  #isOver = false
  #hasSpins = false

  line(line: ResLine): void {
    const [, ...values] = line.words
    const name = instructionOf(line.words)
    if (this.#isOver) this.unused.ofAtom('lines behind END', line.words[0] ?? '')
    else if (/^Q\d+$/i.test(line.words[0] ?? '')) this.unused.ofAtom('peaks of the difference density', 'Q')
    else if (name === undefined) this.#atom(line)
    else if (name === 'TITL') this.#title(values)
    else if (name === 'CELL') this.cell = line
    else if (name === 'LATT') this.latt = line
    else if (name === 'SYMM') this.symm.push(line)
    // Factors stand behind the symbol of the only element that they are of.
    else if (name === 'SFAC')
      this.#elements.push(...(readNumber(values[1]) === undefined ? values : values.slice(0, 1)))
    else if (name === 'FVAR')
      this.variables.add(values.map((word) => requireNumber(word, 'A free variable', { line: line.line })))
    else if (name === 'PART') this.#part = values[0] === '0' || values[0] === undefined ? '' : values[0]
    else if (name === 'END') this.#isOver = true
    else if (name !== 'UNIT') this.unused.add(name, values.join(' '))
  }

  #title(values: readonly string[]): void {
    const [name = '', ...facts] = values
    this.#hasSpins =
      facts.length > AIRSS.length && facts.slice(0, AIRSS.length).every((word) => readNumber(word) !== undefined)
    this.title = this.#hasSpins ? name : values.join(' ')
    if (!this.#hasSpins) return
    for (const [index, key] of AIRSS.entries()) this.unused.add(key, facts[index] ?? '')
    const group = facts.find((word) => /^\(.+\)$/.test(word))
    if (group !== undefined) this.unused.add('spaceGroup', group.slice(1, -1))
  }

  #atom({ words, line }: ResLine): void {
    const [label = '', type, ...values] = words
    const number = readCount(type)
    const element = number === undefined ? undefined : this.#elements[number - 1]
    if (element === undefined || values.length < 3) {
      const hint =
        'An atom is a name, the number of its element in SFAC, three coordinates and its share: Si1 1 0 0 0 11.'
      throw refusal(FORMAT_ERRORS.malformed, `The line of "${shorten(label)}" is no atom and no instruction.`, {
        line,
        hint,
      })
    }
    const fraction = this.variables.vector(values, { line })
    const occupancy = values[3] === undefined ? 1 : this.variables.value(values[3], 'The share of an atom', { line })
    const spin = this.#hasSpins ? readNumber(values[4]) : undefined
    if (!this.#hasSpins) this.unused.ofAtom('displacements', values.slice(4).join(' '))
    const species = this.names.ofType(element, { line })
    if (species === null) return
    const moment = spin === undefined || spin === 0 ? {} : { moment: [0, 0, spin] as const }
    this.atoms.push({
      ...species,
      label,
      fraction,
      occupancy,
      disorderGroup: this.#part,
      disorderAssembly: '',
      ...moment,
      line,
    })
  }
}

function parseRes(text: string, options: ReadOptions): Crystal {
  const reader = new ResReader()
  for (const line of linesOfRes(text)) reader.line(line)
  const { atoms: listed, names, unused } = reader
  requireFewAtoms(listed.length, options)
  const lattice = latticeOf(reader.cell)
  const operators = operatorsOf(reader.latt, reader.symm, lattice)
  const atoms = listed.map((atom) => ({ ...atom, occupancy: occupancyOn(atom, operators, lattice) }))
  const { images, places } = expandAtoms(atoms, operators, lattice, options)
  const warnings: StructureWarning[] = [...names.warnings, ...warningsOfMoved(atoms, places)]
  const sites = occupySites(atoms, images, lattice, warnings)
  if (operators.length > 1) checkCloseImages(sites, lattice, warnings)
  return requireAtoms(
    { title: reader.title, lattice, periodic: PERIODIC, sites, warnings, rest: unused.rest },
    names.hint,
  )
}

function latticeOf(cell: ResLine | null): Matrix3 {
  if (cell === null) {
    const hint = 'CELL is followed by the wavelength, three lengths and three angles.'
    throw refusal(FORMAT_ERRORS.impossibleCell, 'The file has no CELL.', { hint })
  }
  const { words, line } = cell
  const at = (index: number): number => requireNumber(words[index], 'A number of CELL', { line })
  return vectorsFromParameters({ a: at(2), b: at(3), c: at(4), alpha: at(5), beta: at(6), gamma: at(7) }, { line })
}

/** The share of an atom on its site: in the file that of a general position, which a special one has only a part of. */
function occupancyOn(atom: CifAtom, operators: readonly SymmetryOperator[], lattice: Matrix3): number {
  if (operators.length === 1) return atom.occupancy
  const { fraction, sameSite } = placeOf(atom, operators, lattice)
  const images = expandSite(fraction, operators, lattice, sameSite).length
  return Math.round((atom.occupancy * operators.length * 1e5) / images) / 1e5
}

/** Writes all atoms of the cell in P 1, as AIRSS does. */
function printRes(given: Crystal): string {
  const crystal = rightHanded(given)
  const elements = [...new Set(crystal.sites.map(({ element }) => element))]
  return `${[
    `TITL ${oneLine(crystal.title, 'crystal')}`,
    `CELL 1.0 ${Object.values(parametersOf(crystal.lattice)).map(decimal).join(' ')}`,
    'LATT -1',
    `SFAC ${elements.join(' ')}`,
    ...crystal.sites.map(({ element, fraction }) => {
      const place = decimalColumns(fraction.map(wrapFraction))
      return `${element.padEnd(4)} ${elements.indexOf(element) + 1} ${place} 1.0`
    }),
    'END',
  ].join('\n')}\n`
}
