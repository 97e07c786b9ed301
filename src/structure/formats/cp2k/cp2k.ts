import { vectorsAlongX } from '../../cell.ts'
import { type Crystal, PERIODIC, type ReadOptions } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { add, scale, type Vector3 } from '../../linear-algebra.ts'
import { crystalOf, type FileAtom } from '../common/file-atoms.ts'
import type { StructureFormat } from '../common/format.ts'
import { SpeciesNames } from '../common/species-names.ts'
import { limitsOf, readCount, requireFewAtoms, requireNumber, shorten, wordsOf } from '../common/text.ts'
import { UnusedLines } from '../common/unused-lines.ts'
import { withFixed } from './fixed-atoms.ts'
import { type InputRow, readCp2kInput, type Section } from './input.ts'
import { anglesOf, isSet, lengthIn, lengthsOf, placeOf } from './units.ts'

/** The input of CP2K, and its restart files. */
export const cp2kFormat: StructureFormat = {
  name: 'cp2k',
  title: 'CP2K input',
  extensions: ['inp', 'restart'],
  recognizes: (text) => /^[ \t]*&(?:FORCE_EVAL|SUBSYS)\b/im.test(text),
  parse: parseCp2k,
}

/** What `&KIND` says of the atoms of a label. */
interface AtomKind {
  readonly element: string | undefined
  readonly isGhost: boolean
  /** In Da. */
  readonly mass: number | undefined
  /** In Bohr magnetons, along z. */
  readonly moment: number | undefined
}

function parseCp2k(text: string, options: ReadOptions): Crystal {
  const input = readCp2kInput(text, limitsOf(options))
  const title =
    input
      .section('GLOBAL')
      ?.take('PROJECT', 'PROJECT_NAME')
      ?.value.replace(/^["']|["']$/g, '') ?? ''
  const subsys = subsysOf(input)
  const [cell, coord] = [subsys.section('CELL'), subsys.section('COORD')]
  for (const section of [subsys, ...subsys.inner]) requireWhole(section)
  const copies = copiesOf(subsys, cell)
  requireCoordinates(subsys, coord)
  if (cell === undefined || coord === undefined) throw missing(input, cell === undefined ? 'CELL' : 'COORD')
  const names = new SpeciesNames('A line of &COORD begins with an element, or with a label whose &KIND has ELEMENT.')
  const unused = new UnusedLines()
  const vectors = vectorsOf(cell)
  const periodic = periodicOf(cell)
  const kinds = kindsOf(subsys)
  const isFraction = isSet(coord.take('SCALED'))
  const unit = coord.take('UNIT')
  const factor = unit === undefined || isFraction ? 1 : lengthIn(unit.value, unit.line)
  const listed = coord.takeOthers()
  requireFewAtoms(
    copies.reduce((product, count) => product * count, listed.length),
    options,
  )
  const cellAtoms = listed.map((row): FileAtom => {
    const place = scale(placeOf(row), factor)
    unused.ofAtom('molecule', wordsOf(row.value).slice(3).join(' '))
    return { ...atomOf(row, kinds, names), place, isFraction, line: row.line }
  })
  const atoms = repeated(cellAtoms, vectors, copies)
  const held = withFixed(input, atoms)
  input.leave(unused)
  const listing = { title, vectors: stretched(vectors, copies), periodic, atoms: held, names, warnings: [] }
  return crystalOf({ ...listing, rest: unused.rest, namesOf: 'kinds' }, options)
}

/** The only subsystem that the input has. */
function subsysOf(input: Section): Section {
  const [subsys, second] = [input, ...input.sections('FORCE_EVAL')].flatMap((one) => one.sections('SUBSYS'))
  if (subsys === undefined) throw missing(input, 'SUBSYS')
  if (second === undefined) return subsys
  const hint = 'Send an input of one &FORCE_EVAL, with the structure that is meant.'
  throw refusal(FORMAT_ERRORS.notRepresentable, 'The input has several &SUBSYS.', { line: second.line, hint })
}

/** Refuses a section that goes on in another file. */
function requireWhole(section: Section): void {
  const [row] = section.included
  if (row !== undefined) throw includedRefusal(`&${section.name}`, row)
}

function includedRefusal(where: string, { value, line }: InputRow): Error {
  const message = `${where} includes the file ${shorten(value)}, which is not here.`
  const hint = 'Put its lines in the place of @INCLUDE, and send the whole.'
  return refusal(FORMAT_ERRORS.noStructure, message, { line, hint })
}

function missing(input: Section, name: string): Error {
  const [row] = [input, ...input.sections('FORCE_EVAL')].flatMap(({ included }) => included)
  if (row !== undefined) return includedRefusal(`The input has no &${name}, and`, row)
  const spec = name === 'CELL' ? FORMAT_ERRORS.impossibleCell : FORMAT_ERRORS.noStructure
  const hint = 'The structure is read from &CELL and &COORD in &FORCE_EVAL, &SUBSYS.'
  return refusal(spec, `The input has no &${name}.`, { hint })
}

/** Refuses atoms that are in another file. */
function requireCoordinates(subsys: Section, coord: Section | undefined): void {
  const topology = subsys.section('TOPOLOGY')
  const format = topology?.take('COORD_FILE_FORMAT', 'COORDINATE')
  const file = topology?.take('COORD_FILE_NAME', 'COORD_FILE')
  const isOff = format === undefined || /^off$/i.test(format.value)
  if (file !== undefined && (!isOff || coord === undefined)) {
    const hint = 'Send that file, with the cell in it, or put its lines into &COORD.'
    const message = `The atoms are in the file ${shorten(file.value)}, which is not here.`
    throw refusal(FORMAT_ERRORS.noStructure, message, { line: file.line, hint })
  }
}

/** How often the cell is repeated along its vectors, which has to be said of cell and atoms. */
function copiesOf(subsys: Section, cell: Section | undefined): Vector3 {
  const ofCell = cell?.take('MULTIPLE_UNIT_CELL')
  const ofAtoms = subsys.section('TOPOLOGY')?.take('MULTIPLE_UNIT_CELL')
  const row = ofCell ?? ofAtoms
  if (row === undefined) return [1, 1, 1]
  const numbers = (one: InputRow | undefined): string => wordsOf(one?.value ?? '1 1 1').join(' ')
  const { line } = row
  if (numbers(ofCell) !== numbers(ofAtoms)) {
    const message = `MULTIPLE_UNIT_CELL is ${numbers(ofCell)} in &CELL and ${numbers(ofAtoms)} in &TOPOLOGY.`
    throw refusal(FORMAT_ERRORS.notRepresentable, message, { line, hint: 'Give both the same, or none.' })
  }
  const [a = 0, b = 0, c = 0, ...others] = wordsOf(row.value).map((word) => readCount(word) ?? 0)
  if (a * b * c > 0 && others.length === 0) return [a, b, c]
  const hint = 'Write three whole numbers greater than 0.'
  throw refusal(FORMAT_ERRORS.malformed, `MULTIPLE_UNIT_CELL is "${shorten(row.value)}".`, { line, hint })
}

/** The atoms of all copies in the order of CP2K: all of a cell, then those of the next one along the first vector. */
function repeated(atoms: readonly FileAtom[], vectors: readonly Vector3[], [na, nb, nc]: Vector3): readonly FileAtom[] {
  const [a, b, c] = vectors as [Vector3, Vector3, Vector3]
  const copies: FileAtom[] = []
  for (let k = 0; k < nc; k++) {
    for (let j = 0; j < nb; j++) {
      for (let i = 0; i < na; i++) {
        const shift = add(add(scale(a, i), scale(b, j)), scale(c, k))
        for (const atom of atoms) {
          const [x, y, z] = atom.place
          const place: Vector3 = atom.isFraction ? [(x + i) / na, (y + j) / nb, (z + k) / nc] : add(atom.place, shift)
          copies.push({ ...atom, place })
        }
      }
    }
  }
  return copies
}

function stretched(vectors: readonly Vector3[], copies: Vector3): readonly Vector3[] {
  return vectors.map((vector, axis) => scale(vector, copies[axis] ?? 1))
}

function vectorsOf(cell: Section): readonly Vector3[] {
  const file = cell.take('CELL_FILE_NAME')
  if (file !== undefined) {
    const message = `The cell is in the file ${shorten(file.value)}, which is not here.`
    throw refusal(FORMAT_ERRORS.impossibleCell, message, { line: file.line, hint: 'Write A, B and C into &CELL.' })
  }
  const vectors = ['A', 'B', 'C'].map((name) => cell.take(name)).filter((row) => row !== undefined)
  const unit = cell.take('UNIT')?.value
  const [edges, angles] = [cell.take('ABC'), cell.take('ALPHA_BETA_GAMMA', 'ANGLES')]
  if (edges === undefined ? vectors.length !== 3 : vectors.length !== 0) {
    const hint = 'Give the three vectors A, B and C, or the lengths ABC.'
    throw refusal(FORMAT_ERRORS.impossibleCell, 'The input does not have one cell.', { line: cell.line, hint })
  }
  if (edges === undefined) return vectors.map((row) => lengthsOf(row, unit))
  const [a, b, c] = lengthsOf(edges, unit)
  const [alpha, beta, gamma] = angles === undefined ? [90, 90, 90] : anglesOf(angles)
  return vectorsAlongX({ a, b, c, alpha, beta, gamma }, { line: edges.line })
}

function periodicOf(cell: Section): Crystal['periodic'] {
  const row = cell.take('PERIODIC')
  if (row === undefined) return PERIODIC
  const axes = row.value.toUpperCase()
  if (axes !== 'NONE' && !/^[XYZ]{1,3}$/.test(axes)) {
    const hint = 'Write XYZ, some of these letters, or NONE.'
    throw refusal(FORMAT_ERRORS.malformed, `PERIODIC is "${shorten(row.value)}".`, { line: row.line, hint })
  }
  return axes === 'NONE' ? [false, false, false] : [axes.includes('X'), axes.includes('Y'), axes.includes('Z')]
}

function kindsOf(subsys: Section): ReadonlyMap<string, AtomKind> {
  const number = (row: InputRow | undefined): number | undefined =>
    row === undefined
      ? undefined
      : requireNumber(row.value.replace(/^\[amu\]\s*/i, ''), row.keyword, { line: row.line })
  return new Map(
    subsys.sections('KIND').map((section) => [
      section.parameter.toUpperCase(),
      {
        element: section.take('ELEMENT', 'ELEMENT_SYMBOL')?.value,
        isGhost: isSet(section.take('GHOST')),
        mass: number(section.take('MASS', 'ATOMIC_MASS', 'ATOMIC_WEIGHT', 'WEIGHT')),
        moment: number(section.take('MAGNETIZATION')),
      },
    ]),
  )
}

/** The species of the label with which a line begins, and what its kind says beside. */
function atomOf(
  { keyword: label, line }: InputRow,
  kinds: ReadonlyMap<string, AtomKind>,
  names: SpeciesNames,
): Pick<FileAtom, 'species' | 'details'> {
  const kind = kinds.get(label.toUpperCase())
  if (kind?.isGhost === true) {
    return { species: names.take(`ghost ${label}`, { element: null, sure: true }, { line }) }
  }
  const species = names.withMass(names.ofType(kind?.element ?? label, { line }), kind?.mass, { line })
  const moment = kind?.moment ?? 0
  return {
    species,
    details: {
      ...(label.toUpperCase() === species?.element.toUpperCase() ? {} : { label }),
      ...(moment === 0 ? {} : { moment: [0, 0, moment] }),
    },
  }
}
