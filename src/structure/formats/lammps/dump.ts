import type { Crystal, ReadOptions, StructureLimits, StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Vector3 } from '../../linear-algebra.ts'
import { crystalOf, type FileAtom, labelled } from '../common/file-atoms.ts'
import type { StructureFormat } from '../common/format.ts'
import { SpeciesNames } from '../common/species-names.ts'
import { type FileFrame, GatheredText, type LineReader, LineSplitter, NO_FRAMES } from '../common/splitter.ts'
import {
  linesOf,
  readCount,
  readNumber,
  requireFewAtoms,
  requireNumber,
  requireVector,
  wordsOf,
} from '../common/text.ts'
import { UnusedLines } from '../common/unused-lines.ts'
import { type LammpsBox, latticeOf, placeInBox, tiltedBox } from './box.ts'
import { angstromPerUnit, areUnitMasses, speciesOfType } from './types.ts'

/** The trajectory that LAMMPS writes with `dump atom` and `dump custom`. */
export const lammpsDumpFormat: StructureFormat = {
  name: 'lammps-dump',
  title: 'LAMMPS dump',
  extensions: ['lammpstrj', 'dump'],
  fileNames: /^dump\./i,
  recognizes: (text) => /^ITEM: (?:TIMESTEP|UNITS|TIME)\s/.test(text) && text.includes('\nITEM: ATOMS '),
  splitter: (limits) => new LineSplitter(limits, new DumpSteps(limits)),
  parse: parseDump,
}

/** Takes a dump apart into its steps; the units, which stand before the first, are repeated before each. */
class DumpSteps implements LineReader {
  readonly #step: GatheredText
  #units: readonly string[] = []
  #item = ''
  #isBegun = false

  constructor(limits: StructureLimits) {
    this.#step = new GatheredText(limits, { findsNext: true })
  }

  line(text: string, number: number): readonly FileFrame[] {
    const isItem = text.startsWith('ITEM:')
    const isNext = isItem && this.#item.startsWith('ITEM: ATOMS')
    const whole = isNext ? [this.#step.take()] : NO_FRAMES
    if (isNext) {
      this.#step.begin(number - this.#units.length)
      for (const line of this.#units) this.#step.add(`${line}\n`)
    }
    if (this.#item.startsWith('ITEM: UNITS') && !isItem) this.#units = [this.#item, text]
    if (isItem) this.#item = text
    this.#isBegun ||= text.trim() !== ''
    this.#step.add(`${text}\n`)
    return whole
  }

  finish(): readonly FileFrame[] {
    if (!this.#isBegun) throw refusal(FORMAT_ERRORS.noStructure, 'The file is empty.')
    return [this.#step.take()]
  }
}

/** What stands below a line `ITEM:`. */
interface DumpItem {
  /** Words behind the name. */
  readonly words: readonly string[]
  readonly rows: readonly string[]
  readonly line: number
}

const ITEM_NAME = /^(TIMESTEP|NUMBER OF ATOMS|BOX BOUNDS|ATOMS|UNITS|TIME)(?: |$)/

function itemsOf(text: string): ReadonlyMap<string, DumpItem> {
  const items = new Map<string, DumpItem>()
  let rows: string[] = []
  for (const [index, line] of linesOf(text).entries()) {
    if (line.startsWith('ITEM:')) {
      const said = line.slice('ITEM:'.length).trim()
      const name = ITEM_NAME.exec(said)?.[1] ?? said
      rows = []
      items.set(name, { words: wordsOf(said.slice(name.length)), rows, line: index + 1 })
    } else if (line.trim() !== '') rows.push(line)
  }
  return items
}

function requireItem(items: ReadonlyMap<string, DumpItem>, name: string): DumpItem {
  const item = items.get(name)
  if (item !== undefined) return item
  throw refusal(FORMAT_ERRORS.malformed, `The step has no line "ITEM: ${name}".`, { line: 1 })
}

function parseDump(text: string, options: ReadOptions): Crystal {
  const items = itemsOf(text)
  const warnings: StructureWarning[] = []
  const listed = requireItem(items, 'ATOMS')
  const { rows, line } = listed
  requireFewAtoms(rows.length, options, { line })
  const announced = readCount(items.get('NUMBER OF ATOMS')?.rows[0]?.trim())
  if (announced !== undefined && announced !== rows.length) {
    throw refusal(FORMAT_ERRORS.inconsistentCounts, `${announced} atoms announced, ${rows.length} found.`, { line })
  }
  const units = items.get('UNITS')
  const unit = angstromPerUnit(units?.rows[0]?.trim(), { line: units?.line ?? 1 }, warnings)
  const bounds = requireItem(items, 'BOX BOUNDS')
  const box = boxOf(bounds)
  const names = new SpeciesNames('The column element has the symbols of the elements (dump_modify element).')
  const unused = new UnusedLines()
  for (const name of ['TIMESTEP', 'TIME']) {
    const value = items.get(name)?.rows[0]
    if (value !== undefined) unused.add(name.toLowerCase(), value.trim())
  }
  return crystalOf(
    {
      title: '',
      vectors: latticeOf(box, unit, { line: bounds.line }),
      periodic: directionsOf(bounds),
      atoms: new DumpRows(listed, { box, unit, names, unused }).atoms(),
      names,
      warnings,
      rest: unused.rest,
    },
    options,
  )
}

/** The box of the bounds; those of a tilted one enclose it. */
function boxOf({ words, rows, line }: DumpItem): LammpsBox {
  const lines = [0, 1, 2].map((index) => {
    const place = { line: line + index + 1 }
    return wordsOf(rows[index] ?? '').map((word) => requireNumber(word, 'A bound of the box', place))
  })
  const at = (row: number, column: number): number => {
    const value = lines[row]?.[column]
    if (value !== undefined) return value
    throw refusal(FORMAT_ERRORS.malformed, 'A bound of the box is missing.', { line: line + row + 1 })
  }
  if (words[0] === 'abc') {
    const vector = (row: number): Vector3 => [at(row, 0), at(row, 1), at(row, 2)]
    return { vectors: [vector(0), vector(1), vector(2)], origin: [at(0, 3), at(1, 3), at(2, 3)] }
  }
  const [xy, xz, yz] = words[0] === 'xy' ? [at(0, 2), at(1, 2), at(2, 2)] : [0, 0, 0]
  const low: Vector3 = [at(0, 0) - Math.min(0, xy, xz, xy + xz), at(1, 0) - Math.min(0, yz), at(2, 0)]
  const high: Vector3 = [at(0, 1) - Math.max(0, xy, xz, xy + xz), at(1, 1) - Math.max(0, yz), at(2, 1)]
  return tiltedBox(low, high, [xy, xz, yz])
}

/** Boundaries such as `pp pp ff`; without them all are periodic. */
function directionsOf({ words }: DumpItem): Crystal['periodic'] {
  const [x = true, y = true, z = true] = words
    .slice(-3)
    .flatMap((word) => (/^[pfsm]{2}$/.test(word) ? [word === 'pp'] : []))
  return [x, y, z]
}

/** Names of the columns of places: as they are, unwrapped, and as fractions of the box. */
const PLACES = [
  { columns: ['x', 'y', 'z'], isFraction: false },
  { columns: ['xu', 'yu', 'zu'], isFraction: false },
  { columns: ['xs', 'ys', 'zs'], isFraction: true },
  { columns: ['xsu', 'ysu', 'zsu'], isFraction: true },
]

interface RowReading {
  readonly box: LammpsBox
  /** In Å. */
  readonly unit: number
  readonly names: SpeciesNames
  readonly unused: UnusedLines
}

/** Reads the rows of a step by the names of their columns. */
class DumpRows {
  readonly #item: DumpItem
  readonly #reading: RowReading
  readonly #columns: ReadonlyMap<string, number>

  constructor(item: DumpItem, reading: RowReading) {
    this.#item = item
    this.#reading = reading
    this.#columns = new Map(item.words.map((name, index) => [name, index]))
  }

  atoms(): readonly FileAtom[] {
    const { line } = this.#item
    const places = PLACES.find(({ columns }) => columns.every((name) => this.#columns.has(name)))
    if (places === undefined) {
      const hint = 'Write the columns x y z, xu yu zu, xs ys zs or xsu ysu zsu.'
      throw refusal(FORMAT_ERRORS.malformed, 'The step has no places of its atoms.', { line, hint })
    }
    const used = new Set(['id', 'type', 'element', 'typelabel', 'mass', ...places.columns])
    const others = [...this.#columns].filter(([name]) => !used.has(name))
    const rows = this.#item.rows.map((text, index) => ({ words: wordsOf(text), line: line + index + 1 }))
    const id = this.#columns.get('id')
    if (id !== undefined) rows.sort((one, other) => Number(one.words[id]) - Number(other.words[id]))
    const hasMasses = !areUnitMasses(rows.map(({ words }) => readNumber(this.#wordOf(words, 'mass'))))
    return rows.map(({ words, line }): FileAtom => {
      for (const [name, column] of others) this.#reading.unused.ofAtom(name, words[column] ?? '')
      const { names, box, unit } = this.#reading
      const place = requireVector(
        places.columns.flatMap((name) => this.#wordOf(words, name) ?? []),
        'A place',
        { line },
      )
      const type = {
        label: this.#wordOf(words, 'element') ?? this.#wordOf(words, 'typelabel'),
        mass: hasMasses ? readNumber(this.#wordOf(words, 'mass')) : undefined,
      }
      const species = speciesOfType(this.#wordOf(words, 'type') ?? '', type, { names, place: { line } })
      const { isFraction } = places
      const placed = isFraction ? place : placeInBox(place, box, unit)
      return { species, place: placed, isFraction, line, ...labelled(type.label ?? '', species) }
    })
  }

  #wordOf(words: readonly string[], name: string): string | undefined {
    const column = this.#columns.get(name)
    return column === undefined ? undefined : words[column]
  }
}
