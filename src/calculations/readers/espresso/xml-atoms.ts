import { ANGSTROM_PER_BOHR } from '../../../structure/lattice.ts'
import { type Matrix3, scale, type Vector3 } from '../../../structure/linear-algebra.ts'
import type { OutputAtom, OutputAtoms } from './atoms.ts'
import { numbersIn, type XmlElement } from './xml-tree.ts'

/** Atoms and cell of an element `atomic_structure`, in bohr; nothing where it is not whole, or gives its atoms by symmetry. */
export function atomsIn(structure: XmlElement | undefined): OutputAtoms | null {
  const cell = structure?.take('cell')
  const vectors = ['a1', 'a2', 'a3'].map((name) => vectorIn(cell?.takeText(name)))
  const [a, b, c] = vectors
  const positions = structure?.take('atomic_positions') ?? structure?.take('crystal_positions')
  if (positions === undefined || a == null || b == null || c == null) return null
  const isFraction = positions.name === 'crystal_positions'
  const unit = isFraction ? 1 : ANGSTROM_PER_BOHR
  const atoms = positions.children.map((atom): OutputAtom | null => {
    const place = vectorIn(atom.text)
    return place === null ? null : { label: (atom.attributes.get('name') ?? '').trim(), place: scale(place, unit) }
  })
  if (atoms.includes(null)) return null
  const lattice: Matrix3 = [scale(a, ANGSTROM_PER_BOHR), scale(b, ANGSTROM_PER_BOHR), scale(c, ANGSTROM_PER_BOHR)]
  for (const name of ['nat', 'alat', 'bravais_index']) structure?.takeAttribute(name)
  return { lattice, atoms: atoms.filter((atom) => atom !== null), isFraction, line: positions.line }
}

/** Adds along which directions atoms may move: `free_positions`, three numbers for each. */
export function withFreedom(structure: OutputAtoms, free: string | undefined): OutputAtoms {
  const flags = numbersIn(free ?? '') ?? []
  if (flags.length !== 3 * structure.atoms.length) return structure
  const isFree = (index: number, axis: number): boolean => flags[3 * index + axis] !== 0
  const atoms = structure.atoms.map((atom, index) => ({
    ...atom,
    movable: [isFree(index, 0), isFree(index, 1), isFree(index, 2)] as const,
  }))
  return { ...structure, atoms }
}

export function vectorIn(text: string | undefined): Vector3 | null {
  const [x, y, z, ...more] = numbersIn(text ?? '') ?? []
  return x === undefined || y === undefined || z === undefined || more.length > 0 ? null : [x, y, z]
}

/** Rows of three numbers. */
export function rowsOfThree(text: string | undefined): readonly Vector3[] | null {
  const numbers = numbersIn(text ?? '')
  if (numbers === null || numbers.length === 0 || numbers.length % 3 !== 0) return null
  return Array.from({ length: numbers.length / 3 }, (_, row): Vector3 => {
    const [x = 0, y = 0, z = 0] = numbers.slice(3 * row, 3 * row + 3)
    return [x, y, z]
  })
}
