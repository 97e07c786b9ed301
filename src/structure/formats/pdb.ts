import { completeCell, fractionsOf, vectorsAlongX } from '../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  NOT_PERIODIC,
  PERIODIC,
  type ReadOptions,
  type Rest,
  type StructureWarning,
} from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { add, addToList, applyToColumn, determinant, type Matrix3, type Vector3 } from '../linear-algebra.ts'
import type { StructureFormat } from './common/format.ts'
import { chargeOfType, elementNamed, readNoElement, readType, type SpeciesReading } from './common/species.ts'
import { type NamedSpecies, SpeciesNames } from './common/species-names.ts'
import { LineSplitter } from './common/splitter.ts'
import { linesOf, readNumber, requireAtoms, requireFewAtoms, requireNumber } from './common/text.ts'
import { PdbModels } from './pdb-models.ts'

/** Protein Data Bank format 3.3: fixed columns. Only the listed atoms are taken; space groups are not applied. */
export const pdbFormat: StructureFormat = {
  name: 'pdb',
  title: 'Protein Data Bank (PDB)',
  extensions: ['pdb', 'ent'],
  recognizes: (text) => /^(?:ATOM {2}|HETATM)[ \d]/m.test(text.slice(0, 2_000_000)),
  splitter: (limits) => new LineSplitter(limits, new PdbModels(limits)),
  parse: parsePdb,
}

/** Residues of proteins, nucleic acids, and water: their atoms have symbols of one letter, wherever in its column the name stands. */
const RESIDUES = new Set(
  (
    'ALA ARG ASN ASP ASX CYS GLN GLU GLX GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL PYL SEC MSE ' +
    'HID HIE HIP HSD HSE HSP CYX CYM ASH GLH LYN ACE NME NH2 A C G U T I DA DC DG DT DU DI HOH WAT DOD SOL TIP'
  ).split(' '),
)

interface PdbAtom {
  /** Null where the record is that of no atom. */
  readonly species: NamedSpecies | null
  /** Whether the record has no symbol, so that the element is a reading of the name. */
  readonly assumed: boolean
  readonly place: Vector3
  readonly occupancy: number | undefined
  readonly alternative: string
  readonly name: string
  readonly line: number
}

/** Reads the atoms of a PDB file, with the cell of CRYST1 if there is one. */
export function parsePdb(text: string, options: ReadOptions = {}): Crystal {
  const lines = linesOf(text)
  const warnings: StructureWarning[] = []
  const names = new SpeciesNames('Columns 77 and 78 hold the symbol of the element.')
  const atoms: PdbAtom[] = []
  for (const [index, line] of lines.entries()) {
    if (!ATOM.test(line)) continue
    atoms.push(readAtom(line, index + 1, names))
    requireFewAtoms(atoms.length, options, { line: index + 1 })
  }
  if (atoms.length === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The file lists no ATOM or HETATM records.', {})
  refuseDisorder(atoms)
  warnOfAssumed(atoms, warnings)
  warnings.push(...names.warnings)
  const title = recordTexts(lines, 'TITLE ').trim() || recordTexts(lines, 'COMPND').trim()
  const cell = readCell(lines, warnings)
  const places = atoms.map((atom) => atom.place)
  const lattice = cell ?? completeCell([], places)
  if (cell === undefined) {
    const message = 'The file gives no cell: the structure is taken as a molecule in a box.'
    warnings.push({ code: 'no-lattice', message })
  }
  const toFraction = cell === undefined ? undefined : readScale(lines, cell)
  const fractions = toFraction === undefined ? fractionsOf(places, lattice) : places.map(toFraction)
  const sites = atoms.flatMap(({ species, name }, index): readonly CrystalSite[] =>
    species === null ? [] : [{ ...species, fraction: fractions[index] as Vector3, label: name }],
  )
  return requireAtoms({
    title,
    lattice,
    periodic: cell === undefined ? NOT_PERIODIC : PERIODIC,
    sites,
    warnings,
    rest: restOfPdb(lines),
  })
}

/** Records that are read, or that only order the file. */
const READ_RECORDS = new Set(
  'ATOM HETATM CRYST1 SCALE1 SCALE2 SCALE3 TITLE MODEL ENDMDL NUMMDL TER END MASTER'.split(' '),
)
/** Fields of an atom that are not read: names of the specification, and columns. */
const ATOM_FIELDS = [
  ['resName', 17, 20],
  ['chainID', 21, 22],
  ['resSeq', 22, 26],
  ['iCode', 26, 27],
  ['tempFactor', 60, 66],
  ['segID', 72, 76],
] as const
const LONGEST_RECORD = 1000

/** Records by their names, short ones as texts, and the fields of the atoms. */
function restOfPdb(lines: readonly string[]): Rest {
  const records = new Map<string, string[]>()
  const fields = new Map<string, number>()
  for (const line of lines) {
    const name = line.slice(0, 6).trim()
    if (!READ_RECORDS.has(name)) addToList(records, name, line.slice(6, 80).trim())
    if (!ATOM.test(line)) continue
    for (const [field, from, to] of ATOM_FIELDS) {
      const text = line.slice(from, to).trim()
      if (text !== '' && readNumber(text) !== 0) fields.set(field, (fields.get(field) ?? 0) + 1)
    }
  }
  const isShort = (texts: readonly string[]): boolean => texts.join(' ').length <= LONGEST_RECORD
  const [short, long] = [true, false].map((wanted) =>
    [...records].filter(([name, texts]) => name !== '' && isShort(texts) === wanted),
  )
  return {
    values: Object.fromEntries((short ?? []).map(([name, texts]) => [name, texts.join(' ')])),
    leftOut: [
      ...[...fields].map(([field, count]) => `${field} (${count})`),
      ...(long ?? []).map(([name, texts]) => `${name} (${texts.length})`),
    ],
  }
}

const ATOM = /^(?:ATOM {2}|HETATM)/
function readAtom(line: string, number: number, names: SpeciesNames): PdbAtom {
  const place = { line: number }
  const coordinates = [30, 38, 46].map((start) =>
    requireNumber(line.slice(start, start + 8).trim(), 'A coordinate', place),
  )
  const name = line.slice(12, 16)
  const symbol = line.slice(76, 78).trim()
  const ofSymbol = readType(symbol)
  const residue = line.slice(17, 20).trim().toUpperCase()
  const reading = ofSymbol ?? readingOfName(name, residue, line.startsWith('HETATM'))
  const species = names.take(ofSymbol === undefined ? name.trim() : symbol, reading, place)
  const state = species === null ? undefined : chargeOfType(`${species.element}${line.slice(78, 80).trim()}`)
  return {
    species: species === null || state === undefined ? species : { ...species, oxidationState: state },
    assumed: ofSymbol === undefined,
    place: coordinates as unknown as Vector3,
    occupancy: readNumber(line.slice(54, 60).trim()),
    alternative: line.slice(16, 17).trim(),
    name: name.trim(),
    line: number,
  }
}

/** A reading is told by itself, with what columns it is for. */
function readingOfName(name: string, residue: string, heterogen: boolean): SpeciesReading | undefined {
  const plain = RESIDUES.has(residue) ? undefined : readNoElement(name)
  if (plain !== undefined) return { ...plain, sure: true }
  const element = elementOfName(name, residue, heterogen)
  return element === undefined ? undefined : { element, sure: true }
}

/** The symbol stands right-justified in columns 13 and 14: ` CA ` is an alpha carbon, `CA  ` is calcium. */
function elementOfName(name: string, residue: string, heterogen: boolean): string | undefined {
  const letters = /[A-Za-z]+/.exec(name)?.[0] ?? ''
  if (RESIDUES.has(residue)) return /^SE/i.test(letters) ? 'Se' : elementNamed(letters.slice(0, 1))
  const twoColumns = /^[A-Za-z]{2}/.test(name)
  const two = elementNamed(name.slice(0, 2).trim())
  // Names of four characters that begin with H are hydrogens of residues (HG11), not mercury.
  const hydrogen = /^[HD]/i.test(letters) && name.trim().length === 4 && !heterogen
  if (twoColumns && two !== undefined && !hydrogen) return two
  return elementNamed(letters.slice(0, 1))
}

function warnOfAssumed(atoms: readonly PdbAtom[], warnings: StructureWarning[]): void {
  const assumed = atoms.filter(({ assumed, species }) => assumed && species !== null)
  const first = assumed[0]
  if (first === undefined) return
  const readAs = new Map(assumed.map(({ name, species }) => [name, species?.element]))
  const list = [...readAs].slice(0, 8).map(([name, element]) => `${name} as ${element}`)
  const message = `Columns 77 and 78 name no element: read ${list.join(', ')}${readAs.size > 8 ? ' and more' : ''}.`
  warnings.push({ code: 'species-assumed', message, line: first.line })
}

function refuseDisorder(atoms: readonly PdbAtom[]): void {
  const alternatives = new Set(atoms.map((atom) => atom.alternative))
  alternatives.delete('')
  // Programs that compute structures leave the column at zero throughout.
  const unset = atoms.every((atom) => (atom.occupancy ?? 0) === 0)
  const partial = atoms.find((atom) => atom.occupancy !== undefined && !unset && Math.abs(atom.occupancy - 1) > 1e-3)
  const guilty = alternatives.size > 1 ? atoms.find((atom) => atom.alternative !== '') : partial
  if (guilty === undefined) return
  const how =
    alternatives.size > 1
      ? `has the alternatives ${[...alternatives].join(', ')}`
      : `has the occupancy ${guilty.occupancy}`
  const message = `The structure is disordered: the atom ${guilty.name} ${how}.`
  const hint = 'Keep one alternative of each atom, with occupancy 1.'
  throw refusal(FORMAT_ERRORS.disordered, message, { line: guilty.line, hint })
}

function readCell(lines: readonly string[], warnings: StructureWarning[]): Matrix3 | undefined {
  const index = lines.findIndex((line) => line.startsWith('CRYST1'))
  if (index === -1) return undefined
  const line = lines[index] ?? ''
  const place = { line: index + 1 }
  const columns = [
    [6, 15],
    [15, 24],
    [24, 33],
    [33, 40],
    [40, 47],
    [47, 54],
  ] as const
  const fixed = columns.map(([from, to]) => readNumber(line.slice(from, to).trim()))
  const numbers = fixed.every((value) => value !== undefined)
    ? fixed
    : line.slice(6).trim().split(/\s+/).slice(0, 6).map(readNumber)
  const [a, b, c, alpha, beta, gamma] = numbers.map((value) =>
    requireNumber(String(value ?? ''), 'A cell parameter', place),
  ) as [number, number, number, number, number, number]
  // Files without a crystal carry a unit cube, or zeros, as the format requires the record.
  if (Math.max(a, b, c) <= 1) return undefined
  const group = line.slice(55, 66).trim()
  if (group !== '' && !/^P\s*1$/.test(group)) {
    const message = `The space group ${group} is not applied: only the listed atoms are taken.`
    warnings.push({ code: 'space-group-not-applied', message, ...place })
  }
  return vectorsAlongX({ a, b, c, alpha, beta, gamma }, place)
}

const FRAME_TOLERANCE = 0.02

/** The file's own way to fractions, SCALE1 to SCALE3, where it belongs to the cell; else the usual frame. */
function readScale(lines: readonly string[], lattice: Matrix3): ((place: Vector3) => Vector3) | undefined {
  const records = ['SCALE1', 'SCALE2', 'SCALE3'].map((name) => lines.find((line) => line.startsWith(name)))
  const numbers = records.map((line) =>
    [10, 20, 30, 45].map((start) => readNumber(line?.slice(start, start + 10).trim())),
  )
  if (numbers.flat().some((value) => value === undefined)) return undefined
  const rows = numbers as number[][]
  const matrix = rows.map((row) => row.slice(0, 3)) as unknown as Matrix3
  const shift = rows.map((row) => row[3] ?? 0) as unknown as Vector3
  const volumes = determinant(matrix) * determinant(lattice)
  if (Math.abs(volumes - 1) > FRAME_TOLERANCE || isUsualFrame(matrix, lattice, shift)) return undefined
  return (place) => add(applyToColumn(matrix, place), shift)
}

/** The six decimals of SCALE are too few for large cells, so the usual frame is computed from CRYST1 instead. */
function isUsualFrame(matrix: Matrix3, lattice: Matrix3, shift: Vector3): boolean {
  const product = matrix.map((row) =>
    lattice.map((vector) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]),
  )
  const off = product.flatMap((row, i) => row.map((value, j) => Math.abs(value - (i === j ? 1 : 0))))
  return Math.max(...off, ...shift.map(Math.abs)) < 1e-3
}

function recordTexts(lines: readonly string[], record: string): string {
  return lines
    .filter((line) => line.startsWith(record))
    .map((line) => line.slice(10, 80).trim())
    .join(' ')
}
