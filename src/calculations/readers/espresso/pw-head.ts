import { EV_PER_RYDBERG } from '../../../page/units.ts'
import { shorten } from '../../../structure/formats/common/text.ts'
import type { Matrix3, Vector3 } from '../../../structure/linear-algebra.ts'
import type { Method, Potential, Precision } from '../../calculation.ts'
import type { PointList } from './pw-levels.ts'
import { nextLine, numberAfter, type PwBlock, rows, type Taken, threeIn } from './pw-lines.ts'

/** How a run describes electrons, as its head says it. */
export class PwHead {
  /** Words of the functional, and its numbers. */
  functional: string | null = null
  numbers: readonly number[] = []
  hasHubbardU = false
  isNoncollinear = false
  hasSmearing = false
  electrons: number | null = null
  points: PointList | null = null
  readonly #potentials = new Map<number, Potential>()
  readonly #subtypes = new Set<string>()
  #precision: Precision = {}

  get method(): Method | null {
    if (this.#potentials.size === 0) return null
    const subtype = ['paw', 'ultra-soft', 'norm-conserving'].find((name) => this.#subtypes.has(name))
    const potentials = [...this.#potentials.values()]
    return { type: 'pseudopotential', subtype: subtype ?? 'unknown', precision: this.#precision, potentials }
  }

  setCutoff(text: string): void {
    const cutoff = numberAfter(text)
    if (cutoff !== undefined) this.#precision = { ...this.#precision, cutoff: cutoff * EV_PER_RYDBERG }
  }

  /** Takes `number of k points=  4  Gaussian smearing, width (Ry)=  0.0300`. */
  setPoints(text: string): void {
    const count = /^number of k points *= *(\d+)/.exec(text)?.[1]
    const width = /(?:width|broad)[^=]*\(Ry\) *= *([\d.]+)/.exec(text)?.[1]
    if (count !== undefined) this.#precision = { ...this.#precision, kpoints: Number(count) }
    if (width !== undefined) this.#precision = { ...this.#precision, smearing: Number(width) * EV_PER_RYDBERG }
    this.hasSmearing = width !== undefined || /tetrahedr/i.test(text)
  }

  /** Takes the functional, whose numbers stand beside it or below it. */
  setFunctional(text: string): PwBlock | null {
    const [words = '', numbers] = text.slice(text.indexOf('=') + 1).split('(')
    this.functional = shorten(words.trim(), 80)
    if (numbers !== undefined) {
      this.numbers = integersIn(numbers)
      return null
    }
    return (line): Taken => {
      if (!line.startsWith('(')) return 'other'
      this.numbers = integersIn(line)
      return 'last'
    }
  }

  /** Takes `PseudoPot. # 1 for Si read from file:`; the name of the file stands behind it, or below it. */
  addPotential(text: string): PwBlock | null {
    const [, number, element, beside] = /^PseudoPot\. # *(\d+) for +(\S+) +read from file *:? *(.*)$/.exec(text) ?? []
    if (number === undefined || element === undefined) return null
    const add = (path: string): void => {
      this.#potentials.set(Number(number), { element, title: path.split('/').at(-1) ?? path })
    }
    if (beside === undefined || beside === '') return nextLine(add)
    add(beside)
    return null
  }

  setKind(text: string): void {
    if (/norm-conserving/i.test(text)) this.#subtypes.add('norm-conserving')
    else if (/ultrasoft/i.test(text)) this.#subtypes.add('ultra-soft')
    else if (/projector augmented/i.test(text)) this.#subtypes.add('paw')
  }

  /** Reads the list of k-points: `k(    1) = (   0.0000000   0.0000000   0.3333333), wk =   0.2222222`. */
  pointBlock(unit: PointList['unit'], axes: Matrix3 | null, most: number): PwBlock {
    const points: Vector3[] = []
    this.points = { unit, points, axes }
    return (text) => {
      if (!text.startsWith('k(')) return text === '' && points.length === 0 ? 'more' : 'other'
      const point = threeIn(text.slice(text.indexOf('=')))
      if (point === null || points.length >= most) this.points = null
      else points.push(point)
      return 'more'
    }
  }
}

function integersIn(text: string): readonly number[] {
  return (text.slice(0, 200).match(/-?\d+/g) ?? []).map(Number)
}

/** A species as the head has it. */
interface SpeciesRow {
  readonly label: string
  readonly element: string
  /** Electrons that an atom brings. */
  readonly valence: number
}

/** Reads the species: label, valence, mass, and the element of the potential: `Fe1  8.00  55.84700  Fe( 1.00)`. */
export function speciesBlock(add: (species: SpeciesRow) => void): PwBlock {
  return (text) => {
    const [, label, valence, element] = /^(\S+) +([\d.]+) +[\d.]+ +([A-Za-z]{1,2}) *\(/.exec(text) ?? []
    if (label === undefined || element === undefined) return 'other'
    add({ label, element, valence: Number(valence) })
    return 'more'
  }
}

/** Reads three rows of a matrix. */
export function matrixBlock(done: (matrix: Matrix3) => void): PwBlock {
  return rows(
    3,
    (text) => (/^(?:[ab]\(|[-+.\d])/.test(text) ? threeIn(text.slice(text.indexOf('=') + 1)) : null),
    ([a, b, c]) => {
      if (a !== undefined && b !== undefined && c !== undefined) done([a, b, c])
    },
  )
}
