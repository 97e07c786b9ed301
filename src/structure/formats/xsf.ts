import { type Crystal, isMolecule, type ReadOptions, type StructureLimits, toCartesian } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { length, type Vector3 } from '../linear-algebra.ts'
import { crystalOf, type FileAtom, labelled } from './common/file-atoms.ts'
import type { StructureFormat } from './common/format.ts'
import { SpeciesNames } from './common/species-names.ts'
import { type FileFrame, GatheredText, type LineReader, LineSplitter, NO_FRAMES } from './common/splitter.ts'
import {
  decimalColumns,
  linesOf,
  oneLine,
  readCount,
  readNumber,
  requireFewAtoms,
  requireVector,
  wordsOf,
} from './common/text.ts'
import { UnusedLines } from './common/unused-lines.ts'

/** Structures of XCrySDen, single or animated; lengths are ångström. */
export const xsfFormat: StructureFormat = {
  name: 'xsf',
  title: 'XSF of XCrySDen',
  extensions: ['xsf', 'axsf'],
  recognizes: (text) =>
    /^[ \t]*PRIM(?:VEC|COORD)\b/m.test(text) || /^[ \t]*ATOMS(?:[ \t]+\d+)?[ \t]*\n[ \t]*\w+[ \t]+[-+.\d]/m.test(text),
  splitter: (limits) => new LineSplitter(limits, new XsfSteps(limits)),
  parse: parseXsf,
  print: printXsf,
  writes: ['title', 'molecules', 'directions'],
}

const STEP = /^\s*(?:PRIMVEC|CONVVEC|PRIMCOORD|CONVCOORD|ATOMS)\s+(\d+)\s*$/
const GRID = /^\s*(BEGIN|END)_BLOCK_DATAGRID/i

/** Takes an animation apart into its steps, each with what stands before the first; of data on grids the lines are empty. */
class XsfSteps implements LineReader {
  readonly #text: GatheredText
  /** What stands before the first step. */
  #shared: string[] = []
  #step: string | null = null
  #isInGrid = false

  constructor(limits: StructureLimits) {
    this.#text = new GatheredText(limits)
  }

  line(text: string, number: number): readonly FileFrame[] {
    const step = STEP.exec(text)?.[1]
    const whole = this.#step !== null && step !== undefined && step !== this.#step ? [this.#text.take()] : NO_FRAMES
    if (whole.length > 0) {
      this.#text.begin(number - this.#shared.length)
      for (const line of this.#shared) this.#text.add(`${line}\n`)
    }
    this.#step = step ?? this.#step
    const grid = GRID.exec(text)?.[1]?.toUpperCase()
    if (grid === 'END') this.#isInGrid = false
    const kept = this.#isInGrid ? '' : text
    if (grid === 'BEGIN') this.#isInGrid = true
    if (this.#step === null) this.#shared.push(kept)
    this.#text.add(`${kept}\n`)
    return whole
  }

  finish(): readonly FileFrame[] {
    return [this.#text.take()]
  }
}

/** Along how many vectors it repeats. */
const DIMENSIONS: Readonly<Record<string, number>> = { MOLECULE: 0, POLYMER: 1, SLAB: 2, CRYSTAL: 3 }

class XsfReader {
  readonly names = new SpeciesNames('A line of an atom begins with its symbol or atomic number: Fe 0.0 0.0 0.0.')
  readonly unused = new UnusedLines()
  readonly atoms: FileAtom[] = []
  vectors: readonly Vector3[] = []
  dimension: number | null = null
  #next = 0
  readonly #lines: readonly string[]
  readonly #options: ReadOptions

  constructor(lines: readonly string[], options: ReadOptions) {
    this.#lines = lines
    this.#options = options
  }

  read(): void {
    for (let words = this.#take(); words !== null; words = this.#take()) this.#section(words)
  }

  /** The words of the next line that has any. */
  #take(): readonly string[] | null {
    while (this.#next < this.#lines.length) {
      const words = wordsOf((this.#lines[this.#next] as string).replace(/#.*$/, ''))
      this.#next++
      if (words.length > 0) return words
    }
    return null
  }

  #section([keyword = '', ...values]: readonly string[]): void {
    if (Object.hasOwn(DIMENSIONS, keyword)) this.dimension = DIMENSIONS[keyword] ?? null
    else if (keyword === 'DIM-GROUP') this.dimension = readCount(this.#take()?.[0]) ?? null
    else if (keyword === 'PRIMVEC') this.vectors = this.#vectors()
    else if (keyword === 'CONVVEC') this.unused.add(keyword, this.#vectors().flat().join(' '))
    else if (keyword === 'PRIMCOORD' || keyword === 'CONVCOORD') this.#counted(keyword)
    else if (keyword === 'ATOMS') this.#uncounted()
    else if (/^BEGIN_BLOCK_DATAGRID/i.test(keyword)) this.unused.ofAtom('data grids', keyword)
    else if (!/^(?:ANIMSTEPS|END_BLOCK_DATAGRID\w*)$/i.test(keyword)) this.unused.add(keyword, values.join(' '))
  }

  #vectors(): readonly Vector3[] {
    return [0, 1, 2].map(() => requireVector(this.#take() ?? [], 'A lattice vector', { line: this.#next }))
  }

  /** Atoms behind a line of their number. */
  #counted(keyword: string): void {
    const line = this.#next + 1
    const count = readCount(this.#take()?.[0])
    if (count === undefined) {
      throw refusal(FORMAT_ERRORS.malformed, `${keyword} is followed by the number of atoms and 1.`, { line })
    }
    requireFewAtoms(count, this.#options, { line })
    for (let index = 0; index < count; index++) {
      const words = this.#take()
      if (words === null || words.length < 4) {
        const message = `${count} atoms announced, ${index} found.`
        throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { line: this.#next })
      }
      if (keyword === 'PRIMCOORD') this.#atom(words)
      else this.unused.ofAtom(keyword, words.join(' '))
    }
  }

  /** Atoms up to the next keyword. */
  #uncounted(): void {
    for (let words = this.#take(); words !== null; words = this.#take()) {
      if (words.length < 4 || readNumber(words[1]) === undefined) {
        this.#next--
        return
      }
      this.#atom(words)
    }
  }

  #atom([name = '', ...values]: readonly string[]): void {
    const line = this.#next
    const number = readCount(name)
    const species = number === undefined ? this.names.ofType(name, { line }) : this.names.ofNumber(number, { line })
    this.unused.ofAtom('forces', values.slice(3).join(' '))
    const place = requireVector(values, 'A place', { line })
    this.atoms.push({
      species,
      place,
      isFraction: false,
      line,
      ...(number === undefined ? labelled(name, species) : {}),
    })
  }
}

function parseXsf(text: string, options: ReadOptions): Crystal {
  const lines = linesOf(text)
  const reader = new XsfReader(lines, options)
  reader.read()
  const { atoms, names, unused } = reader
  requireFewAtoms(atoms.length, options)
  const dimension = reader.dimension ?? (reader.vectors.length === 0 ? 0 : 3)
  const vectors = dimension === 0 ? [] : reader.vectors.filter((vector, axis) => axis < dimension || length(vector) > 0)
  if (vectors.length < dimension) {
    const hint = 'Three lattice vectors stand below PRIMVEC.'
    throw refusal(FORMAT_ERRORS.impossibleCell, 'The file repeats and has no PRIMVEC.', { hint })
  }
  const title = /^\s*#+\s*(\S.*)$/.exec(lines[0] ?? '')?.[1]?.trim() ?? ''
  const periodic: Crystal['periodic'] = [dimension > 0, dimension > 1, dimension > 2]
  return crystalOf({ title, vectors, periodic, atoms, names, warnings: [], rest: unused.rest }, options)
}

/** Orders of the axes that keep their handedness. */
const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
] as const
const KEYWORDS = ['ATOMS', 'POLYMER', 'SLAB', 'CRYSTAL']

/** Writes the vectors along which it repeats first, as the format has them; a molecule without its box. */
function printXsf(crystal: Crystal): string {
  const { lattice, periodic, sites } = crystal
  const dimension = periodic.filter(Boolean).length
  const order = ORDERS.find((axes) => axes.every((axis, index) => periodic[axis] === index < dimension)) ?? ORDERS[0]
  const places = toCartesian(
    sites.map(({ fraction }) => fraction),
    lattice,
  )
  const cell = ['PRIMVEC', ...order.map((axis) => decimalColumns(lattice[axis])), 'PRIMCOORD', `${sites.length} 1`]
  return `${[
    `# ${oneLine(crystal.title, 'crystal')}`,
    KEYWORDS[dimension],
    ...(isMolecule(crystal) ? [] : cell),
    ...sites.map(({ element }, index) => `${element.padEnd(3)} ${decimalColumns(places[index] as Vector3)}`),
  ].join('\n')}\n`
}
