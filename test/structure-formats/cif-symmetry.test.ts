import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { printMaterial } from '../../src/records/kinds/material/print-material.ts'
import { readMaterial } from '../../src/records/kinds/material/structure-files.ts'
import { type Crystal, NOT_PERIODIC, PERIODIC } from '../../src/structure/crystal.ts'
import { crystalToMaterial } from '../../src/structure/formats/json/material.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import { type CellParameters, latticeVectors } from '../../src/structure/lattice.ts'
import { combineRows, length, mapVector, type Vector3 } from '../../src/structure/linear-algebra.ts'
import { analyzeSymmetry, findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import { expandSite } from '../../src/structure/symmetry/operator.ts'
import { operatorsOfSetting, SPACE_GROUP_SETTINGS } from '../../src/structure/symmetry/space-group-setting.ts'

const TOLERANCE = 0.01
const find = (crystal: Crystal) => findSymmetry(crystal, TOLERANCE)

const samples = readdirSync(new URL('../../samples/materials/', import.meta.url)).map((file) => {
  const text = readFileSync(new URL(`../../samples/materials/${file}`, import.meta.url), 'utf8')
  return [file, readMaterial({ text, format: 'material' }).crystal] as const
})

function cellOf(number: number): CellParameters {
  const right = { a: 10.6, b: 12.5, c: 14.6, alpha: 90, beta: 90, gamma: 90 }
  if (number < 3) return { ...right, alpha: 79, beta: 101, gamma: 107 }
  if (number < 16) return { ...right, beta: 101 }
  if (number < 75) return right
  if (number < 143) return { ...right, b: right.a }
  return number < 195 ? { ...right, b: right.a, gamma: 120 } : { ...right, a: 19.1, b: 19.1, c: 19.1 }
}

/** Atoms at general positions of a group, in a cell of it: two elements, so that no other symmetry is there by chance. */
const made = [...new Set(SPACE_GROUP_SETTINGS.map(({ number }) => number))].map((number) => {
  // The first setting that fits the cell above: unique axis b, hexagonal axes.
  const setting = SPACE_GROUP_SETTINGS.find((one) => one.number === number)
  if (setting === undefined) throw new Error(`no setting of ${number}`)
  const lattice = latticeVectors(cellOf(number))
  const sites = (
    [
      ['Si', [0.112, 0.311, 0.053]],
      ['O', [0.337, 0.099, 0.228]],
      ['O', [0.148, 0.472, 0.377]],
    ] as const
  ).flatMap(([element, place]) =>
    expandSite(place, operatorsOfSetting(setting), lattice).map((fraction) => ({ element, fraction })),
  )
  return [number, { title: `group ${number}`, lattice, periodic: PERIODIC, sites, warnings: [] } as Crystal] as const
})

/** For each element how far its neighbours are, whatever cell the crystal is written in. */
function neighbourhood({ lattice, sites }: Pick<Crystal, 'lattice' | 'sites'>): Record<string, readonly number[]> {
  const around = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z): Vector3 => [x, y, z])))
  const of = new Map<string, number[][]>()
  for (const site of sites) {
    const near = sites.flatMap((other) =>
      around.map((cell) =>
        length(
          combineRows(
            mapVector(other.fraction, (x, axis) => {
              const off = x - site.fraction[axis]
              return off - Math.round(off) + cell[axis]
            }),
            lattice,
          ),
        ),
      ),
    )
    const known = of.get(site.element) ?? []
    of.set(site.element, [...known, near.sort((a, b) => a - b).slice(1, 7)])
  }
  const mean = (rows: number[][], at: number) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length
  return Object.fromEntries(
    [...of].map(([element, rows]) => [element, [0, 1, 2, 3, 4, 5].map((at) => mean(rows, at))] as const),
  )
}

function expectSameCrystal(one: Crystal, other: Crystal): void {
  const [near, nearToo] = [neighbourhood(one), neighbourhood(other)]
  expect(Object.keys(nearToo).sort()).toEqual(Object.keys(near).sort())
  for (const [element, distances] of Object.entries(near)) {
    for (const [at, distance] of distances.entries()) expect(nearToo[element]?.[at]).toBeCloseTo(distance, 2)
  }
}

describe('a CIF with symmetry', () => {
  it.each(made)('of group %i is read as the same crystal in the same group', (number, crystal) => {
    const symmetry = analyzeSymmetry(crystal, TOLERANCE)
    expect(symmetry.number).toBe(number)
    const text = printStructure(crystal, 'cif', { symmetry: () => symmetry })
    const { crystal: read } = readStructure(text, { format: 'cif' })
    expect(read.warnings).toEqual([])
    expect(find(read)).toMatchObject({ number })
    expect(read.sites).toHaveLength(number === 1 ? crystal.sites.length : symmetry.conventionalCell.sites.length)
    if (number < 75) expectSameCrystal(crystal, read)
  })

  it.each(samples)('of %s is read as the same crystal in the same group', (_file, crystal) => {
    const symmetry = find(crystal)
    const text = printStructure(crystal, 'cif', { symmetry: () => symmetry })
    const { crystal: read } = readStructure(text, { format: 'cif' })
    expect(read.warnings).toEqual([])
    expect(find(read)).toMatchObject({ number: symmetry.status === 'computed' ? symmetry.number : 0 })
  })

  it('lists one atom of each orbit, with Wyckoff letter and multiplicity, and the operators of its setting', () => {
    const crystal = samples.find(([file]) => file === 'caf2-fluorite.json')?.[1] as Crystal
    const text = printStructure(crystal, 'cif', { symmetry: () => find(crystal) })
    expect(text.split('\n').slice(-3)).toEqual(['Ca Ca1 4 a 0 0 0 1', 'F F1 8 c 0.25 0.25 0.25 1', ''])
    expect(text).toContain("_space_group_name_Hall '-F 4 2 3'\n_space_group_IT_number 225\n")
    expect(text.match(/^\d+ '.*'$/gm)).toHaveLength(192)
  })

  it.each([
    ['a molecule', { periodic: NOT_PERIODIC }, 'P 1: a molecule in a box has no space group.'],
    ['no symmetry that is found', {}, 'P 1: no other symmetry was found within 0.01 Å.'],
  ])('lists all atoms of %s, and says why', (_what, part, comment) => {
    const crystal: Crystal = { ...(made[0]?.[1] as Crystal), ...part }
    const text = printStructure(crystal, 'cif', { symmetry: () => find(crystal) })
    expect(text).toBe(`# ${comment}\n${printStructure(crystal, 'cif')}`)
  })

  it('lists all atoms where two are so near that a reader would take them for one', () => {
    const lattice = latticeVectors(cellOf(225))
    const sites = [0, 0.02].map((x) => ({ element: 'H', fraction: [x, 0, 0] as const }))
    const crystal: Crystal = { title: 'near', lattice, periodic: PERIODIC, sites, warnings: [] }
    expect(find(crystal)).toMatchObject({ number: 123 })
    const text = printStructure(crystal, 'cif', { symmetry: () => find(crystal) })
    expect(text).toMatch(/^# P 1: two atoms are so near/)
    expect(readStructure(text, { format: 'cif' }).crystal.sites).toHaveLength(2)
  })

  it('says that symmetry is not sought here', () => {
    const [, crystal] = made[224] as (typeof made)[number]
    const { text } = printMaterial(crystalToMaterial(crystal), { format: 'cif' }, undefined)
    expect(text).toMatch(/^# P 1: the symmetry was not computed: it is switched off\.\ndata_/)
  })
})
