import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import {
  applyToColumn,
  combineRows,
  determinant,
  IDENTITY,
  inverse,
  length,
  type Matrix3,
  mapVector,
  scale,
  type Vector3,
} from '../../linear-algebra.ts'
import { nearestDistance } from '../../symmetry/find-translation.ts'
import { parseOperator, type SymmetryOperator } from '../../symmetry/operator.ts'
import { shorten } from '../common/text.ts'
import type { CifAtom } from './atoms.ts'
import { type CifBlock, type CifValue, isGiven, requireCifNumber } from './document.ts'

const OPERATOR_TAG = '_space_group_symop_magn_operation_xyz'
const CENTRING_TAG = '_space_group_symop_magn_centering_xyz'
const LABEL_TAG = '_atom_site_moment_label'
const COMPONENT_TAGS = ['x', 'y', 'z'].map((axis) => `_atom_site_moment_crystalaxis_${axis}`)

/** An operator of a magnetic group: with time reversal where `time` is -1. */
interface MagneticOperator extends SymmetryOperator {
  readonly time: number
}

/** Tells whether a block gives the operators of its magnetic group. */
export function hasMagneticOperators(block: CifBlock): boolean {
  return valuesOf(block, OPERATOR_TAG).length > 0
}

/** All atoms of the cell of a magnetic structure, each with its moment: a moment is an axial vector that time reversal turns round. */
export function magneticAtoms(block: CifBlock, atoms: readonly CifAtom[], lattice: Matrix3): readonly CifAtom[] {
  const operators = magneticOperators(block)
  const moments = readMoments(block, lattice)
  const toLattice = inverse(lattice)
  return atoms.flatMap((atom) => {
    const moment = moments.get(atom.label)
    const images: CifAtom[] = []
    for (const { rotation, translation, time } of operators) {
      const moved = applyToColumn(rotation, atom.fraction)
      const fraction = mapVector(moved, (x, axis) => x + translation[axis] - Math.floor(x + translation[axis]))
      if (images.some((image) => nearestDistance(image.fraction, fraction, lattice) < SAME_PLACE)) continue
      if (moment === undefined) images.push({ ...atom, fraction })
      else {
        const along = applyToColumn(rotation, combineRows(moment, toLattice))
        const turned = combineRows(along, lattice)
        images.push({ ...atom, fraction, moment: scale(turned, time * determinant(rotation)) })
      }
    }
    return images
  })
}

const SAME_PLACE = 0.02

function magneticOperators(block: CifBlock): readonly MagneticOperator[] {
  const operators = valuesOf(block, OPERATOR_TAG).map(readOperator)
  const centrings = valuesOf(block, CENTRING_TAG).map(readOperator)
  if (operators.length === 0) return [{ rotation: IDENTITY, translation: [0, 0, 0], time: 1 }]
  if (centrings.length === 0) return operators
  return operators.flatMap(({ rotation, translation, time }) =>
    centrings.map((centring) => ({
      rotation,
      translation: mapVector(translation, (x, axis) => x + centring.translation[axis]),
      time: time * centring.time,
    })),
  )
}

/** `-x,y+1/2,-z,-1`: the last number says whether time is reversed. */
function readOperator(value: CifValue): MagneticOperator {
  const [, triplet = '', sign] = /^(.*),\s*([+-]?1)$/s.exec(value.text.trim()) ?? []
  const operator = parseOperator(triplet)
  if (operator !== undefined && sign !== undefined) return { ...operator, time: Number(sign) }
  const message = `"${shorten(value.text)}" is not an operator of a magnetic group.`
  const hint = 'An operator is written as -x,y+1/2,-z,-1, with +1 or -1 for time.'
  throw refusal(FORMAT_ERRORS.unknownSpaceGroup, message, { line: value.line, hint })
}

/** Moments by the labels of their atoms, Cartesian; files give components along the axes of the crystal. */
function readMoments(block: CifBlock, lattice: Matrix3): ReadonlyMap<string, Vector3> {
  const axes = axesOf(lattice)
  const labels = valuesOf(block, LABEL_TAG)
  const components = COMPONENT_TAGS.map((tag) => valuesOf(block, tag))
  return new Map(
    labels.map(({ text }, row) => {
      const numbers = components.map((column, axis) => {
        const value = column[row]
        return isGiven(value) ? requireCifNumber(value, COMPONENT_TAGS[axis] ?? '') : 0
      })
      return [text, combineRows(numbers as unknown as Vector3, axes)]
    }),
  )
}

/** Vectors of length 1 along the axes of the crystal. */
function axesOf([a, b, c]: Matrix3): Matrix3 {
  return [scale(a, 1 / length(a)), scale(b, 1 / length(b)), scale(c, 1 / length(c))]
}

function valuesOf(block: CifBlock, tag: string): readonly CifValue[] {
  block.taken.add(tag)
  const item = block.items.get(tag)
  if (isGiven(item)) return [item]
  const loop = block.loops.find(({ tags }) => tags.includes(tag))
  if (loop === undefined) return []
  const [column, width] = [loop.tags.indexOf(tag), loop.tags.length]
  return loop.values.filter((_, index) => index % width === column)
}

/** The operators of a magnetic structure in P 1, and the moments of its atoms along the axes of the crystal; `labels` are those of the sites. */
export function printMoments(
  lattice: Matrix3,
  moments: readonly (readonly [label: string, moment: Vector3])[],
): readonly string[] {
  if (moments.length === 0) return []
  const toAxes = inverse(axesOf(lattice))
  return [
    'loop_',
    '_space_group_symop_magn_operation.id',
    '_space_group_symop_magn_operation.xyz',
    '1 x,y,z,+1',
    'loop_',
    '_atom_site_moment.label',
    ...['x', 'y', 'z'].map((axis) => `_atom_site_moment.crystalaxis_${axis}`),
    ...moments.map(([label, moment]) => `${label} ${combineRows(moment, toAxes).map(sixDecimals).join(' ')}`),
  ]
}

function sixDecimals(value: number): string {
  return String(Math.round(value * 1e6) / 1e6 + 0)
}
