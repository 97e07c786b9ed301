import { describe, expect, it } from 'vitest'
import { comparePath, idsIn, isComparable, isLaidIn } from '../../web/pages/compare/compare-ids.ts'
import { comparedParts } from '../../web/pages/compare/compared-rows.ts'
import { stackedPatterns } from '../../web/pages/compare/stacked-patterns.ts'

const PBE = { value: 0.6233, units: 'eV', type: 'indirect', propertyId: 'p1' }
const HSE = { value: 1.15, units: 'eV', type: 'indirect', propertyId: 'p2' }
const silicon = {
  formula: 'Si',
  nSites: 2,
  volume: 40.04123,
  composition: { Si: 2 },
  spaceGroup: { symbol: 'Fd-3m', number: 227 },
  lattice: { type: 'FCC', a: 3.84, units: { length: 'angstrom' } },
  properties: { band_gap: { ...PBE, group: 'vasp:dft:gga:pbe', 'vasp:dft:gga:pbe': PBE } },
}
const alloy = {
  formula: 'Si19Ge20',
  isDisordered: true,
  nSites: 2,
  composition: { Si: 0.5, Ge: 1.5 },
  spaceGroup: { symbol: 'Fd-3m', number: 227 },
  lattice: { type: 'FCC', a: 7.5, units: { length: 'bohr' } },
  properties: { band_gap: { ...HSE, group: 'vasp:dft:hybrid:hse06', 'vasp:dft:hybrid:hse06': HSE } },
}

function rowsOf(part: string, materials: readonly object[]) {
  const found = comparedParts(materials as never).find(({ title }) => title === part)
  return Object.fromEntries((found?.rows ?? []).map((row) => [row.title, row]))
}

describe('materials side by side', () => {
  it('say where they differ; what one does not have is no difference', () => {
    const { Formula, Sites, Volume, ...others } = rowsOf('Crystal', [silicon, alloy])
    expect(Formula).toMatchObject({ values: ['Si', 'Si0.95Ge'], isSame: false })
    expect(Sites).toMatchObject({ values: ['2', '2'], isSame: true })
    expect(Volume).toMatchObject({ unit: 'Å³', values: ['40.041', null], isSame: true })
    expect(Object.keys(others)).toEqual(['Disordered'])
  })

  it('have lengths in the unit of each', () => {
    expect(rowsOf('Cell', [silicon, alloy])['a']).toEqual({
      path: 'lattice.a',
      title: 'a',
      values: ['3.84 Å', '7.5 bohr'],
      isSame: false,
    })
  })

  it('are compared by the shares of their elements, whatever their cells', () => {
    const { Ge, Si } = rowsOf('Composition', [silicon, alloy])
    expect([Ge?.values, Si?.values]).toEqual([
      ['0', '75'],
      ['100', '25'],
    ])
  })

  it('have the best value of a property with its method, and each method by itself', () => {
    const rows = rowsOf('Properties', [silicon, alloy])
    expect(rows['Band gap']).toMatchObject({
      values: ['0.623 eV indirect', '1.150 eV indirect'],
      notes: ['PBE (GGA), DFT with VASP', expect.stringContaining('HSE06')],
      isSame: false,
    })
    expect(rows['Band gap, PBE (GGA), DFT with VASP']).toMatchObject({
      values: ['0.623 eV indirect', null],
      isSame: true,
    })
  })
})

describe('the address of a comparison', () => {
  it('names each material once, in their order', () => {
    const { searchParams, pathname } = new URL(comparePath(['b', 'a']), 'http://host')
    expect([pathname, idsIn(searchParams)]).toEqual(['/materials/compare', ['b', 'a']])
    expect(idsIn(new URLSearchParams('ids=a,,b,a'))).toEqual(['a', 'b'])
  })

  it('says whether their crystals are laid on each other', () => {
    const isLaid = (path: string) => isLaidIn(new URL(path, 'http://host').searchParams)
    expect([comparePath(['a', 'b']), comparePath(['a', 'b'], true)].map(isLaid)).toEqual([false, true])
  })

  it('is of two to six', () => expect([1, 2, 6, 7].map(isComparable)).toEqual([false, true, true, false]))
})

describe('powder patterns one above the other', () => {
  const peak = (twoTheta: number, intensity: number) => ({ twoTheta, d: 3.1, intensity, reflections: [] })
  const { curves, y, told } = stackedPatterns(
    [
      { name: 'one', peaks: [peak(20, 100)] },
      { name: 'other', peaks: [peak(25, 50), peak(40, 100)] },
    ],
    [10, 90],
  )

  it('begin each at a height of its own', () => {
    expect(curves.map((curve) => curve.y)).toEqual([
      [0, 0.85, Number.NaN],
      [1, 1.425, Number.NaN, 1, 1.85, Number.NaN],
    ])
    expect(y.ends).toEqual([0, 2])
  })

  it('are read peak by peak', () => {
    expect(told(curves[1] as never, 4)).toBe('other: 40.00°, 3.1000 Å, intensity 100.0')
  })
})
