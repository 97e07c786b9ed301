import { tidy, vectorsAlongX } from '../../cell.ts'
import { type Crystal, PERIODIC, type ReadOptions, type StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { add, type Matrix3, scale, type Vector3 } from '../../linear-algebra.ts'
import { crystalOf, type FileAtom } from '../common/file-atoms.ts'
import type { StructureFormat } from '../common/format.ts'
import { angstromPer } from '../common/length-units.ts'
import { disordered } from '../common/species.ts'
import { type NamedSpecies, SpeciesNames } from '../common/species-names.ts'
import { linesOf, readCount, readNumber, requireNumber, requireVector, shorten } from '../common/text.ts'
import { type FdfEntry, FdfFile, type FdfRow } from './fdf.ts'

/** Input of SIESTA in its flexible data format. */
export const siestaFormat: StructureFormat = {
  name: 'siesta',
  title: 'SIESTA .fdf',
  extensions: ['fdf'],
  recognizes: (text) =>
    /^[ \t]*(?:System[-_.]?Label|Number[-_.]?Of[-_.]?Species|Lattice[-_.]?Constant|%block[ \t]+(?:Chemical[-_.]?Species[-_.]?Label|Atomic[-_.]?Coordinates[-_.]?And[-_.]?Atomic[-_.]?Species))\b/im.test(
      text,
    ),
  parse: parseSiesta,
}

/** Units of length of the program. */
const UNITS = ['ang', 'bohr', 'pm', 'nm', 'cm', 'm'] as const

function parseSiesta(text: string, options: ReadOptions): Crystal {
  const file = new FdfFile()
  for (const [index, line] of linesOf(text).entries()) file.line(line.replace(/[#!;].*$/, ''), index + 1)
  const warnings: StructureWarning[] = []
  const names = new SpeciesNames(
    'ChemicalSpeciesLabel has the number, the atomic number and the label of each species.',
  )
  const title = file.takeWords('systemname').join(' ')
  const cell = latticeOf(file, warnings)
  const species = speciesOf(file, names)
  const atoms = withSpins(file, atomsOf(file, { cell, species }, warnings))
  if (
    file.peek('supercell')?.rows.some(({ words }, row) => words.some((x, axis) => Number(x) !== Number(axis === row)))
  ) {
    const message = 'The block SuperCell is not applied: the crystal is that of the lattice vectors.'
    warnings.push({ code: 'supercell-not-applied', message })
  }
  file.leave()
  const vectors = cell?.vectors ?? []
  const periodic = cell === undefined ? {} : { periodic: PERIODIC }
  const listing = { title, vectors, ...periodic, atoms, names, warnings, rest: file.unused.rest }
  return crystalOf({ ...listing, namesOf: 'kinds' }, options)
}

interface FdfCell {
  readonly vectors: Matrix3
  /** In Å. */
  readonly constant: number
}

/** The cell; without a lattice constant there is none. */
function latticeOf(file: FdfFile, warnings: StructureWarning[]): FdfCell | undefined {
  const entry = file.take('latticeconstant')
  const [vectors, parameters] = [file.take('latticevectors'), file.take('latticeparameters')]
  const block = vectors ?? parameters
  if (entry === undefined) {
    if (block === undefined) return undefined
    const hint = 'Write LatticeConstant 1.0 Ang where the vectors are in ångström.'
    throw refusal(FORMAT_ERRORS.impossibleCell, 'The lattice has no LatticeConstant.', { line: block.line, hint })
  }
  if (vectors !== undefined && parameters !== undefined) {
    const hint = 'Give one block, LatticeVectors or LatticeParameters.'
    throw refusal(FORMAT_ERRORS.impossibleCell, 'The file has two lattices.', { line: parameters.line, hint })
  }
  const constant = readLength(entry, warnings)
  const { line } = block ?? entry
  if (vectors !== undefined) {
    const rows = vectors.rows.map((row) => requireVector(row.words, 'A lattice vector', { line: row.line }))
    if (rows.length !== 3) throw refusal(FORMAT_ERRORS.impossibleCell, 'LatticeVectors needs three lines.', { line })
    return { constant, vectors: rows.map((row) => scale(row, constant)) as unknown as Matrix3 }
  }
  const words = parameters === undefined ? '1 1 1 90 90 90'.split(' ') : parameters.rows.flatMap((row) => row.words)
  const at = (index: number): number => requireNumber(words[index], 'A lattice parameter', { line })
  const [a, b, c] = [at(0) * constant, at(1) * constant, at(2) * constant]
  return { constant, vectors: vectorsAlongX({ a, b, c, alpha: at(3), beta: at(4), gamma: at(5) }, { line }) }
}

function readLength({ rows, line }: FdfEntry, warnings: StructureWarning[]): number {
  const [text, unit] = rows[0]?.words ?? []
  const value = requireNumber(text, 'LatticeConstant', { line })
  if (unit === undefined)
    warnings.push({ code: 'unit-assumed', message: 'LatticeConstant has no unit: bohr is assumed.', line })
  return value * angstromPer(unit ?? 'bohr', UNITS, { line })
}

interface FdfSpecies {
  readonly label: string
  /** Null of ghosts and of orbitals without an atom. */
  readonly species: NamedSpecies | null
}

/** From here on atomic numbers are those of mixtures. */
const FIRST_SYNTHETIC = 201

/** The species by their numbers, with isotopes by their masses in Da. */
function speciesOf(file: FdfFile, names: SpeciesNames): (number: number, line: number) => FdfSpecies {
  const rows = file.take('chemicalspecieslabel')?.rows ?? []
  requireCount(file, 'numberofspecies', rows, 'ChemicalSpeciesLabel')
  const masses = new Map(
    (file.take('atomicmass')?.rows ?? []).map(({ words }) => [readCount(words[0]), readNumber(words[1])]),
  )
  const listed = new Map(rows.map((row) => [readCount(row.words[0]), row]))
  for (const { words } of rows) if (words.length > 3) file.unused.add('chemicalspecieslabel', words.join(' '))
  return (number, line) => {
    const row = listed.get(number)
    if (row === undefined) {
      const message = `The species ${number} is not in the block ChemicalSpeciesLabel.`
      throw refusal(FORMAT_ERRORS.unknownSpecies, message, { line })
    }
    const atomicNumber = requireNumber(row.words[1], 'The atomic number', { line: row.line })
    const label = row.words[2] ?? ''
    if (atomicNumber < 0)
      return { label, species: names.take(`ghost ${label}`, { element: null, sure: true }, { line: row.line }) }
    if (atomicNumber >= FIRST_SYNTHETIC) throw disordered(`${shorten(label)} is a mixture.`, { line: row.line })
    return { label, species: names.withMass(names.ofNumber(atomicNumber, { line: row.line }), masses.get(number), row) }
  }
}

function requireCount(file: FdfFile, name: string, rows: readonly FdfRow[], block: string): void {
  const entry = file.take(name)
  if (entry === undefined) return
  const count = requireNumber(entry.rows[0]?.words[0], name, { line: entry.line })
  if (count === rows.length) return
  const message = `${name} is ${count}, but ${block} has ${rows.length} lines.`
  throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { line: entry.line })
}

interface FdfReading {
  readonly cell: FdfCell | undefined
  readonly species: (number: number, line: number) => FdfSpecies
}

function atomsOf(file: FdfFile, { cell, species }: FdfReading, warnings: StructureWarning[]): readonly FileAtom[] {
  if (file.peek('zmatrix') !== undefined) {
    const hint =
      'List the atoms in the block AtomicCoordinatesAndAtomicSpecies, or send the .xyz that SIESTA makes with WriteCoorXmol.'
    throw refusal(FORMAT_ERRORS.notRepresentable, 'The places are given as a Z-matrix.', { hint })
  }
  const block = file.take('atomiccoordinatesandatomicspecies')
  if (block === undefined) {
    const hint = 'Send the file that has it, with lattice and species.'
    throw refusal(FORMAT_ERRORS.noStructure, 'There is no block AtomicCoordinatesAndAtomicSpecies.', { hint })
  }
  requireCount(file, 'numberofatoms', block.rows, 'AtomicCoordinatesAndAtomicSpecies')
  const unit = unitOf(file, cell, block.line, warnings)
  const origin = originOf(file)
  return block.rows.map(({ words, line }): FileAtom => {
    const place = add(requireVector(words, 'A place', { line }), origin)
    const number = requireNumber(words[3], 'The number of the species', { line })
    file.unused.ofAtom('words behind the species', words.slice(4).join(' '))
    const { label, species: named } = species(number, line)
    const details = label === '' || label === named?.element ? {} : { label }
    if (unit === null) return { species: named, place, isFraction: true, line, details }
    return { species: named, place: scale(place, unit), isFraction: false, line, details }
  })
}

/** The length in Å of the unit of places; null where they are fractions. */
function unitOf(file: FdfFile, cell: FdfCell | undefined, block: number, warnings: StructureWarning[]): number | null {
  const entry = file.take('atomiccoordinatesformat')
  const line = entry?.line ?? block
  if (entry === undefined)
    warnings.push({ code: 'unit-assumed', message: 'There is no AtomicCoordinatesFormat: bohr is assumed.', line })
  const name = entry?.rows[0]?.words[0] ?? 'Bohr'
  const kind = name.toLowerCase().replace(/^notscaledcartesian/, '')
  if (kind === 'bohr' || kind === 'ang') return angstromPer(kind, UNITS, { line })
  const isFraction = kind === 'fractional' || kind === 'scaledbylatticevectors'
  if (!isFraction && kind !== 'scaledcartesian') {
    const hint = 'Use Ang, Bohr, ScaledCartesian or Fractional.'
    throw refusal(FORMAT_ERRORS.malformed, `"${shorten(name)}" is no format of coordinates.`, { line, hint })
  }
  if (cell !== undefined) return isFraction ? null : cell.constant
  const message = `The places are ${name}, and there is no LatticeConstant.`
  throw refusal(FORMAT_ERRORS.impossibleCell, message, { line })
}

/** What is added to all places; a word for the centre moves all of the crystal, and stays in the rest. */
function originOf(file: FdfFile): Vector3 {
  const [row] = file.peek('atomiccoordinatesorigin')?.rows ?? []
  if (row !== undefined && readNumber(row.words[0]) === undefined) return [0, 0, 0]
  const taken = file.take('atomiccoordinatesorigin')
  return taken === undefined ? [0, 0, 0] : requireVector(row?.words ?? [], 'The origin', { line: taken.line })
}

const RADIAN = Math.PI / 180

/** Adds the moments that a run begins with, in Bohr magnetons; a block that speaks of the largest ones (`+`) stays in the rest. */
function withSpins(file: FdfFile, atoms: readonly FileAtom[]): readonly FileAtom[] {
  const rows = (file.peek('dminitspin')?.rows ?? []).map(({ words }) => words.map(readNumber))
  if (rows.length === 0 || rows.some((row) => row.length < 2 || row.includes(undefined))) return atoms
  file.take('dminitspin')
  const moments = new Map(
    rows.map(([atom, size = 0, theta = 0, phi = 0]): [number | undefined, Vector3] => {
      const across = size * Math.sin(theta * RADIAN)
      const moment = [across * Math.cos(phi * RADIAN), across * Math.sin(phi * RADIAN), size * Math.cos(theta * RADIAN)]
      return [atom, moment.map(tidy) as unknown as Vector3]
    }),
  )
  return atoms.map((atom, index) => {
    const moment = moments.get(index + 1)
    return moment === undefined || moment.every((x) => x === 0)
      ? atom
      : { ...atom, details: { ...atom.details, moment } }
  })
}
