import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import type { Cell } from '../../src/structure/crystal.ts'
import { type CellParameters, latticeVectors, vectorsVolume } from '../../src/structure/lattice.ts'
import {
  AXES,
  add,
  combineRows,
  determinant,
  inverse,
  type Matrix3,
  multiply,
  type Vector3,
} from '../../src/structure/linear-algebra.ts'
import { niggliCell, niggliLattice } from '../../src/structure/niggli.ts'
import { AXIS_ORDERS, changeWithin } from '../../src/structure/symmetry/change-of-cell.ts'
import { analyzeSymmetry, loadSymmetryFinder } from '../../src/structure/symmetry/find-symmetry.ts'
import { nearestDistance, SitesByPlace } from '../../src/structure/symmetry/find-translation.ts'
import { expandSite, imageOf } from '../../src/structure/symmetry/operator.ts'
import { orbitsOf } from '../../src/structure/symmetry/sites.ts'
import { operatorsOfSetting, SPACE_GROUP_SETTINGS } from '../../src/structure/symmetry/space-group-setting.ts'
import type { FoundSymmetry } from '../../src/structure/symmetry/symmetry-report.ts'
import { wyckoffPositions } from '../../src/structure/symmetry/wyckoff-positions.ts'

/** Lengths in Å, angles in degrees. */
const SAME = 1e-3

function operatorsOf(hallNumber: number) {
  const setting = SPACE_GROUP_SETTINGS[hallNumber - 1]
  if (setting === undefined) throw new Error(`there is no setting ${hallNumber}`)
  return operatorsOfSetting(setting)
}

function shapeOf([a = 0, b = 0, c = 0, alpha = 0, beta = 0, gamma = 0]: readonly number[]): CellParameters {
  return { a, b, c, alpha, beta, gamma }
}

function vectorOf([x = 0, y = 0, z = 0]: readonly number[]): Vector3 {
  return [x, y, z]
}

function expectShape(lattice: Matrix3, wanted: readonly number[]): void {
  const shape = Object.values(parametersOf(lattice))
  expect(shape.map((value, at) => Math.abs(value - (wanted[at] ?? 0)) < SAME)).toEqual(Array(6).fill(true))
}

interface Given {
  readonly number: number
  readonly hallNumber: number
  readonly cell: Cell
  readonly standard: readonly number[]
  readonly reduced: readonly number[]
}

/** Made in the standard setting, and then written in another cell from another origin. */
const given = readFileSync(new URL('../fixtures/standard-cells.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Given => {
    const [number, hallNumber, shape, atoms = '', vectors, origin, standard, reduced] = line.split('\t')
    const numbers = (text = '') => text.split(' ').map(Number)
    const lattice = latticeVectors(shapeOf(numbers(shape)))
    const of = numbers(vectors)
    const axes: Matrix3 = [vectorOf(of.slice(0, 3)), vectorOf(of.slice(3, 6)), vectorOf(of.slice(6))]
    const sites = atoms.split('; ').flatMap((atom) => {
      const [element = '', ...place] = atom.split(' ')
      const images = expandSite(vectorOf(place.map(Number)), operatorsOf(Number(hallNumber)), lattice)
      return images.map((image) => ({
        element,
        fraction: combineRows(add(image, vectorOf(numbers(origin))), inverse(axes)),
      }))
    })
    return {
      number: Number(number),
      hallNumber: Number(hallNumber),
      cell: { lattice: multiply(axes, lattice), sites },
      standard: numbers(standard),
      reduced: numbers(reduced),
    }
  })

describe('The standard cell', () => {
  const found = given.map((one) => [one, analyzeSymmetry(one.cell, 0.01)] as const)

  it('has the lengths and angles that spglib finds, in every crystal system', () => {
    for (const [{ number, hallNumber, standard }, symmetry] of found) {
      expect(symmetry).toMatchObject({ number, hallNumber })
      expectShape(symmetry.conventionalCell.lattice, standard)
    }
  })

  it('has the operators of the setting that is told', () => {
    for (const [, { conventionalCell, hallNumber }] of found) {
      const places = new SitesByPlace(conventionalCell, 1e-3)
      for (const operator of operatorsOf(hallNumber)) {
        const images = conventionalCell.sites.map(({ element, fraction }) =>
          places.find(imageOf(fraction, operator), element),
        )
        expect(images).not.toContain(undefined)
      }
    }
  })

  it('has its sites on the Wyckoff positions that are told', () => {
    for (const [, symmetry] of found) {
      // Of the other systems a position is more than coordinates that are fixed or free.
      if (symmetry.number > 74) continue
      for (const orbit of orbitsOf(symmetry)) expectOnPosition(orbit, symmetry)
    }
  })

  it('holds the primitive cell that is told', () => {
    for (const [, { conventionalCell, primitiveCell }] of found) {
      const { lattice, sites } = primitiveCell
      const toPrimitive = multiply(conventionalCell.lattice, inverse(lattice))
      expect(toPrimitive.flat().every((entry) => Math.abs(entry - Math.round(entry)) < 1e-6)).toBe(true)
      for (const { element, fraction } of conventionalCell.sites) {
        const place = combineRows(fraction, toPrimitive)
        expect(
          sites.some((site) => site.element === element && nearestDistance(site.fraction, place, lattice) < 1e-3),
        ).toBe(true)
      }
    }
  })
})

function expectOnPosition(
  { coordinate, wyckoffLetter, multiplicity, siteSymmetry }: ReturnType<typeof orbitsOf>[number],
  { hallNumber }: FoundSymmetry,
): void {
  const position = wyckoffPositions(hallNumber).find(({ letter }) => letter === wyckoffLetter)
  expect(position).toMatchObject({ multiplicity, siteSymmetry })
  const { rotation = [], translation = [] } = position?.place ?? {}
  const isThere = operatorsOf(hallNumber).some((operator) => {
    const image = imageOf(coordinate, operator)
    return AXES.every((axis) => {
      const off = image[axis] - (translation[axis] ?? 0)
      return rotation[axis]?.some((factor) => factor !== 0) || Math.abs(off - Math.round(off)) < 1e-4
    })
  })
  expect(isThere).toBe(true)
}

describe('Orders of the axes', () => {
  /** Of the groups 16 to 74: index of the group in its affine normalizer, of what changes axes (International Tables, vol. A, table 15.2.1.4). */
  const COUNTS =
    '6 2 2 6 2 2 6 6 6 2 1 2 1 1 1 1 2 1 2 2 1 2 1 1 1 1 2 2 2 2 1 6 6 2 2 1 1 1 1 2 2 1 2 2 1 3 1 1 1 2 2 2 2 6 6 6 2 6 2'

  it('are as many in each orthorhombic group as its normalizer has', () => {
    const counts = COUNTS.split(' ').map((_, index) => {
      const setting = SPACE_GROUP_SETTINGS.find(({ number }) => number === 16 + index)
      const operators = setting === undefined ? [] : operatorsOfSetting(setting)
      return AXIS_ORDERS.filter((axes) => changeWithin(operators, axes) !== undefined).length
    })
    expect(counts.join(' ')).toBe(COUNTS)
  })
})

describe('The reduced cell', () => {
  loadSymmetryFinder()

  it('has the lengths and angles that spglib finds', () => {
    for (const { cell, reduced } of given)
      expectShape(niggliCell(analyzeSymmetry(cell, 0.01).primitiveCell).lattice, reduced)
  })

  it('has the atoms of the cell that it was made from', () => {
    for (const { cell } of given) {
      const reduced = niggliCell(cell)
      expect(reduced.sites).toHaveLength(cell.sites.length)
      expect(vectorsVolume(reduced.lattice)).toBeCloseTo(vectorsVolume(cell.lattice), 6)
      const places = (one: Cell) => one.sites.map(({ fraction }) => combineRows(fraction, one.lattice))
      for (const [at, place] of places(reduced).entries()) {
        const there = places(cell)[at] ?? [0, 0, 0]
        expect(nearestDistance(place, there, cell.lattice)).toBeLessThan(1e-6)
      }
    }
  })

  it.each([
    ['a primitive cubic cell', [3, 3, 3, 90, 90, 90], [3, 3, 3, 90, 90, 90]],
    ['a hexagonal cell at 60 degrees', [3, 3, 5, 90, 90, 60], [3, 3, 5, 90, 90, 120]],
    [
      'a primitive cell of a centred body',
      [3, 3, 3, 109.4712206, 109.4712206, 109.4712206],
      [3, 3, 3, 109.471, 109.471, 109.471],
    ],
    ['a primitive cell of centred faces', [3, 3, 3, 60, 60, 60], [3, 3, 3, 60, 60, 60]],
    ['a and b that are equal', [5, 5, 6, 75, 80, 70], [5, 5, 6, 80, 75, 70]],
    ['b and c that are equal', [5, 6, 6, 70, 75, 80], [5, 6, 6, 70, 80, 75]],
    ['angles on both sides of the right one', [4, 5, 6, 80, 100, 95], [4, 5, 6, 80, 80, 85]],
  ])('is that of Niggli for %s', (_, shape, wanted) => {
    expectShape(niggliLattice(latticeVectors(shapeOf(shape))), wanted)
  })

  it('is the same of cells that differ by the noise of measured lengths', () => {
    const exact = latticeVectors(shapeOf([6.1, 6.1, 9.3, 90, 90, 120]))
    for (const noise of [1e-7, -1e-6, 3e-6]) {
      const [a, b, c] = exact
      const noisy: Matrix3 = [
        add(a, [noise, -noise, noise]),
        add(add(b, a), [-noise, noise, 0]),
        add(c, [noise, 0, noise]),
      ]
      expectShape(niggliLattice(noisy), [6.1, 6.1, 9.3, 90, 90, 120])
    }
  })

  it('turns the vectors of a left-handed cell', () => {
    const [a, b, c] = latticeVectors(shapeOf([4, 5, 6, 90, 90, 90]))
    expect(determinant(niggliLattice([b, a, c]))).toBeCloseTo(120, 6)
  })
})
