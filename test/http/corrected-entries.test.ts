import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Entries of the Materials Project (CC BY 4.0): eV of the cell, atoms, and what MaterialsProject2020Compatibility and PhaseDiagram of pymatgen 2022.11.7 make of them. */
const ENTRIES = [
  { id: 'mp-19006', energy: -31.42682858, Mn: 2, O: 2, correction: -4.71, formationEnergy: -1.979376175452586 },
  { id: 'mp-19395', energy: -85.73370849, Mn: 4, O: 8, correction: -12.168, formationEnergy: -1.8059365715517248 },
  { id: 'mp-18759', energy: -107.75750916, Mn: 6, O: 8, correction: -15.504, formationEnergy: -2.050544756280788 },
  { id: 'mp-35', energy: -265.68948764, Mn: 29, O: 0, correction: 0, formationEnergy: 0 },
  { id: 'mp-12957', energy: -39.58364375, Mn: 0, O: 8, correction: 0, formationEnergy: 0 },
  { id: 'mp-1172875', energy: -605.44549615, Mn: 32, O: 48, correction: -86.352, formationEnergy: -2.01401283248707 },
]

interface Settings {
  /** The metal in the place of manganese, and its potential. */
  readonly metal: string
  readonly symbol: string
  readonly potential: (name: string) => string
  readonly hubbards?: object
}

/** Entries as pymatgen writes them, of atoms that are too far from each other for a peroxide. */
function entriesOf({ metal, symbol, potential, hubbards }: Settings) {
  return ENTRIES.map(({ id, energy, Mn, O }) => {
    const elements = [...Array<string>(Mn).fill(metal), ...Array<string>(O).fill('O')]
    const side = 3 * elements.length
    const isMixed = Mn > 0 && O > 0
    const names = [...(Mn > 0 ? [symbol] : []), ...(O > 0 ? ['O'] : [])]
    return {
      '@module': 'pymatgen.entries.computed_entries',
      '@class': 'ComputedStructureEntry',
      energy,
      composition: { ...(Mn > 0 ? { [metal]: Mn } : {}), ...(O > 0 ? { O } : {}) },
      entry_id: id,
      correction: 0,
      energy_adjustments: [],
      parameters: {
        run_type: isMixed ? 'GGA+U' : 'GGA',
        hubbards: isMixed ? hubbards : {},
        pseudo_potential: { functional: 'PBE', labels: names, pot_type: 'paw' },
        potcar_symbols: names.map(potential),
      },
      data: { oxide_type: isMixed ? 'oxide' : 'None' },
      structure: {
        '@module': 'pymatgen.core.structure',
        '@class': 'Structure',
        lattice: { matrix: [0, 1, 2].map((row) => [0, 1, 2].map((at) => (row === at ? side : 0))) },
        sites: elements.map((element, at) => ({
          species: [{ element, occu: 1 }],
          abc: [at / elements.length, 0, 0],
          label: element,
          properties: {},
        })),
      },
    }
  })
}

/** Imports entries of one account, and asks for their diagram. */
async function diagramOf(settings: Settings, as: 'ada' | 'bob') {
  const body = JSON.stringify(entriesOf(settings))
  const sent = await server.call('PUT', 'uploads/entries.json', { body, as })
  const files = [{ name: 'entries.json', ticket: sent.body.data.ticket }]
  const imported = await server.call('POST', 'jobs/import', { body: { files }, as })
  const outcomes = imported.body.data.calculations.map(({ outcome }: { outcome: string }) => outcome)
  expect(outcomes).toEqual(ENTRIES.map(() => 'stored'))
  const group = 'vasp:dft:gga:pbe,vasp:dft:gga:pbe+u'
  const asked = new URLSearchParams({ elements: `${settings.metal},O`, group, correction: 'mp2020' })
  return server.call('GET', `phase-diagram?${asked}`, { as })
}

describe('entries of the Materials Project', () => {
  test.each([
    ['ada', (name: string) => `PBE ${name}`],
    ['bob', (name: string) => `PAW_PBE ${name} 02Aug2007`],
  ] as const)(
    'are corrected as pymatgen corrects them, whatever it calls their potentials (%s)',
    async (as, potential) => {
      const { body } = await diagramOf({ metal: 'Mn', symbol: 'Mn_pv', potential, hubbards: { Mn: 3.9, O: 0 } }, as)
      const found = new Map(
        body.data.entries.map((entry: { energy: number }) => [Math.round(entry.energy), entry] as const),
      )
      expect(body.data.leftOut).toEqual([])
      expect(found.size).toBe(ENTRIES.length)
      for (const { energy, correction, formationEnergy } of ENTRIES) {
        expect(found.get(Math.round(energy))).toMatchObject({
          energy,
          correction: expect.closeTo(correction, 9),
          formationEnergy: expect.closeTo(formationEnergy, 9),
          energyAboveHull: 0,
        })
      }
    },
  )

  test('are left out with the true reason where U is not said', async () => {
    const { body } = await diagramOf({ metal: 'Co', symbol: 'Co', potential: (name) => `PBE ${name}` }, 'ada')
    const why = 'U of its elements is not known.'
    expect(body.data.leftOut).toMatchObject([{ reason: 'notCorrected', count: 4, materials: Array(4).fill({ why }) }])
  })

  test('are not called missing where they cannot be corrected', async () => {
    const { status, body } = await diagramOf(
      { metal: 'Fe', symbol: 'Fe', potential: (name) => `PBE ${name}`, hubbards: { Fe: 5.3 } },
      'ada',
    )
    expect([status, body.message]).toEqual([
      422,
      'Formation energies need an energy of each element alone; what there is of Fe in vasp:dft:gga:pbe, vasp:dft:gga:pbe+u cannot be corrected. Fe: The corrections are for other potentials than Fe.',
    ])
    expect(body.data.missing).toEqual(['Fe'])
  })
})
