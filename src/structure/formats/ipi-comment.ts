import { vectorsAlongX } from '../cell.ts'
import type { StructureWarning } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { type Matrix3, scale, transpose, type Vector3 } from '../linear-algebra.ts'
import { angstromPer } from './common/length-units.ts'
import { requireNumber, wordsOf } from './common/text.ts'

/** The cell and the units in the comment of an XYZ of i-PI. */
export interface IpiComment {
  readonly lattice: Matrix3
  /** Unit of the places, in Å. */
  readonly unit: number
  /** `Step` and the like. */
  readonly values: readonly (readonly [name: string, text: string])[]
  readonly warnings: readonly StructureWarning[]
}

const CELL = /CELL[([{](abcABC|H|GENH)[)\]}]:([-+\d.Ee \t]*)/
const QUANTITY = /(?<![\w{])([A-Za-z_]\w*)\{([A-Za-z_]*)\}/g
const VALUE = /(?<![\w{])(Step|Bead|bead):\s*(\S+)/g

/** Units of length of i-PI; it takes its own where a file names none. */
const UNITS = ['atomic_unit', 'bohr', 'angstrom', 'ase', 'nanometer'] as const
const OWN_UNIT = 'atomic_unit'
/** Quantities of a trajectory that are places of atoms. */
const PLACES = ['positions', 'x_centroid']

/** Reads `# CELL(abcABC): 5 6 7 90 90 90 Step: 0 Bead: 0 positions{angstrom} cell{angstrom}`; nothing for other comments. */
export function readIpiComment(text: string, line: number): IpiComment | undefined {
  const [, form, numbers = ''] = CELL.exec(text) ?? []
  if (form === undefined) return undefined
  const units = new Map([...text.matchAll(QUANTITY)].map(([, name = '', unit = '']) => [name, unit] as const))
  const other = [...units.keys()].find((name) => !/^cell$/i.test(name) && !PLACES.includes(name))
  if (other !== undefined) {
    const hint = 'Send the file of the positions.'
    throw refusal(FORMAT_ERRORS.notRepresentable, `The file lists ${other}, not places of atoms.`, { line, hint })
  }
  const place = PLACES.find((name) => units.has(name))
  const [ofPlaces, ofCell] = [place === undefined ? undefined : units.get(place), units.get('cell')]
  const message = `The comment names no unit of ${ofPlaces === undefined ? 'the places' : 'the cell'}: that of i-PI, bohr, is assumed.`
  return {
    lattice: readCell(form, numbers, line).map((row) => scale(row, unitNamed(ofCell, line))) as unknown as Matrix3,
    unit: unitNamed(ofPlaces, line),
    values: [...text.matchAll(VALUE)].map(([, name = '', value = '']) => [name, value]),
    warnings: ofPlaces === undefined || ofCell === undefined ? [{ code: 'unit-assumed', message, line }] : [],
  }
}

function unitNamed(name: string | undefined, line: number): number {
  return angstromPer(name ?? OWN_UNIT, UNITS, { line })
}

/** Lengths and angles; the matrix whose columns are the vectors (`H`), or whose rows are (`GENH`). */
function readCell(form: string, text: string, line: number): Matrix3 {
  const place = {
    line,
    hint: 'CELL(abcABC) has three lengths and three angles, CELL(H) and CELL(GENH) have nine numbers.',
  }
  const numbers = wordsOf(text).map((word) => requireNumber(word, 'A number of the cell', place))
  if (numbers.length !== (form === 'abcABC' ? 6 : 9)) {
    throw refusal(FORMAT_ERRORS.malformed, `CELL(${form}) has ${numbers.length} numbers.`, place)
  }
  if (form === 'abcABC') {
    const [a, b, c, alpha, beta, gamma] = numbers as [number, number, number, number, number, number]
    return vectorsAlongX({ a, b, c, alpha, beta, gamma }, place)
  }
  const rows = [0, 3, 6].map((start) => numbers.slice(start, start + 3) as unknown as Vector3) as unknown as Matrix3
  return form === 'H' ? transpose(rows) : rows
}
