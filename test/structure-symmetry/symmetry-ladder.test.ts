import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Crystal, PERIODIC } from '../../src/structure/crystal.ts'
import { latticeVectors } from '../../src/structure/lattice.ts'
import { add, applyToColumn, mapVector, type Vector3 } from '../../src/structure/linear-algebra.ts'
import { wrapFraction } from '../../src/structure/near-pairs.ts'
import { analyzeSymmetry, groupsByTolerance } from '../../src/structure/symmetry/find-symmetry.ts'
import { operatorsOfSetting, settingsOfNumber } from '../../src/structure/symmetry/space-group-setting.ts'
import { displaced, type Random, randomOf, sample, strained } from '../structure-matching/support/copies.ts'
import { type Cell, supercellOf } from './support/supercells.ts'

const SAMPLES = readdirSync(new URL('../../samples/materials', import.meta.url)).map((file) => file.slice(0, -5))

function crystalOf({ lattice, sites }: Cell): Crystal {
  return { title: '', periodic: PERIODIC, warnings: [], lattice, sites }
}

/** The groups as they are told, and as they are when all are sought. */
function ladders(cell: Cell) {
  const crystal = crystalOf(cell)
  const known = analyzeSymmetry(crystal, 0.01)
  const nothing = { least: known.tolerance, most: known.tolerance }
  return {
    known,
    told: groupsByTolerance(crystal, known),
    sought: groupsByTolerance(crystal, { ...known, certain: nothing }),
  }
}

const EDGES = { alpha: 90, beta: 90, gamma: 90 }

/** A cell of the metric that a space group wants, and no other. */
function latticeOf(number: number): Cell['lattice'] {
  if (number <= 2) return latticeVectors({ a: 5.1, b: 6.3, c: 7.7, alpha: 81, beta: 97, gamma: 104 })
  if (number <= 15) return latticeVectors({ ...EDGES, a: 5.1, b: 6.3, c: 7.7, beta: 103 })
  if (number <= 74) return latticeVectors({ ...EDGES, a: 5.1, b: 6.3, c: 7.7 })
  if (number <= 142) return latticeVectors({ ...EDGES, a: 6.1, b: 6.1, c: 8.3 })
  if (number <= 194) return latticeVectors({ ...EDGES, a: 6.1, b: 6.1, c: 8.3, gamma: 120 })
  return latticeVectors({ ...EDGES, a: 9.3, b: 9.3, c: 9.3 })
}

/** Atoms of two elements, those of one on a general position and those of the other about the origin. */
function crystalOfGroup(number: number, random: Random): Cell {
  const [setting] = settingsOfNumber(number)
  if (setting === undefined) throw new Error(`there is no group ${number}`)
  const sites: Cell['sites'][number][] = []
  const general: Vector3 = [0.13 + random() / 20, 0.21 + random() / 20, 0.36 + random() / 20]
  for (const [element, start] of [
    ['Si', general],
    ['O', [0, 0, 0]],
  ] as const) {
    const seen = new Set<string>()
    for (const { rotation, translation } of operatorsOfSetting(setting)) {
      const fraction = mapVector(add(applyToColumn(rotation, start), translation), wrapFraction)
      const key = fraction.map((x) => Math.round(x * 1e4) % 1e4).join()
      if (!seen.has(key)) sites.push({ element, fraction })
      seen.add(key)
    }
  }
  return { lattice: latticeOf(number), sites }
}

/** Moves atoms or strains the cell, or both, by anything from far below the least tolerance to beyond the greatest. */
function distorted(cell: Cell, random: Random): Cell {
  const size = 10 ** (-5 + 4.3 * random())
  const by = Array.from({ length: 6 }, () => ((2 * random() - 1) * size) / 5)
  const kind = random()
  const moved = kind < 0.7 ? displaced(cell, size, random) : cell
  return kind < 0.4 ? moved : strained(moved, by)
}

describe('the space groups within several tolerances', () => {
  it('are those that are found when all are sought, in all 230 groups, distorted or not', () => {
    const random = randomOf(21)
    const numbers = Array.from({ length: 230 }, (_, index) => index + 1)
    const wrong = numbers.filter((number) => {
      const crystal = crystalOfGroup(number, random)
      const found = [crystal, distorted(crystal, random)].map(ladders)
      return found.some(({ told, sought }) => JSON.stringify(told) !== JSON.stringify(sought))
    })
    expect(wrong).toEqual([])
  })

  it('are so of distorted samples and supercells', () => {
    const random = randomOf(22)
    const wrong = SAMPLES.filter((name) => {
      const crystal = sample(name)
      const larger = crystal.sites.length > 4 ? crystal : supercellOf(crystal, 2)
      const found = [crystal, distorted(crystal, random), distorted(larger, random)].map(ladders)
      return found.some(({ told, sought }) => JSON.stringify(told) !== JSON.stringify(sought))
    })
    expect(wrong).toEqual([])
  })

  it('are certain where operators hold exactly, and upwards where no group is greater, or near', () => {
    const certain = (cell: Cell) => ladders(cell).known.certain
    const everywhere = { least: expect.closeTo(0, 3), most: Number.POSITIVE_INFINITY }
    expect(certain(sample('nacl-rocksalt'))).toEqual(everywhere)
    expect(certain(sample('mg-hcp'))).toEqual({ least: expect.closeTo(0, 3), most: 0.1 })
    expect(certain(sample('sio2-quartz'))).toEqual({ least: expect.closeTo(0, 3), most: 0.1 })
    const moved = certain(displaced(sample('sio2-quartz'), 5e-4, randomOf(23)))
    expect(moved.least).toBeGreaterThan(1e-3)
    const repeated = supercellOf(sample('nacl-rocksalt'), 2)
    expect(certain(repeated)).toEqual(everywhere)
    // What repeats has been averaged, and may be off by more than the average is.
    expect(certain(displaced(supercellOf(sample('al-fcc'), 2), 1e-3, randomOf(24))).least).toBeGreaterThan(1e-3)
  })
})
