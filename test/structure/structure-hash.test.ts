import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Site, toCrystal } from '../../src/structure/crystal.ts'
import { countElements, reducedFormula, unitCellFormula } from '../../src/structure/formula.ts'
import { type CellParameters, latticeVectors } from '../../src/structure/lattice.ts'
import type { Vector3 } from '../../src/structure/linear-algebra.ts'
import { moleculeHash, scaledStructureHash, structureHash } from '../../src/structure/structure-hash.ts'
import { HASH_VECTORS, type HashVector } from './hash-vectors.ts'

const FCC: CellParameters = { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 }

function diamond(one: string, other: string): Site[] {
  return [
    { element: one, label: '', fraction: [0, 0, 0] },
    { element: other, label: '', fraction: [0.25, 0.25, 0.25] },
  ]
}

function sitesOf({ cell, units, sites }: HashVector): Site[] {
  const positions = sites.map(([, x, y, z]): Vector3 => [x, y, z])
  const fractions = units === 'cartesian' ? toCrystal(positions, latticeVectors(cell)) : positions
  return sites.map(([name], index) => {
    const [, element = '', label = ''] = /^([A-Za-z]+)(\d*)$/.exec(name) ?? []
    return { element, label, fraction: fractions[index] as Vector3 }
  })
}

describe('the hash of a structure', () => {
  test('of silicon is the one that clients compute', () => {
    expect(structureHash(FCC, diamond('Si', 'Si'))).toBe('a665723ef7429caef6ca89385fe25bae')
    expect(scaledStructureHash(FCC, diamond('Si', 'Si'))).toBe('87e416358789a7c435eaaba0344af51d')
  })

  test('of silicon germanium is the one that clients compute', () => {
    expect(structureHash(FCC, diamond('Si', 'Ge'))).toBe('368c62b93921e4952235c68b2daaab5e')
    expect(scaledStructureHash(FCC, diamond('Si', 'Ge'))).toBe('004209061f8ff4672ba961e277979278')
  })

  test.each(HASH_VECTORS.map((vector) => [vector.hash, vector] as const))(
    '%s is the one that clients compute',
    (hash, vector) => {
      const sites = sitesOf(vector)
      const counts = countElements(sites.map((site) => site.element))
      expect({
        hash: structureHash(vector.cell, sites),
        scaledHash: scaledStructureHash(vector.cell, sites),
        formula: reducedFormula(counts),
        unitCellFormula: unitCellFormula(counts),
      }).toEqual({
        hash,
        scaledHash: vector.scaledHash,
        formula: vector.formula,
        unitCellFormula: vector.unitCellFormula,
      })
    },
  )

  test('tells labels of one element apart', () => {
    const labelled = diamond('Si', 'Si').map((site, index) => ({ ...site, label: String(index + 1) }))
    expect(structureHash(FCC, labelled)).not.toBe(structureHash(FCC, diamond('Si', 'Si')))
  })

  test('does not depend on whole translations or on the order of sites', () => {
    const sites = fc.array(
      fc.record({
        element: fc.constantFrom('Si', 'Ge', 'O'),
        label: fc.constant(''),
        // Thousandths: far from the halves where rounding decides.
        fraction: fc.tuple(thousandth(), thousandth(), thousandth()),
      }),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(
        sites,
        fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })),
        (given, [u, v]) => {
          const moved = given.map((site) => ({
            ...site,
            fraction: [site.fraction[0] + u, site.fraction[1] + v, site.fraction[2]] as Vector3,
          }))
          expect(structureHash(FCC, moved.reverse())).toBe(structureHash(FCC, given))
        },
      ),
    )
  })

  test('scaled, does not depend on the size of the cell', () => {
    const large = { ...FCC, a: 5, b: 5, c: 5 }
    expect(scaledStructureHash(large, diamond('Si', 'Si'))).toBe('87e416358789a7c435eaaba0344af51d')
    expect(structureHash(large, diamond('Si', 'Si'))).not.toBe('a665723ef7429caef6ca89385fe25bae')
  })

  test('of a molecule is the MD5 of its InChI', () => {
    expect(moleculeHash('InChI=1S/H2O/h1H2')).toBe('29042ea6c1720dfd45bb0efdc80bddaf')
  })
})

function thousandth(): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 999 }).map((value) => value / 1000)
}
