import type { ReadOptions, StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { CellParameters } from '../../lattice.ts'
import { addToList, type Vector3 } from '../../linear-algebra.ts'
import { readType } from '../common/species.ts'
import { SpeciesNames } from '../common/species-names.ts'
import type { FileFrame } from '../common/splitter.ts'
import { requireFewAtoms } from '../common/text.ts'
import { cartesianToFraction } from './cell.ts'
import {
  type CifBlock,
  type CifLoop,
  type CifValue,
  findItem,
  isGiven,
  readCifNumber,
  requireCifNumber,
} from './document.ts'
import { ISOTOPE_TAG, oxidationsOfTypes, readSpecies, speciesOnSite } from './species-on-site.ts'

/** An atom of the asymmetric unit, as the file lists it. */
export interface CifAtom {
  readonly label: string
  readonly element: string
  readonly fraction: Vector3
  readonly occupancy: number
  /** Atoms of different groups of one assembly are never there at the same time; empty without disorder. */
  readonly disorderGroup: string
  readonly disorderAssembly: string
  readonly oxidationState?: number
  readonly isotope?: number
  /** Cartesian, in Bohr magnetons. */
  readonly moment?: Vector3
  readonly line: number
}

/** The rows of the list of atoms, by tag. */
interface AtomTable {
  readonly rows: number
  /** Absent where the only atom is written without a loop. */
  readonly loop?: CifLoop
  readonly line: number
  readonly cell: (row: number, tag: string) => CifValue | undefined
}

const FRACTION_TAGS = ['_atom_site_fract_x', '_atom_site_fract_y', '_atom_site_fract_z'] as const
const CARTESIAN_TAGS = ['_atom_site_cartn_x', '_atom_site_cartn_y', '_atom_site_cartn_z'] as const
const LABEL_TAGS = ['_atom_site_label', '_atom_site_label_atom_id', '_atom_site_auth_atom_id', '_atom_site_id']

const CHARGE_TAG = '_atom_site_pdbx_formal_charge'

/** Tells whether a block lists atoms with places. */
export function hasAtoms(block: CifBlock): boolean {
  return tableOf(block) !== undefined
}

function tableOf(block: CifBlock): AtomTable | undefined {
  for (const tags of [FRACTION_TAGS, CARTESIAN_TAGS]) {
    const loops = block.loops.filter((loop) => loop.tags.includes(tags[0]))
    if (loops.length > 1) {
      throw refusal(FORMAT_ERRORS.malformed, 'The data block has two lists of atoms.', { line: loops[1]?.line ?? 1 })
    }
    if (loops[0] !== undefined) return tableOfLoop(loops[0], block)
    const item = block.items.get(tags[0])
    if (item !== undefined) return tableOfItems(item.line, block)
  }
  return undefined
}

/** The only atom, written without a loop. */
function tableOfItems(line: number, { items, taken }: CifBlock): AtomTable {
  const cell = (_row: number, tag: string): CifValue | undefined => {
    taken.add(tag)
    return items.get(tag)
  }
  return { rows: 1, line, cell }
}

function tableOfLoop(loop: CifLoop, { taken }: CifBlock): AtomTable {
  const width = loop.tags.length
  if (loop.values.length % width !== 0) {
    const message = `The list of atoms has ${loop.values.length} values for ${width} columns.`
    const hint = 'Every atom needs one value per column; values with spaces need quotes.'
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { line: loop.line, hint })
  }
  const columns = new Map(loop.tags.map((tag, index) => [tag, index]))
  const cell = (row: number, tag: string): CifValue | undefined => {
    taken.add(tag)
    const column = columns.get(tag)
    return column === undefined ? undefined : loop.values[row * width + column]
  }
  return { rows: loop.values.length / width, loop, line: loop.line, cell }
}

export interface CifAtoms {
  readonly atoms: readonly CifAtom[]
  readonly warnings: readonly StructureWarning[]
}

/** Reads the atoms of a block; those without coordinates are left out with a warning. `formula` has the elements that the file states. */
export function readAtoms(
  block: CifBlock,
  cell: CellParameters,
  formula: ReadonlySet<string>,
  options: ReadOptions,
): CifAtoms {
  const table = tableOf(block)
  if (table === undefined) return { atoms: [], warnings: [] }
  const warnings: StructureWarning[] = []
  const [rows = []] = modelsOf(table)
  requireFewAtoms(rows.length, options, { line: table.line })
  const toFraction = fractionReader(block, table, cell)
  const occupancies = occupanciesElsewhere(block)
  const oxidations = oxidationsOfTypes(block)
  const names = new SpeciesNames('Give the element of each atom under _atom_site_type_symbol.')
  const atoms: CifAtom[] = []
  for (const row of rows) {
    const text = (tag: string): string => {
      const value = table.cell(row, tag)
      return isGiven(value) ? value.text.trim() : ''
    }
    const label = LABEL_TAGS.map(text).find((name) => name !== '') ?? text('_atom_site_type_symbol')
    const line =
      table.cell(row, '_atom_site_fract_x')?.line ?? table.cell(row, '_atom_site_cartn_x')?.line ?? table.line
    const type = text('_atom_site_type_symbol')
    const fraction = toFraction(row)
    const occupancy = readOccupancy(table.cell(row, '_atom_site_occupancy') ?? occupancies.get(label))
    const leftOut = reasonToLeaveOut({
      label,
      type,
      flag: text('_atom_site_calc_flag') || text('_atom_site_calc_flags'),
      occupancy,
    })
    if (leftOut !== undefined || fraction === undefined) {
      warnings.push({ ...(leftOut ?? withoutPlace(label)), line })
      continue
    }
    warnOfHydrogens(text('_atom_site_attached_hydrogens'), label, line, warnings)
    const place = {
      label,
      fraction,
      disorderGroup: groupOf(text('_atom_site_disorder_group') || text('_atom_site_label_alt_id')),
      disorderAssembly: text('_atom_site_disorder_assembly'),
      line,
    }
    const isotope = readCifNumber(text(ISOTOPE_TAG))
    for (const { name, share } of speciesOnSite({ type, label, line })) {
      const species = readSpecies({ type: name, label, line }, formula, names)
      if (species === null) continue
      const oxidationState = species.oxidationState ?? oxidations.get(name) ?? readCifNumber(text(CHARGE_TAG))
      atoms.push({ ...place, occupancy: occupancy * share, ...species, ...given({ oxidationState, isotope }) })
    }
  }
  warnings.push(...names.warnings)
  return { atoms, warnings }
}

/** Fields that are given; a state of 0 says nothing. */
function given({ oxidationState, isotope }: { oxidationState: number | undefined; isotope: number | undefined }) {
  return {
    ...(oxidationState === undefined || oxidationState === 0 ? {} : { oxidationState }),
    ...(isotope === undefined ? {} : { isotope }),
  }
}

interface ListedAtom {
  readonly label: string
  readonly type: string
  /** How the place was found, as the file says. */
  readonly flag: string
  readonly occupancy: number
}

/** Rows that stand for no atom. */
function reasonToLeaveOut({ label, type, flag, occupancy }: ListedAtom): StructureWarning | undefined {
  if (label === '' && type === '')
    return { code: 'empty-row', message: 'A row of the list of atoms names none and is left out.' }
  if (/^dum/i.test(flag)) return { code: 'dummy-left-out', message: `${label} is marked as a dummy and left out.` }
  if (occupancy === 0) return { code: 'empty-site', message: `${label} has occupancy 0 and is left out.` }
  return undefined
}

function withoutPlace(label: string): StructureWarning {
  return { code: 'atom-without-place', message: `${label} has no coordinates and is left out.` }
}

/** `.` and 0 say that an atom is in no group. */
function groupOf(text: string): string {
  return text === '0' ? '' : text
}

/** The rows of each model: files of the Protein Data Bank list alternative models of one molecule one after the other. */
function modelsOf(table: AtomTable): readonly (readonly number[])[] {
  const models = new Map<string, number[]>()
  for (let row = 0; row < table.rows; row++) {
    const model = table.cell(row, '_atom_site_pdbx_pdb_model_num')?.text ?? ''
    addToList(models, model, row)
  }
  return [...models.values()]
}

/** The text of a block once for each of its models, with the atoms of this one alone. */
export function* modelTexts(text: string, block: CifBlock): Generator<FileFrame> {
  const lineAt = (at: number): number => text.slice(0, at).split('\n').length
  const whole = { text: text.slice(block.start, block.end), line: lineAt(block.start) }
  const table = tableOf(block)
  const models = table === undefined ? [] : modelsOf(table)
  if (table?.loop === undefined || models.length < 2) return yield whole
  const { tags, values, end } = table.loop
  const startOf = (row: number): number => values[row * tags.length]?.start ?? end
  const [before, after] = [text.slice(block.start, startOf(0)), text.slice(end, block.end)]
  for (const rows of models) {
    const own = rows.map((row) => text.slice(startOf(row), startOf(row + 1)))
    // A text field begins where a line does.
    const line = lineAt(startOf(rows[0] ?? 0)) - before.split('\n').length
    yield { text: `${before}\n${own.join('\n')}\n${after}`, line }
  }
}

function fractionReader(block: CifBlock, table: AtomTable, cell: CellParameters) {
  const read = (row: number, tags: readonly string[]): Vector3 | undefined => {
    const values = tags.map((tag) => table.cell(row, tag))
    if (values.some((value) => value === undefined || (!value.quoted && value.text === '?'))) return undefined
    return values.map((value, axis) => coordinateOf(value as CifValue, tags[axis] as string)) as unknown as Vector3
  }
  if (table.cell(0, FRACTION_TAGS[0]) !== undefined) return (row: number) => read(row, FRACTION_TAGS)
  const convert = cartesianToFraction(block, cell)
  return (row: number) => {
    const place = read(row, CARTESIAN_TAGS)
    return place === undefined ? undefined : convert(place)
  }
}

/** A coordinate; the Inorganic Crystal Structure Database writes `.` for a 0 that symmetry fixes. */
function coordinateOf(value: CifValue, tag: string): number {
  return value.text === '.' ? 0 : requireCifNumber(value, tag)
}

function readOccupancy(value: CifValue | undefined): number {
  return isGiven(value) ? requireCifNumber(value, '_atom_site_occupancy') : 1
}

/** Occupancies that stand in a list of their own, by label. */
function occupanciesElsewhere(block: CifBlock): ReadonlyMap<string, CifValue> {
  const found = new Map<string, CifValue>()
  for (const loop of block.loops) {
    const [label, occupancy] = [loop.tags.indexOf('_atom_site_label'), loop.tags.indexOf('_atom_site_occupancy')]
    if (label === -1 || occupancy === -1 || loop.tags.includes('_atom_site_fract_x')) continue
    for (const tag of ['_atom_site_label', '_atom_site_occupancy']) block.taken.add(tag)
    for (let row = 0; row + loop.tags.length <= loop.values.length; row += loop.tags.length) {
      found.set(loop.values[row + label]?.text ?? '', loop.values[row + occupancy] as CifValue)
    }
  }
  return found
}

function warnOfHydrogens(count: string, label: string, line: number, warnings: StructureWarning[]): void {
  const hydrogens = readCifNumber(count)
  if (hydrogens === undefined || hydrogens === 0) return
  const message = `${label} carries ${hydrogens} hydrogen atoms that the file does not list; they are left out.`
  warnings.push({ code: 'hydrogen-not-listed', message, line })
}

/** The elements and their numbers in the formula that the file states; empty when it states none that can be read. */
export function statedFormula(block: CifBlock): ReadonlyMap<string, number> {
  const item = findItem(block, ['_chemical_formula_sum'])
  const counts = new Map<string, number>()
  if (item === undefined) return counts
  for (const word of item.text.replace(/[,'"]/g, ' ').split(/\s+/)) {
    if (word === '') continue
    const parts = [...word.matchAll(/([A-Z][a-z]?)(\d*\.?\d*)/g)]
    if (parts.map((part) => part[0]).join('') !== word) return new Map()
    for (const [, name = '', count = ''] of parts) {
      const element = readType(name)?.element
      if (element === undefined || element === null) return new Map()
      counts.set(element, (counts.get(element) ?? 0) + (count === '' ? 1 : Number(count)))
    }
  }
  return counts
}
