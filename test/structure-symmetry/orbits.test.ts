import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readMaterial } from '../../src/records/kinds/material/structure-files.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { analyzeSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import { orbitsOf } from '../../src/structure/symmetry/sites.ts'

/** Element, multiplicity and site symmetry of each orbit, by spglib. */
interface Reference {
  readonly sample: string
  readonly number: number
  readonly orbits: readonly (readonly [element: string, multiplicity: number, siteSymmetry: string])[]
}

const { crystals } = JSON.parse(
  readFileSync(new URL('../fixtures/reference/orbits.json', import.meta.url), 'utf8'),
) as {
  crystals: readonly Reference[]
}

function sample(name: string): Crystal {
  const text = readFileSync(new URL(`../../samples/materials/${name}.json`, import.meta.url), 'utf8')
  return readMaterial({ text, format: 'material' }).crystal
}

describe('the orbits of a crystal', () => {
  it.each(crystals)('are in $sample those that spglib finds', ({ sample: name, number, orbits }) => {
    const symmetry = analyzeSymmetry(sample(name), 0.01)
    const found = orbitsOf(symmetry)
    expect(symmetry.number).toBe(number)
    const short = found.map(({ element, multiplicity, siteSymmetry }) => [element, multiplicity, siteSymmetry])
    expect(short.map(String).sort()).toEqual(orbits.map(String).sort())
    expect(found.flatMap(({ sites }) => sites).sort((a, b) => a - b)).toEqual(
      symmetry.equivalentTo.map((_, index) => index),
    )
  })

  it('name the Wyckoff position, and one coordinate in the conventional cell', () => {
    const found = orbitsOf(analyzeSymmetry(sample('caf2-fluorite'), 0.01))
    expect(found).toEqual([
      { element: 'Ca', wyckoffLetter: 'a', multiplicity: 4, siteSymmetry: 'm-3m', coordinate: [0, 0, 0], sites: [0] },
      {
        element: 'F',
        wyckoffLetter: 'c',
        multiplicity: 8,
        siteSymmetry: '-43m',
        coordinate: [0.25, 0.25, 0.25],
        sites: [1, 2],
      },
    ])
  })

  it('count a supercell as the crystal that it repeats', () => {
    const { lattice, sites } = sample('nacl-rocksalt')
    const [a, b, c] = lattice
    const double = {
      lattice: [a.map((x) => 2 * x), b, c] as unknown as Crystal['lattice'],
      sites: [0, 0.5].flatMap((step) =>
        sites.map(({ element, fraction: [x, y, z] }) => ({ element, fraction: [x / 2 + step, y, z] as const })),
      ),
    }
    const found = orbitsOf(analyzeSymmetry(double, 0.01))
    expect(found.map(({ multiplicity, sites: members }) => [multiplicity, members])).toEqual([
      [4, [0, 2]],
      [4, [1, 3]],
    ])
  })
})
