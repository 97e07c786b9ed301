import { afterAll, describe, expect, it } from 'vitest'
import { parametersOf } from '../../src/structure/formats/cell.ts'
import type { Crystal, CrystalSite } from '../../src/structure/formats/crystal.ts'
import { latticeVectors } from '../../src/structure/lattice.ts'
import { expandSite } from '../../src/structure/symmetry/expand-site.ts'
import { operatorsOfHallSymbol } from '../../src/structure/symmetry/hall-symbol.ts'
import { openSymmetryService } from '../../src/structure/symmetry/symmetry-service.ts'
import type { Matrix3, Vector3 } from '../../src/structure/vector.ts'
import { logToLines } from '../support/log-lines.ts'

const service = openSymmetryService()
afterAll(() => service.close())

function crystal(lattice: Matrix3, atoms: readonly (readonly [string, ...Vector3])[]): Crystal {
  const sites = atoms.map(([element, x, y, z]): CrystalSite => ({ element, fraction: [x, y, z] }))
  return { title: '', lattice, periodic: [true, true, true], sites, warnings: [] }
}

const silicon = crystal(
  [
    [0, 2.7153, 2.7153],
    [2.7153, 0, 2.7153],
    [2.7153, 2.7153, 0],
  ],
  [
    ['Si', 0, 0, 0],
    ['Si', 0.25, 0.25, 0.25],
  ],
)
const wurtzite = crystal(latticeVectors({ a: 3.25, b: 3.25, c: 5.2, alpha: 90, beta: 90, gamma: 120 }), [
  ['Zn', 1 / 3, 2 / 3, 0],
  ['Zn', 2 / 3, 1 / 3, 0.5],
  ['O', 1 / 3, 2 / 3, 0.382],
  ['O', 2 / 3, 1 / 3, 0.882],
])
const perovskite = crystal(latticeVectors({ a: 3.905, b: 3.905, c: 3.905, alpha: 90, beta: 90, gamma: 90 }), [
  ['Sr', 0, 0, 0],
  ['Ti', 0.5, 0.5, 0.5],
  ['O', 0.5, 0.5, 0],
  ['O', 0.5, 0, 0.5],
  ['O', 0, 0.5, 0.5],
])

/** Eight cells of simple cubic polonium along each edge. */
function polonium(): Crystal {
  const edge = 8 * 3.35
  const atoms = Array.from({ length: 512 }, (_, i): readonly [string, ...Vector3] => [
    'Po',
    (i % 8) / 8,
    (Math.floor(i / 8) % 8) / 8,
    Math.floor(i / 64) / 8,
  ])
  return crystal(latticeVectors({ a: edge, b: edge, c: edge, alpha: 90, beta: 90, gamma: 90 }), atoms)
}

/** Eighty atoms on general places of a cubic cell with their 47 images each: no repetitions, and long to look at. */
function manyImages(): Crystal {
  const lattice = latticeVectors({ a: 60, b: 60, c: 60, alpha: 90, beta: 90, gamma: 90 })
  const operators = operatorsOfHallSymbol('-P 4 2 3') ?? []
  const places = Array.from({ length: 80 }, (_, i): Vector3 => [i * 0.377, i * 0.613 + 0.05, i * 0.829 + 0.13])
  const images = places.flatMap((place) => expandSite(place, operators, lattice))
  return crystal(
    lattice,
    images.map((fraction) => ['Po', ...fraction] as const),
  )
}

describe('the symmetry service', () => {
  it('finds the space group of silicon from its primitive cell', async () => {
    const report = await service.analyze(silicon)
    expect(report).toMatchObject({
      status: 'computed',
      number: 227,
      symbol: 'F d -3 m',
      pointGroup: 'm-3m',
      crystalSystem: 'cubic',
      latticeType: 'FCC',
      pearsonSymbol: 'cF8',
      wyckoffLetters: ['a', 'a'],
      equivalentTo: [0, 0],
      tolerance: 0.01,
    })
    if (report.status !== 'computed') return
    expect(report.conventionalCell.sites).toHaveLength(8)
    expect(report.primitiveCell.sites).toHaveLength(2)
    expect(parametersOf(report.conventionalCell.lattice).a).toBeCloseTo(5.4306, 3)
  })

  it('keeps the angle of 120 degrees in the conventional cell of a hexagonal crystal', async () => {
    const report = await service.analyze(wurtzite)
    expect(report).toMatchObject({
      number: 186,
      symbol: 'P 63 m c',
      latticeType: 'HEX',
      wyckoffLetters: ['b', 'b', 'b', 'b'],
    })
    if (report.status !== 'computed') return
    expect(parametersOf(report.conventionalCell.lattice)).toMatchObject({ alpha: 90, beta: 90, gamma: 120 })
  })

  it('answers several questions at once, each its own', async () => {
    const reports = await Promise.all([
      service.analyze(perovskite),
      service.analyze(silicon),
      service.analyze(wurtzite),
    ])
    expect(reports.map((report) => report.status === 'computed' && report.number)).toEqual([221, 227, 186])
  })

  it.each([
    ['no atoms', crystal(silicon.lattice, [])],
    [
      'a flat cell',
      crystal(
        [
          [1, 0, 0],
          [0, 1, 0],
          [1, 1, 0],
        ],
        [['Si', 0, 0, 0]],
      ),
    ],
    ['no number for a coordinate', crystal(silicon.lattice, [['Si', Number.NaN, 0, 0]])],
    [
      'two atoms at one place',
      crystal(silicon.lattice, [
        ['Si', 0, 0, 0],
        ['Si', 0, 0, 1],
      ]),
    ],
    ['no periodicity', { ...silicon, periodic: [false, false, false] as const }],
    ['an unknown element', crystal(silicon.lattice, [['Xx', 0, 0, 0]])],
  ])('does not compute the symmetry of a structure with %s, and says so', async (_, given) => {
    expect(await service.analyze(given)).toMatchObject({
      status: 'not computed',
      reason: expect.stringMatching(/\w+ \w+/),
    })
  })

  it('gives up a structure that takes too long, and goes on with the next', async () => {
    const { log, lines } = logToLines()
    const hasty = openSymmetryService({ timeLimitMs: 100, log })
    try {
      await hasty.analyze(silicon)
      const [slow, quick] = await Promise.all([hasty.analyze(manyImages()), hasty.analyze(silicon)])
      expect(slow).toEqual({ status: 'not computed', reason: 'it took longer than 100 ms' })
      expect(quick).toMatchObject({ number: 227 })
      expect(lines).toMatchObject([{ event: 'symmetry.failed', reason: 'it took longer than 100 ms' }])
    } finally {
      await hasty.close()
    }
  })

  it('finds the symmetry of an ideal supercell of 512 atoms', async () => {
    const report = await service.analyze(polonium())
    expect(report).toMatchObject({ number: 221, pearsonSymbol: 'cP1', latticeType: 'CUB' })
    if (report.status !== 'computed') return
    expect(report.wyckoffLetters).toEqual(new Array(512).fill('a'))
    expect(report.equivalentTo).toEqual(new Array(512).fill(0))
    expect(report.conventionalCell.sites).toHaveLength(1)
    expect(parametersOf(report.conventionalCell.lattice).a).toBeCloseTo(3.35, 6)
  })

  it('answers after it is closed that it is closed', async () => {
    const closing = openSymmetryService()
    const asked = closing.analyze(silicon)
    await closing.close()
    expect(await asked).toEqual({ status: 'not computed', reason: 'the service is closed' })
    expect(await closing.analyze(silicon)).toMatchObject({ status: 'not computed' })
  })
})
