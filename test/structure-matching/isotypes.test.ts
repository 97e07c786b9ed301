import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Crystal, PERIODIC } from '../../src/structure/crystal.ts'
import { findElement } from '../../src/structure/elements/element.ts'
import { mapMatrix } from '../../src/structure/linear-algebra.ts'
import { Isotypes } from '../../src/structure/matching/isotypes.ts'
import { prototypeLabel } from '../../src/structure/matching/prototype.ts'
import { findSymmetry, groupsByTolerance } from '../../src/structure/symmetry/find-symmetry.ts'
import type { GroupReport, SymmetryReport } from '../../src/structure/symmetry/symmetry-report.ts'
import type { Cell } from '../structure-symmetry/support/supercells.ts'
import { sample } from './support/copies.ts'

const SAMPLES = readdirSync(new URL('../../samples/materials', import.meta.url)).map((file) => file.slice(0, -5))
const TOLERANCE = 0.01

function search(crystal: Crystal): SymmetryReport {
  const report = findSymmetry(crystal, TOLERANCE)
  return report.status === 'computed' ? { ...report, byTolerance: groupsByTolerance(crystal, report) } : report
}

/** Isotypes that count how often they had to search. */
function counted() {
  const isotypes = new Isotypes()
  const seen = { searches: 0 }
  const groupOf = (crystal: Crystal): GroupReport =>
    isotypes.groupOf(crystal, TOLERANCE, () => {
      seen.searches += 1
      return search(crystal)
    })
  return { groupOf, seen }
}

/** What a material tells of a group. */
function told(report: GroupReport) {
  if (report.status !== 'computed') return report
  const { number, symbol, hallSymbol, isStandardSetting, crystalSystem, pointGroup } = report
  const { latticeType, pearsonSymbol, wyckoffLetters, tolerance, byTolerance } = report
  const label = 'prototypeLabel' in report ? report.prototypeLabel : prototypeLabel(report)
  const words = [number, symbol, hallSymbol, isStandardSetting, crystalSystem, pointGroup, latticeType, pearsonSymbol]
  return [...words, wyckoffLetters, tolerance, byTolerance, label]
}

const OTHERS = ['Li', 'F', 'Si', 'Ti', 'Sn', 'Au', 'Pb', 'Th']

/** The crystal in another size, with other elements in the same order of their numbers. */
function isotypeOf({ lattice, sites }: Cell, size: number): Crystal {
  const elements = [...new Set(sites.map(({ element }) => element))]
  elements.sort((one, other) => (findElement(one)?.number ?? 0) - (findElement(other)?.number ?? 0))
  const others = sites.map((site) => ({ ...site, element: OTHERS[elements.indexOf(site.element)] ?? 'U' }))
  return { title: '', periodic: PERIODIC, warnings: [], lattice: mapMatrix(lattice, (x) => x * size), sites: others }
}

const ROCK_SALT = sample('nacl-rocksalt')

describe('a crystal that differs from one seen before in size and elements alone', () => {
  it('has what a search would tell of it', () => {
    const { groupOf, seen } = counted()
    const sizes = [1, 1.0371, 0.9813, 1.2006, 1.0002]
    for (const name of SAMPLES) {
      for (const size of sizes) {
        const crystal = isotypeOf(sample(name), size)
        expect(told(groupOf(crystal)), `${name} ${size}`).toEqual(told(search(crystal)))
      }
    }
    expect(seen.searches).toBeLessThan((SAMPLES.length * sizes.length) / 2)
  })

  it('is sought where its elements are in another order', () => {
    const { groupOf, seen } = counted()
    const [one, other] = [isotypeOf(ROCK_SALT, 1), isotypeOf(ROCK_SALT, 1)]
    groupOf(one)
    groupOf({ ...other, sites: other.sites.map((site) => ({ ...site, element: site.element === 'F' ? 'Li' : 'F' })) })
    groupOf(isotypeOf(ROCK_SALT, 1.1))
    expect(seen.searches).toBe(2)
  })

  it('is sought where what is within the tolerance in one size is not in another', () => {
    const [first, ...others] = ROCK_SALT.sites
    if (first === undefined) throw new Error('rock salt has atoms')
    const moved = { ...ROCK_SALT, sites: [{ ...first, fraction: [0.0008, 0, 0] as const }, ...others] }
    const { groupOf } = counted()
    expect(groupOf(isotypeOf(moved, 1))).toMatchObject({ number: 225 })
    const large = isotypeOf(moved, 4)
    expect(groupOf(large)).not.toMatchObject({ number: 225 })
    expect(told(groupOf(large))).toEqual(told(search(large)))
  })

  it('has no group where its atoms come to one place', () => {
    const { groupOf } = counted()
    groupOf(isotypeOf(ROCK_SALT, 1))
    const tiny = isotypeOf(ROCK_SALT, 0.01)
    expect(groupOf(tiny)).toEqual(search(tiny))
    expect(groupOf(tiny)).toMatchObject({ status: 'not computed' })
  })
})
