import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { MATERIAL_PARAMETERS } from '../../src/records/kinds/material/list-parameters.ts'
import { crystalToMaterial } from '../../src/structure/formats/json/material.ts'
import { fingerprintOf } from '../../src/structure/matching/fingerprint.ts'
import { prototypeOf } from '../../src/structure/matching/prototype.ts'
import { analyzeSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import type { Cell } from '../structure-symmetry/support/supercells.ts'
import { copyOf, mirrored, randomOf, sample } from './support/copies.ts'

const SAMPLES = readdirSync(new URL('../../samples/materials', import.meta.url)).map((file) => file.slice(0, -5))

function prototype(crystal: Cell) {
  const numbers = fingerprintOf(crystal)
  return numbers === null ? null : prototypeOf(analyzeSymmetry(crystal, 0.01), numbers)
}

function material(name: string): JsonObject {
  const crystal = { title: '', periodic: [true, true, true] as const, warnings: [], ...sample(name) }
  return deriveMaterial(crystalToMaterial(crystal), { symmetry: (one) => analyzeSymmetry(one, 0.01) })
}

describe('the prototype of a crystal', () => {
  it('is the same whichever axis is the longest', () => {
    // TiSi2: of all orders of its axes Fddd has the same operators.
    const place = 0.3365
    const sites = [
      ['Ti', [0, 0, 0]],
      ['Si', [place, 0, 0]],
      ['Si', [-place, 0, 0]],
    ] as const
    const halves = [
      [0, 0, 0],
      [0, 0.5, 0.5],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0],
    ] as const
    const labels = [
      [8.267, 4.8, 8.551],
      [8.267, 8.9, 8.551],
      [8.267, 8.9, 8.1],
    ].map(([a = 0, b = 0, c = 0]) => {
      const all = [0, 0.25].flatMap((shift) =>
        halves.flatMap((half) =>
          sites.map(([element, [x, y, z]]) => ({
            element,
            fraction: [x + half[0] + shift, y + half[1] + shift, z + half[2] + shift] as const,
          })),
        ),
      )
      return prototype({
        lattice: [
          [a, 0, 0],
          [0, b, 0],
          [0, 0, c],
        ],
        sites: all,
      })?.label
    })
    expect(labels).toEqual(Array(3).fill('A2B_70_16(..2)_8(222)'))
  })

  it('has a name for every sample, and one name for all samples of a kind', () => {
    const named = SAMPLES.map((name) => ({ name, found: prototype(sample(name))?.named?.name }))
    expect(named.filter(({ found }) => found === undefined)).toEqual([])
    const ofKind = (kind: string) => [
      ...new Set(named.filter(({ name }) => name.endsWith(kind)).map(({ found }) => found)),
    ]
    expect(ofKind('-rocksalt')).toEqual(['Halite, Rock Salt'])
    expect(ofKind('-zincblende')).toEqual(['Zincblende, Sphalerite'])
    expect(ofKind('-wurtzite')).toEqual(['Wurtzite'])
    expect(ofKind('-perovskite')).toEqual(['(Cubic) Perovskite'])
    expect(ofKind('-rutile')).toEqual(['Rutile'])
    expect(ofKind('-delafossite')).toEqual(['Delafossite'])
  })

  it('is that of its copies in any cell with any origin, and of its mirror image', () => {
    const random = randomOf(1)
    for (const name of ['sio2-quartz', 'srtio3-perovskite', 'al2o3-corundum', 'mgal2o4-spinel']) {
      const own = prototype(sample(name))
      expect([name, prototype(copyOf(sample(name), random, { supercell: 2 }))]).toEqual([name, own])
      expect([name, prototype(mirrored(sample(name)))]).toEqual([name, own])
    }
  })

  it('has a label and no name far from all that are named', () => {
    const metal = sample('be-hcp')
    const [a, b, c] = metal.lattice
    const layers = prototype({ ...metal, lattice: [a, b, [c[0], c[1], 4 * c[2]]] })
    expect(layers?.label).toBe(prototype(metal)?.label)
    expect([prototype(metal)?.named?.strukturbericht, layers?.named]).toEqual(['A3', null])
  })

  it('stands in the record, where it is kept when nothing has changed that it follows from', () => {
    const document = material('nacl-rocksalt')
    const kind = {
      label: 'AB_225_4(m-3m)_4(m-3m)',
      pearson: 'cF8',
      name: 'Halite, Rock Salt',
      aflow: 'AB_cF8_225_a_b',
      strukturbericht: 'B1',
    }
    expect(document.prototype).toEqual(kind)
    const never = (): never => expect.fail('the symmetry is known')
    const kept = deriveMaterial(document, { stored: document, symmetry: never, symmetryTimeMs: 1000 })
    expect(kept.prototype).toEqual(kind)
  })

  it('is sought for a record of an earlier version, whose group stays what it is', () => {
    const { prototype: kind, ...older } = material('nacl-rocksalt')
    const symmetry = (crystal: Cell) => analyzeSymmetry(crystal, 0.01)
    expect(deriveMaterial(older, { stored: older, symmetry, symmetryTimeMs: 1000 }).prototype).toEqual(kind)
    const given = () => ({ status: 'not computed', reason: 'it took longer than 1 ms' }) as const
    const late = deriveMaterial(older, { stored: older, symmetry: given, symmetryTimeMs: 1000 })
    expect([late.prototype, late.spaceGroup]).toEqual([undefined, older.spaceGroup])
  })

  it.each([
    ['B1', 'nacl-rocksalt', true],
    ['rocksalt', 'nacl-rocksalt', true],
    ['perovskite', 'srtio3-perovskite', true],
    ['B3,B4', 'zns-wurtzite', true],
    ['AB_cF8_225_a_b', 'nacl-rocksalt', true],
    ['(Cubic) Perovskite', 'srtio3-perovskite', true],
    ['B3', 'nacl-rocksalt', false],
    ['B', 'nacl-rocksalt', false],
  ])('asked for as %s finds %s: %s', (text, name, isFound) => {
    const reading = MATERIAL_PARAMETERS.find((parameter) => parameter.name === 'prototype')?.read(text)
    if (reading === undefined || !('filter' in reading)) return expect.fail('the parameter takes it')
    expect(matches(parseFilter(reading.filter), material(name))).toBe(isFound)
  })
})
