import { vectorsAlongX } from '../../cell.ts'
import { type Crystal, PERIODIC, type ReadOptions } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { ANGSTROM_PER_BOHR } from '../../lattice.ts'
import { IDENTITY, scale, type Vector3 } from '../../linear-algebra.ts'
import { crystalOf, type FileAtom } from '../common/file-atoms.ts'
import type { StructureFormat } from '../common/format.ts'
import { disordered } from '../common/species.ts'
import { type NamedSpecies, SpeciesNames } from '../common/species-names.ts'
import { linesOf, requireFewAtoms, shorten } from '../common/text.ts'
import { AbinitInput, type AbinitNumbers } from './input.ts'

/** Input of ABINIT. */
export const abinitFormat: StructureFormat = {
  name: 'abinit',
  title: 'ABINIT input',
  extensions: ['abi'],
  recognizes: (text) => new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name.toLowerCase())).size > 1,
  parse: parseAbinit,
}

const VARIABLE = /(?:^|\s)(acell|rprim|angdeg|natom|ntypat|typat|znucl|xred|xcart|xangst)\d?[\s=]+[-+.*\ds]/gi

/** Variables that are the structure, with what says of which datasets: `acell2`, `xred?`, `acell+`. */
const OF_DATASETS =
  /^(?:acell|rprim|angdeg|scalecart|natom|ntypat|typat|znucl|xred|xcart|xangst|natrd|spgroup)[\d?:+*]+$/
const ELSEWHERE = ['include', 'structure', 'xyzfile', 'cmlfile']

/** Variables that make other structures of the one that is listed, and the values with which they do not. */
const MAKERS: readonly (readonly [name: string, isHarmless: (words: string, input: AbinitInput) => boolean])[] = [
  ['natrd', (words, input) => words === input.peek('natom')?.words.join(' ')],
  ['nobj', (words) => words === '0'],
  ['brvltt', (words) => words !== '-1'],
  ['nimage', (words) => words === '1'],
]

function parseAbinit(text: string, options: ReadOptions): Crystal {
  const input = new AbinitInput(text)
  requireOneStructure(input)
  const natom = input.takeCount('natom', 1)
  requireFewAtoms(natom, options)
  const names = new SpeciesNames('znucl has the atomic number of each type of atoms.')
  const vectors = latticeOf(input)
  const species = speciesOf(input, natom, names)
  const { places, line, isFraction } = placesOf(input, natom)
  const moments = rowsOf(input.take('spinat', 3 * natom)?.values ?? [])
  const atoms = species.map((one, index): FileAtom => {
    const moment = moments[index]
    const details = moment?.some((x) => x !== 0) ? { moment } : {}
    return { species: one, place: places[index] as Vector3, isFraction, line, details }
  })
  const comment = /^\s*[#!]+\s*(\S.*)$/.exec(linesOf(text)[0] ?? '')?.[1]?.trim() ?? ''
  const title = /[A-Za-z]/.test(comment) ? comment : ''
  const { rest } = input.unused
  return crystalOf({ title, vectors, periodic: PERIODIC, atoms, names, warnings: [], rest }, options)
}

/** Refuses what is in another file, several structures, and atoms that symmetry is to make. */
function requireOneStructure(input: AbinitInput): void {
  const refuse = (name: string, message: string, hint: string): never => {
    const { line = 1 } = input.peek(name) ?? {}
    throw refusal(FORMAT_ERRORS.notRepresentable, message, { line, hint })
  }
  for (const name of ELSEWHERE) {
    const file = input.peek(name)?.words.join(' ')
    if (file === undefined) continue
    const hint = 'Send that file, or put what it says into this one.'
    refuse(name, `Part of the input is in another file: ${name} ${shorten(file)}.`, hint)
  }
  const ofOne = input.names.find((name) => OF_DATASETS.test(name))
  if (ofOne !== undefined) {
    const hint = 'Send one dataset as an input: its values under the names without a number.'
    refuse(ofOne, `${shorten(ofOne)} is the structure of some of the datasets.`, hint)
  }
  for (const [name, isHarmless] of MAKERS) {
    const words = input.peek(name)?.words.join(' ')
    if (words === undefined || isHarmless(words, input)) continue
    const hint = 'List all atoms of one cell under xred or xcart.'
    refuse(name, `${name} is ${shorten(words)}: the structure is another than the one that is listed.`, hint)
  }
}

/** The vectors of rprim, or of angles, each as long as acell says, and stretched along the axes. */
function latticeOf(input: AbinitInput): readonly Vector3[] {
  const acell = input.take('acell', 3) ?? { values: [1, 1, 1], unit: ANGSTROM_PER_BOHR }
  const [rprim, angles, stretch] = [input.take('rprim', 9), input.take('angdeg', 3), input.take('scalecart', 3)]
  if (rprim !== undefined && angles !== undefined) {
    throw refusal(FORMAT_ERRORS.impossibleCell, 'The file has rprim and angdeg.', { line: angles.line })
  }
  const vectors = angles === undefined ? rowsOf(rprim?.values ?? IDENTITY.flat()) : vectorsOfAngles(angles)
  const [x = 1, y = 1, z = 1] = stretch?.values ?? []
  const factor = stretch === undefined ? 1 : stretch.unit / ANGSTROM_PER_BOHR
  return vectors.map((vector, index): Vector3 => {
    const [u, v, w] = scale(vector, (acell.values[index] ?? 1) * acell.unit * factor)
    return [u * x, v * y, w * z]
  })
}

const RIGHT_ANGLE = 90

/** Unit vectors of angles: three equal ones lie about z, others have the first along x and the second in the xy plane. */
function vectorsOfAngles({ values, line }: AbinitNumbers): readonly Vector3[] {
  const [alpha, beta, gamma] = values as unknown as Vector3
  const lattice = vectorsAlongX({ a: 1, b: 1, c: 1, alpha, beta, gamma }, { line })
  if (alpha !== beta || beta !== gamma || alpha === RIGHT_ANGLE) return lattice
  const across = Math.sqrt((2 / 3) * (1 - Math.cos((alpha * Math.PI) / 180)))
  const along = Math.sqrt(1 - across * across)
  const side = (across * Math.sqrt(3)) / 2
  return [
    [across, 0, along],
    [-across / 2, side, along],
    [-across / 2, -side, along],
  ]
}

const MOST_TYPES = 1000

/** The species of the atoms, by their types; isotopes by masses in Da. */
function speciesOf(input: AbinitInput, natom: number, names: SpeciesNames): readonly (NamedSpecies | null)[] {
  const mixture = input.peek('mixalch')
  if (mixture !== undefined) throw disordered('Types of atoms are mixtures (mixalch).', { line: mixture.line })
  const ntypat = input.takeCount('ntypat', 1)
  if (ntypat > MOST_TYPES) {
    const message = `ntypat is ${ntypat}; at most ${MOST_TYPES} are read.`
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, {})
  }
  const numbers = input.take('znucl', ntypat)
  if (numbers === undefined) {
    const hint = 'Write znucl with the atomic number of each type.'
    throw refusal(FORMAT_ERRORS.unknownSpecies, 'The input has no znucl.', { hint })
  }
  const masses = input.take('amu', ntypat)?.values ?? []
  const line = input.peek('typat')?.line ?? numbers.line
  const types = input.take('typat', natom)?.values ?? (ntypat === 1 ? Array.from({ length: natom }, () => 1) : null)
  if (types === null) throw refusal(FORMAT_ERRORS.unknownSpecies, 'The input has no typat.', { line })
  return types.map((type) => {
    const number = numbers.values[type - 1]
    if (number === undefined) {
      const message = `typat has the type ${type}, and ntypat is ${ntypat}.`
      throw refusal(FORMAT_ERRORS.unknownSpecies, message, { line })
    }
    return names.withMass(names.ofNumber(number, { line: numbers.line }), masses[type - 1])
  })
}

interface AbinitPlaces {
  readonly places: readonly Vector3[]
  readonly line: number
  readonly isFraction: boolean
}

/** The places, as fractions or in Å; a single atom may have none, and is in the origin. */
function placesOf(input: AbinitInput, natom: number): AbinitPlaces {
  const given = ['xred', 'xcart', 'xangst'].filter((name) => input.peek(name) !== undefined)
  const [name, second] = given
  if (second !== undefined) {
    const line = input.peek(second)?.line ?? 1
    throw refusal(FORMAT_ERRORS.malformed, `The places are given twice, by ${name} and ${second}.`, { line })
  }
  const numbers = name === undefined ? undefined : input.take(name, 3 * natom)
  if (numbers === undefined) {
    if (natom === 1) return { places: [[0, 0, 0]], line: 1, isFraction: true }
    throw refusal(FORMAT_ERRORS.noStructure, 'The input has no xred, xcart or xangst.', {})
  }
  const unit = { xred: 1, xcart: numbers.unit, xangst: 1 }[name as string] ?? 1
  const places = rowsOf(numbers.values).map((row) => scale(row, unit))
  return { places, line: numbers.line, isFraction: name === 'xred' }
}

function rowsOf(values: readonly number[]): readonly Vector3[] {
  return Array.from({ length: values.length / 3 }, (_, row) => values.slice(3 * row, 3 * row + 3) as unknown as Vector3)
}
