import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Curve, linesOf, moved, nearestPoint, pickedAfter, widened, zoomed } from '../../web/plots/curve.ts'
import { curvesCsv } from '../../web/plots/curves-csv.ts'
import { spaced } from '../../web/plots/plot-axis.ts'
import { bandPlot } from '../../web/properties/curves/band-structure.ts'
import { convergencePlot, followedIn } from '../../web/properties/curves/convergence.ts'
import { densityPlot } from '../../web/properties/curves/density-of-states.ts'
import { isSameMetric, kPathOf, pointNames, reciprocalMetric } from '../../web/properties/curves/k-path.ts'
import { spectrumPlot } from '../../web/properties/curves/spectrum.ts'
import { zerosIn } from '../../web/properties/curves/zeros.ts'

const FCC = reciprocalMetric({ a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60 })
const POINTS = [
  { label: 'Γ', fraction: [0, 0, 0] },
  { label: 'K', fraction: [0.375, 0.375, 0.75] },
  { label: 'L', fraction: [0.5, 0.5, 0.5] },
  { label: 'U', fraction: [0.625, 0.25, 0.625] },
  { label: 'X', fraction: [0.5, 0, 0.5] },
]
const nameOf = pointNames(POINTS, FCC)

/** So many points from one to another, both among them. */
function walk(from: readonly number[], to: readonly number[], count: number): readonly (readonly number[])[] {
  return Array.from({ length: count }, (_, at) =>
    from.map((part, axis) => part + (((to[axis] ?? 0) - part) * at) / (count - 1)),
  )
}

const WAY = [
  ...walk([0, 0, 0], [0.5, 0, 0.5], 11),
  ...walk([0.5, 0, 0.5], [0.625, 0.25, 0.625], 6),
  ...walk([0.375, 0.375, 0.75], [0, 0, 0], 11),
]

describe('points of a zone', () => {
  it('have the names of those that the lattice makes of them, and of those a whole vector away', () => {
    expect(
      [
        [1, 0, -2],
        [0.5, 0.5, 0],
        [-0.5, 0, 0.5],
        [0.5, 0, 0],
        [0.1, 0.2, 0.3],
      ].map(nameOf),
    ).toEqual(['Γ', 'X', 'X', 'L', ''])
  })

  it('have no names but that of the centre where the cell is another one', () => {
    const cubic = reciprocalMetric({ a: 5.47, b: 5.47, c: 5.47, alpha: 90, beta: 90, gamma: 90 })
    expect(isSameMetric(FCC, FCC)).toBe(true)
    expect(isSameMetric(FCC, cubic)).toBe(false)
    expect(
      [
        [0, 0, 1],
        [0.5, 0, 0],
      ].map(pointNames([], cubic)),
    ).toEqual(['Γ', ''])
  })

  it('are laid out by their distances, with corners by name and a break where the way goes on elsewhere', () => {
    const path = kPathOf(WAY, FCC, nameOf)
    expect(path?.marks.map(({ text }) => text)).toEqual(['Γ', 'X', 'U|K', 'Γ'])
    expect([...(path?.breaks ?? [])]).toEqual([17])
    // Γ to X is 2π/a of the cubic cell.
    expect(path?.distances[10]).toBeCloseTo((2 * Math.PI) / (3.867 * Math.SQRT2), 3)
    expect(path?.distances[17]).toBe(path?.distances[16])
  })

  it('of a mesh are no way', () => {
    const mesh = Array.from({ length: 27 }, (_, at) =>
      [at % 3, Math.floor(at / 3) % 3, Math.floor(at / 9)].map((part) => part / 3),
    )
    expect(kPathOf(mesh, FCC, nameOf)).toBeNull()
  })
})

describe('a band structure', () => {
  const data = {
    name: 'band_structure',
    yAxis: { label: 'energy', units: 'eV' },
    xDataArray: WAY,
    yDataSeries: [WAY.map(() => 4), WAY.map(() => 9), WAY.map(() => 4.5)],
    spin: [0.5, 0.5, -0.5],
  }
  const plot = bandPlot(data, { zero: { name: 'Fermi energy', value: 5 }, metric: FCC, nameOf })

  it('is drawn from its zero, spins by colour and dash', () => {
    expect(plot.curves.map(({ name, group, color, isDashed }) => [name, group, color, isDashed])).toEqual([
      ['band 1, spin up', 'spin up', 0, false],
      ['band 2, spin up', 'spin up', 0, false],
      ['band 1, spin down', 'spin down', 1, true],
    ])
    expect(plot.curves[0]?.y.slice(0, 18)).toEqual([...Array.from({ length: 17 }, () => -1), Number.NaN])
    expect([plot.y.title, plot.x.title, plot.rules]).toEqual(['Energy − Fermi energy / eV', 'Wave vector', { y: 0 }])
    expect(plot.x.marks?.map(({ text }) => text)).toEqual(['Γ', 'X', 'U|K', 'Γ'])
  })

  it('is read with names and fractions of its points', () => {
    const [curve] = plot.curves as [Curve]
    expect(plot.told(curve, 10)).toBe('band 1, spin up, k X (0.500, 0.000, 0.500): −1.000 eV from the Fermi energy')
  })

  it('of points that are plain numbers is drawn over these, as it is', () => {
    const plain = bandPlot(
      {
        name: 'phonon_dispersions',
        yAxis: { label: 'frequency', units: 'cm-1' },
        xDataArray: [0, 1],
        yDataSeries: [[0, 500]],
      },
      { zero: null, metric: null, nameOf },
    )
    expect([plain.x.title, plain.y.title, plain.curves[0]?.group]).toEqual(['k-point', 'Frequency / cm⁻¹', 'bands'])
  })
})

it('names of points that have no room are left out', () => {
  const ticks = [
    { at: 0, text: 'Γ' },
    { at: 20, text: '' },
    { at: 30, text: 'K|U' },
    { at: 40, text: 'X' },
    { at: 90, text: 'L' },
  ]
  expect(spaced(ticks).map(({ text }) => text)).toEqual(['Γ', '', 'K|U', '', 'L'])
})

it('names of an axis that goes upwards are there, too', () => {
  const upwards = [300, 200, 190, 100].map((at, index) => ({ at, text: String(index + 1) }))
  expect(spaced(upwards).map(({ text }) => text)).toEqual(['1', '2', '', '4'])
})

describe('the zero of energies', () => {
  const FERMI = { name: 'fermi_energy', value: 5.7 }
  const gap = (value: number, eigenvalueValence: number) => ({
    name: 'band_gaps',
    values: [{ value, eigenvalueValence }],
  })

  it.each([
    [
      'the valence band maximum first, of an insulator',
      [gap(0.6, 5.6), FERMI],
      ['valence band maximum', 'Fermi energy'],
    ],
    ['the Fermi energy alone, of a metal', [gap(0, 5.9), FERMI], ['Fermi energy']],
    ['the Fermi energy alone where the band of the maximum is not full', [gap(0.2, 6.4), FERMI], ['Fermi energy']],
    ['nothing where nothing is known', [], []],
  ])('is %s', (_, properties, names) => {
    expect(zerosIn(properties).map(({ name }) => name)).toEqual(names)
  })
})

describe('a density of states', () => {
  const data = {
    name: 'density_of_states',
    xAxis: { label: 'energy', units: 'eV' },
    yAxis: { label: 'density of states', units: 'states/unitcell' },
    xDataArray: [-1, 0, 1],
    yDataSeries: [
      [1, 2, 3],
      [1, 1, 1],
      [0.1, 0.2, 0.3],
      [0.2, 0.2, 0.2],
      [0.5, 0, 0],
    ],
    legend: [
      { spin: 0.5 },
      { spin: -0.5 },
      { element: 'Si', electronicState: 'px', spin: 0.5 },
      { element: 'Si', electronicState: 'py', spin: 0.5 },
      { element: 'Si', electronicState: 'px', spin: -0.5 },
    ],
  }
  const plot = densityPlot(data, { name: 'Fermi energy', value: 1 })

  it('has its totals shown, its parts by element and shell for who wants them, spin down below the axis', () => {
    expect(
      plot.curves.map(({ name, isDashed }, at) => [name, isDashed, plot.isShown?.(plot.curves[at] as Curve, at)]),
    ).toEqual([
      ['total, spin up', false, true],
      ['total, spin down', true, true],
      ['Si p, spin up', false, false],
      ['Si p, spin down', true, false],
    ])
    expect(plot.curves[1]?.y).toEqual([-1, -1, -1])
    expect(plot.curves[2]?.y[0]).toBeCloseTo(0.3)
    expect(plot.curves[0]?.x).toEqual([-2, -1, 0])
  })

  it('is read without the sign of the spin', () => {
    expect(plot.told(plot.curves[1] as Curve, 2)).toBe('total, spin down at 0.000 eV: 1.000 states/cell')
  })

  it('without a legend has one total', () => {
    const bare = densityPlot({ name: 'phonon_dos', xDataArray: [0, 1], yDataSeries: [[1, 2]] }, null)
    expect(bare.curves.map(({ name }) => name)).toEqual(['total'])
  })
})

describe('a convergence', () => {
  it('of electrons has a curve for each ionic step, one after the other', () => {
    const [energy] = followedIn({ data: [[-1, -2], [-2.5]], units: 'eV' })
    const plot = convergencePlot(energy as NonNullable<typeof energy>, false)
    expect(plot.curves.map(({ name, x }) => [name, x])).toEqual([
      ['ionic step 1', [1, 2]],
      ['ionic step 2', [3]],
    ])
    expect(plot.told(plot.curves[0] as Curve, 1)).toBe('ionic step 1, step 2: −2.00000 eV')
  })

  it('of ions has every quantity that its steps have', () => {
    const followed = followedIn({
      data: [
        { energy: -1, maxForce: 0.3 },
        { energy: -2, maxForce: 0 },
      ],
      units: 'eV',
    })
    expect(followed.map(({ title, units }) => [title, units])).toEqual([
      ['energy', 'eV'],
      ['largest force', 'eV/angstrom'],
    ])
  })

  it('is shown by the distance from its end on a logarithmic axis', () => {
    const plot = convergencePlot({ title: 'energy', units: 'eV', runs: [[-1, -1.9, -2]] }, true)
    expect(plot.curves[0]?.y[0]).toBe(1)
    expect(plot.curves[0]?.y[2]).toBeNaN()
    expect(plot.y.isLog).toBe(true)
    expect(plot.y.reach[0]).toBeGreaterThan(0)
  })
})

it('a spectrum has equal components as one curve, and none of nothing', () => {
  const components = [
    [13, 13, 14, 0, 0, 0],
    [12, 12, 13, 0, 0, 0],
  ]
  const plot = spectrumPlot({ values: [{ part: 'real', frequencies: [0, 1], components }] })
  expect(plot.curves.map(({ name }) => name)).toEqual(['real xx = yy', 'real zz'])
})

describe('curves', () => {
  const curve = (name: string, y: readonly number[], x = X): Curve => ({
    name,
    group: name,
    x,
    y,
    color: 0,
    isDashed: false,
  })
  const X = [0, 1, 2, 3]
  const curves = [curve('a', [0, 0, 0, 0]), curve('b', [1, 1, Number.NaN, 1]), curve('c', [1, 2, 2, 2])]

  it('are gone along and across by keys', () => {
    const go = (...keys: readonly string[]) => {
      const picked = keys.reduce<ReturnType<typeof pickedAfter>>((at, key) => pickedAfter(key, at, curves), null)
      return picked && [curves[picked.curve]?.name, picked.point]
    }
    expect(go('ArrowRight')).toEqual(['a', 0])
    expect(go('ArrowRight', 'ArrowRight', 'ArrowUp')).toEqual(['b', 1])
    // Two that meet are both reached.
    expect(go('ArrowRight', 'ArrowUp', 'ArrowUp')).toEqual(['c', 0])
    expect(go('ArrowRight', 'ArrowDown', 'ArrowLeft')).toEqual(['a', 0])
    expect(pickedAfter('ArrowUp', null, [])).toBeNull()
  })

  it('have the point that is nearest to a place', () => {
    const places = { x: (value: number) => value * 10, y: (value: number) => -value * 10 }
    expect(nearestPoint(curves, places, { x: 21, y: -18, most: 5 })).toEqual({ curve: 2, point: 2 })
    expect(nearestPoint(curves, places, { x: 21, y: 90, most: 5 })).toBeNull()
  })

  it('are broken where there is no number', () => {
    const places = { x: (value: number) => value, y: (value: number) => value }
    expect(linesOf(curves[1] as Curve, places)).toEqual(['0.0,1.0 1.0,1.0', '3.0,1.0'])
  })

  it('are written as columns over one axis, and one below the other over several', () => {
    const titles = { x: 'Energy / eV', y: 'states' }
    expect(curvesCsv(curves.slice(0, 2), titles, [{ title: 'k, point', values: ['Γ'] }])).toBe(
      'Energy / eV,"k, point",a,b\n0,Γ,0,1\n1,,0,1\n2,,0,\n3,,0,1\n',
    )
    expect(curvesCsv([curve('a', [1], [0]), curve('b', [2], [5])], titles)).toBe(
      'curve,Energy / eV,states\na,0,1\nb,5,2\n',
    )
  })

  it('are zoomed about what stays where it is, and never out of what there is', () => {
    expect(zoomed([0, 10], [0, 10], { factor: 2, about: 4 })).toEqual([2, 7])
    expect(zoomed([2, 7], [0, 10], { factor: 0.1, about: 4 })).toEqual([0, 10])
    expect(moved([2, 7], [0, 10], 1)).toEqual([5, 10])
    const number = fc.double({ min: -100, max: 100, noNaN: true })
    fc.assert(
      fc.property(number, fc.double({ min: 0.01, max: 100, noNaN: true }), (about, factor) => {
        const [from, to] = zoomed([-50, 50], [-100, 100], { factor, about })
        return from >= -100 - 1e-9 && to <= 100 + 1e-9 && from < to
      }),
    )
  })

  it('have room around them, also where they are flat', () => {
    expect(widened([0, 100], 0.1)).toEqual([-10, 110])
    for (const flat of [0, 5, -3]) {
      const [from, to] = widened([flat, flat])
      expect(from).toBeLessThan(flat)
      expect(to).toBeGreaterThan(flat)
    }
  })
})
