import { readNumber, wordsOf } from '../../../structure/formats/common/text.ts'
import { ANGSTROM_PER_BOHR } from '../../../structure/lattice.ts'
import { type Matrix3, mapMatrix, scale, type Vector3 } from '../../../structure/linear-algebra.ts'
import type { OutputAtom, OutputAtoms } from './atoms.ts'
import { threeIn } from './pw-lines.ts'

/** Cell and atoms as a run prints them, first in its head, then as the cards of an input. */
export class PwStructure {
  /** Number of atoms; 0 before it is said. */
  count = 0
  /** Lattice vectors in units of alat. */
  axes: Matrix3 | null = null
  /** Symbols of elements by the labels of species. */
  readonly elements = new Map<string, string>()
  /** Electrons that an atom brings, by the labels of species. */
  readonly valences = new Map<string, number>()
  title = ''
  /** In Å. */
  #alat = 0
  #lattice: Matrix3 | null = null

  /** Takes the lattice constant in bohr; `celldm(1)` is printed with more decimals than alat. */
  setAlat(bohr: number): void {
    this.#alat = bohr * ANGSTROM_PER_BOHR
  }

  setAxes(axes: Matrix3): void {
    this.axes = axes
    this.#lattice = mapMatrix(axes, (entry) => entry * this.#alat)
  }

  /** Takes the card CELL_PARAMETERS by what stands beside its name: `(alat= 10.2)`, `(bohr)`, `(angstrom)`. */
  setCell(vectors: Matrix3, option: string): void {
    const alat = readNumber(/alat\s*=\s*([\d.]+)/i.exec(option)?.[1])
    if (alat !== undefined) this.setAlat(alat)
    const unit = this.#unitOf(option)
    if (unit !== null) this.#lattice = mapMatrix(vectors, (entry) => entry * unit)
  }

  /** The atoms of a list, whose unit is written beside its name. */
  atomsOf(atoms: readonly OutputAtom[], option: string, line: number): OutputAtoms | null {
    const isFraction = /cryst/i.test(option)
    const unit = isFraction ? 1 : this.#unitOf(option)
    if (this.#lattice === null || unit === null) return null
    return {
      lattice: this.#lattice,
      atoms: atoms.map((atom) => ({ ...atom, place: scale(atom.place, unit) })),
      isFraction,
      line,
    }
  }

  #unitOf(option: string): number | null {
    if (/alat|a_0/i.test(option)) return this.#alat === 0 ? null : this.#alat
    if (/bohr|a\.u\./i.test(option)) return ANGSTROM_PER_BOHR
    return /ang/i.test(option) ? 1 : null
  }
}

/** A row of the list in the head: `1  Si  tau(   1) = (   0.0000000   0.0000000   0.0000000  )`. */
export function siteRow(text: string): OutputAtom | null {
  const at = text.indexOf('tau(')
  const [, label] = wordsOf(text.slice(0, Math.max(at, 0)))
  const place = at === -1 ? null : threeIn(text.slice(text.indexOf('=', at)))
  return label === undefined || place === null ? null : { label, place }
}

/** A row of the card ATOMIC_POSITIONS: label, place, and along which directions the atom may move. */
export function positionRow(text: string): OutputAtom | null {
  const [label, x, y, z, ...flags] = wordsOf(text)
  const place = [x, y, z].map(readNumber)
  const [px, py, pz] = place
  if (label === undefined || px === undefined || py === undefined || pz === undefined) return null
  const [a, b, c] = flags.map((flag) => flag !== '0')
  const vector: Vector3 = [px, py, pz]
  return a === undefined || b === undefined || c === undefined
    ? { label, place: vector }
    : { label, place: vector, movable: [a, b, c] }
}
