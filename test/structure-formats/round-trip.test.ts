import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/cell.ts'
import { type Crystal, rightHanded } from '../../src/structure/crystal.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import { STRUCTURE_FORMATS } from '../../src/structure/formats/registry.ts'
import { determinant } from '../../src/structure/linear-algebra.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import { anyCrystal } from './crystals.ts'

const WRITTEN = STRUCTURE_FORMATS.filter((format) => format.print !== undefined)

/** Lengths, angles and fractions on right-handed axes: all that says which crystal it is, whatever its orientation. */
function essence(given: Crystal): unknown {
  const crystal = rightHanded(given)
  const round = (value: number): number => Math.round(value * 1e7) / 1e7 + 0
  const modulo = (value: number): number => round(value - Math.floor(value + 1e-8))
  return {
    cell: Object.values(parametersOf(crystal.lattice)).map(round),
    sites: crystal.sites.map((site) => [site.element, ...site.fraction.map(modulo)]),
  }
}

describe.each(WRITTEN.map((format) => [format.name] as const))('%s', (name) => {
  it('gives back every crystal that it has written', () => {
    fc.assert(
      fc.property(anyCrystal, (crystal) => {
        const reading = readStructure(printStructure(crystal, name), { format: name })
        expect(essence(reading.crystal)).toEqual(essence(crystal))
      }),
      { numRuns: 150 },
    )
  })

  it('recognizes what it has written, and no other format does so first', () => {
    fc.assert(
      fc.property(anyCrystal, (crystal) => {
        expect(readStructure(printStructure(crystal, name)).format).toBe(name)
      }),
      { numRuns: 40 },
    )
  })

  it('keeps left-handed axes from becoming the mirror image', () => {
    const crystal: Crystal = {
      title: 'chiral',
      lattice: [
        [4, 0, 0],
        [0.5, 5, 0],
        [1, 0.3, -6],
      ],
      periodic: [true, true, true],
      sites: [
        { element: 'Si', fraction: [0.1, 0.2, 0.3] },
        { element: 'O', fraction: [0.4, 0.25, 0.6] },
        { element: 'C', fraction: [0.7, 0.9, 0.05] },
        { element: 'N', fraction: [0.3, 0.6, 0.85] },
      ],
      warnings: [],
    }
    const reading = readStructure(printStructure(crystal, name), { format: name })
    const signedVolume = (one: Crystal): number => {
      const [a, b, c, d] = one.sites.map(({ fraction }) => fraction) as unknown as [
        number[],
        number[],
        number[],
        number[],
      ]
      const step = (p: number[], q: number[]) =>
        p.map((x, axis) => x - (q[axis] as number) - Math.round(x - (q[axis] as number)))
      const rows = [step(b, a), step(c, a), step(d, a)] as unknown as Parameters<typeof determinant>[0]
      return determinant(rows) * determinant(one.lattice)
    }
    expect(signedVolume(reading.crystal)).toBeCloseTo(signedVolume(crystal), 6)
  })
})

describe('a CIF of the standard cell', () => {
  it('has the lengths that people write, not the noise of the arithmetic', () => {
    const text = 'Si\n1\n0 2.715 2.715\n2.715 0 2.715\n2.715 2.715 0\nSi\n2\nDirect\n0 0 0\n.25 .25 .25\n'
    const { crystal } = readStructure(text, { format: 'poscar' })
    const cif = printStructure(crystal, 'cif', { symmetry: () => findSymmetry(crystal, 0.01) })
    expect(/_cell_length_a (\S+)/.exec(cif)?.[1]).toBe('5.43')
  })
})
