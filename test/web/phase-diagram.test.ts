import { describe, expect, it, test } from 'vitest'
import { CLASS_WORDS, classAboveHull } from '../../web/pages/phase-diagram/above-hull.ts'
import { readAskedDiagram, readElements } from '../../web/pages/phase-diagram/asked-diagram.ts'
import { diagramCsv, fileName } from '../../web/pages/phase-diagram/diagram-files.ts'
import { diagramParameters, diagramPath, withTerm } from '../../web/pages/phase-diagram/diagram-path.ts'
import { labelPlaces, type Side } from '../../web/pages/phase-diagram/label-places.ts'
import {
  type PhaseDiagram,
  type PhaseEntry,
  pointsOf,
  sharesOf,
  tieLinesOf,
} from '../../web/pages/phase-diagram/phase-diagram.ts'
import { pointWords, stabilityText } from '../../web/pages/phase-diagram/phase-words.ts'

function entry(_id: string, composition: Record<string, number>, fields: Partial<PhaseEntry> = {}): PhaseEntry {
  const formula = Object.entries(composition)
    .map(([element, count]) => `${element}${count === 1 ? '' : count}`)
    .join('')
  const stable = { formationEnergy: 0, energyAboveHull: 0, isStable: true, decomposition: [] }
  return { _id, name: formula, formula, composition, energy: -1, ...stable, propertyId: 'p', jobId: null, ...fields }
}

const IRON = entry('fe', { Fe: 1 })
const OXYGEN = entry('o', { O: 2 })
const HEMATITE = entry('h', { Fe: 2, O: 3 }, { name: 'Hematite', formationEnergy: -1.7 })
const OTHER = entry(
  'm',
  { Fe: 4, O: 6 },
  {
    name: 'Maghemite, cubic',
    formationEnergy: -1.66,
    energyAboveHull: 0.04,
    isStable: false,
    decomposition: [{ _id: 'h', formula: 'Fe2O3', fraction: 1 }],
  },
)
const DIAGRAM: PhaseDiagram = {
  elements: ['Fe', 'O'],
  group: 'vasp:dft:gga:pbe',
  groups: [],
  correction: null,
  tolerance: 0,
  references: [],
  entries: [IRON, HEMATITE, OXYGEN, OTHER],
  facets: [
    ['fe', 'h'],
    ['h', 'o'],
  ],
  leftOut: [],
  exact: true,
}

describe('a phase diagram on the page', () => {
  it('has the shares of the elements in each entry', () => {
    expect(sharesOf(HEMATITE, ['Fe', 'O'])).toEqual([0.4, 0.6])
    expect(sharesOf(IRON, ['Fe', 'Li', 'O'])).toEqual([1, 0, 0])
  })

  it('has the lowest entry of each composition where they would lie under each other, whichever comes first', () => {
    const named = (entries: readonly PhaseEntry[], isOneOfEach: boolean) =>
      pointsOf(entries, ['Fe', 'O'], isOneOfEach).map(({ entry: { _id }, others }) => [_id, others])
    expect(named([IRON, HEMATITE, OTHER], true)).toEqual([
      ['fe', 0],
      ['h', 1],
    ])
    expect(named([OTHER, HEMATITE], true)).toEqual([['h', 1]])
    expect(named([HEMATITE, OTHER], false)).toEqual([
      ['h', 0],
      ['m', 0],
    ])
  })

  it('has each line between what is in equilibrium once', () => {
    const facets = [
      ['fe', 'h'],
      ['h', 'o', 'fe'],
      ['fe', 'nobody'],
    ]
    expect(tieLinesOf({ ...DIAGRAM, facets })).toHaveLength(3)
    expect(tieLinesOf({ ...DIAGRAM, facets: null })).toEqual([])
  })

  test.each([
    [0, 0],
    [0.025, 0],
    [0.0251, 1],
    [0.2, 3],
    [9, 4],
  ])('%d eV/atom above the hull are of class %i', (energy, at) => expect(classAboveHull(energy)).toBe(at))

  it('calls the classes by their ends', () => {
    expect(CLASS_WORDS).toEqual(['0–25', '25–50', '50–100', '100–200', '> 200'])
  })

  it('says all of a point in words', () => {
    const [point] = pointsOf([OTHER], ['Fe', 'O'], true)
    expect(point && pointWords({ ...point, others: 2 })).toBe(
      'Fe4O6, Maghemite, cubic; formation energy −1.660 eV/atom; 0.040 eV/atom above the hull; decomposes into 100 % Fe2O3; lowest of 3 of this composition',
    )
    expect(stabilityText({ ...OTHER, isStable: true })).toBe('0.040 eV/atom above the hull, called stable')
  })

  it('is saved with all of its entries', () => {
    expect(fileName(DIAGRAM, 'csv')).toBe('phase-diagram-Fe-O.csv')
    const lines = diagramCsv(DIAGRAM).split('\n')
    expect(lines[0]).toBe(
      'formula,name,_id,x(Fe),x(O),energy / eV,formation energy / (eV/atom),energy above hull / (eV/atom),stable,decomposition,group',
    )
    expect(lines[4]).toBe('Fe4O6,"Maghemite, cubic",m,0.4,0.6,-1,-1.66,0.04,false,100 % Fe2O3,vasp:dft:gga:pbe')
  })
})

describe('the address of a phase diagram', () => {
  it('leads back to what was asked', () => {
    const asked = { elements: ['Li', 'O'], group: '', others: { correction: 'mp2020' } }
    const path = diagramPath(asked)
    expect(path).toBe('/phase-diagram?elements=Li,O&group=&correction=mp2020')
    expect(readAskedDiagram(new URL(path, 'http://host').searchParams)).toEqual(asked)
    expect(diagramParameters({ elements: ['Li'] })).toEqual({ elements: 'Li' })
    expect(withTerm(asked, 'tolerance', '0.01').others).toEqual({ correction: 'mp2020', tolerance: '0.01' })
    expect(withTerm(asked, 'correction', '').others).toEqual({})
  })

  test.each([
    ['Li, Fe, O', ['Li', 'Fe', 'O']],
    ['Li-Fe-O', ['Li', 'Fe', 'O']],
    ['LiFePO4', ['Li', 'Fe', 'P', 'O']],
    ['O O', ['O']],
    ['Li, Xx', ['Li', 'Xx']],
    ['iron', ['iron']],
    ['', []],
  ])('%j typed is %j', (typed, elements) => expect(readElements(typed)).toEqual(elements))
})

describe('labels', () => {
  const frame = { left: 0, right: 200, top: 0, bottom: 200 }
  const sides: readonly Side[] = [
    [1, 0],
    [-1, 0],
  ]
  const at = (x: number, y: number) => ({ x, y, width: 30, sides })

  it('stand on the first side that is free, within the frame', () => {
    const anchors = (places: ReturnType<typeof labelPlaces>) => places.map((place) => place?.anchor ?? null)
    expect(anchors(labelPlaces([at(100, 100), at(190, 50)], [], frame))).toEqual(['start', 'end'])
    expect(anchors(labelPlaces([at(100, 100), at(100, 104), at(100, 108)], [], frame))).toEqual(['start', 'end', null])
    const taken = [{ left: 110, right: 112, top: 99, bottom: 101 }]
    expect(anchors(labelPlaces([at(100, 100)], taken, frame))).toEqual(['end'])
  })
})
