import { describe, expect, it } from 'vitest'
import type { Cell } from '../../src/structure/crystal.ts'
import { latticeVectors, reduceLattice } from '../../src/structure/lattice.ts'
import type { Matrix3 } from '../../src/structure/linear-algebra.ts'
import { analyzeSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import { latticeRotations } from '../../src/structure/symmetry/lattice-rotations.ts'
import { sample, strained } from '../structure-matching/support/copies.ts'
import { supercellOf } from './support/supercells.ts'

/** The tolerance up to which the group within 0.01 Å is certain. */
function mostOf(cell: Cell): number {
  return analyzeSymmetry(cell, 0.01).certain.most
}

/** A crystal with its last atom moved by so many Å along a. */
function moved({ lattice, sites }: Cell, by: number): Cell {
  const step = by / Math.hypot(...lattice[0])
  return {
    lattice,
    sites: sites.map((site, at) => {
      const [x, y, z] = site.fraction
      return at === sites.length - 1 ? { ...site, fraction: [x + step, y, z] } : site
    }),
  }
}

/** Without any symmetry. */
const TRICLINIC: Cell = {
  lattice: latticeVectors({ a: 4, b: 5, c: 6, alpha: 80, beta: 95, gamma: 100 }),
  sites: [
    { element: 'Na', fraction: [0, 0, 0] },
    { element: 'Cl', fraction: [0.5, 0.4, 0.3] },
    { element: 'Br', fraction: [0.3, 0.8, 0.7] },
  ],
}

describe('the group of a crystal is certain within a greater tolerance', () => {
  it('where all rotations of its lattice are among its operators', () => {
    expect(mostOf(sample('mg-hcp'))).toBe(0.1)
    expect(mostOf(strained(sample('nacl-rocksalt'), [0.1, 0.2]))).toBe(0.1)
  })

  it('where the others bring its atoms to no likes', () => {
    expect(mostOf(sample('gaas-zincblende'))).toBe(0.1)
    expect(mostOf(sample('sio2-quartz'))).toBe(0.1)
    expect(mostOf(moved(sample('srtio3-perovskite'), 0.9))).toBe(0.1)
  })

  it('not where its lattice, or its atoms, nearly have others', () => {
    expect(mostOf(strained(sample('nacl-rocksalt'), [0.01, 0.02]))).toBe(0.01)
    expect(mostOf(moved(sample('srtio3-perovskite'), 0.05))).toBe(0.01)
  })

  it('not where it nearly repeats in less, with any of its rotations', () => {
    expect(mostOf(moved(supercellOf(sample('cscl-cscl'), 2), 0.05))).toBe(0.01)
    expect(mostOf(moved(supercellOf(sample('sio2-quartz'), 2), 0.05))).toBe(0.01)
    expect(mostOf(supercellOf(TRICLINIC, 2))).toBe(0.1)
    expect(mostOf(moved(supercellOf(TRICLINIC, 2), 0.05))).toBe(0.01)
  })

  it('not where one atom may be taken for another', () => {
    const split: Cell = { ...TRICLINIC, sites: [...TRICLINIC.sites, { element: 'Cl', fraction: [0.55, 0.4, 0.3] }] }
    expect(mostOf(split)).toBe(0.01)
  })
})

const EDGES = { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 }

describe('the rotations of a lattice', () => {
  it.each([
    ['cubic', EDGES, 48],
    ['face-centred cubic', { ...EDGES, alpha: 60, beta: 60, gamma: 60 }, 48],
    ['hexagonal', { ...EDGES, c: 6, gamma: 120 }, 24],
    ['tetragonal', { ...EDGES, c: 6 }, 16],
    ['rhombohedral', { ...EDGES, alpha: 75, beta: 75, gamma: 75 }, 12],
    ['orthorhombic', { ...EDGES, b: 5, c: 6 }, 8],
    ['monoclinic', { ...EDGES, b: 5, c: 6, beta: 105 }, 4],
    ['triclinic', { ...EDGES, b: 5, c: 6, alpha: 80, beta: 95, gamma: 104 }, 2],
  ] as const)('are as many as a %s one has', (_, cell, count) => {
    expect(latticeRotations(reduceLattice(latticeVectors(cell)), 0.01)).toHaveLength(count)
  })

  it('are those that hold but for a distance', () => {
    const lattice: Matrix3 = latticeVectors({ ...EDGES, c: 4.1 })
    expect(latticeRotations(lattice, 0.05)).toHaveLength(16)
    expect(latticeRotations(lattice, 0.11)).toHaveLength(48)
    const sheared: Matrix3 = latticeVectors({ ...EDGES, gamma: 92 })
    expect(latticeRotations(sheared, 0.001)).toHaveLength(8)
    expect(latticeRotations(sheared, 0.1)).toHaveLength(48)
  })
})
