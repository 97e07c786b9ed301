import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Compounds, compound, GROUP } from './support/compounds.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
let ada: Compounds
let bob: Compounds
beforeAll(async () => {
  server = await startServer()
  ada = new Compounds(server, 'ada')
  bob = new Compounds(server, 'bob')
})
afterAll(() => server.close())

const refusal = async (parameters: Readonly<Record<string, string>>, as = ada) => {
  const { status, body } = await as.call('GET', `phase-diagram?${new URLSearchParams(parameters)}`)
  return { status, code: body.code, message: body.message, data: body.data }
}
const entryOf = (diagram: { entries: { _id: string }[] }, id: string) => diagram.entries.find(({ _id }) => _id === id)
const leftOut = (diagram: { leftOut: { reason: string }[] }, reason: string) =>
  diagram.leftOut.find((group) => group.reason === reason)

describe('a phase diagram', () => {
  let [metal, gas, hematite, monoxide] = ['', '', '', '']
  beforeAll(async () => {
    metal = await ada.add({ Fe: 2 }, -16)
    gas = await ada.add({ O: 2 }, -10)
    hematite = await ada.add({ Fe: 4, O: 6 }, -77)
    monoxide = await ada.add({ Fe: 1, O: 1 }, -15)
  })

  test('says of each material how stable it is, and of what its energy is from', async () => {
    const job = await ada.create('jobs', { name: 'relax' })
    const wustite = await ada.create('materials', compound({ Fe: 2, O: 2 }))
    const propertyId = await ada.energy(wustite, -30.2, { source: { type: 'exabyte', info: { jobId: job } } })
    const diagram = await ada.diagram({ elements: 'O,Fe' })
    expect(diagram).toMatchObject({
      elements: ['Fe', 'O'],
      group: GROUP,
      correction: null,
      tolerance: 0,
      exact: true,
      references: [
        { element: 'Fe', _id: metal, energyPerAtom: -8 },
        { element: 'O', _id: gas, energyPerAtom: -5 },
      ],
    })
    expect(entryOf(diagram, hematite)).toMatchObject({
      formula: 'Fe2O3',
      composition: { Fe: 4, O: 6 },
      energy: -77,
      formationEnergy: expect.closeTo(-1.5, 10),
      energyAboveHull: 0,
      isStable: true,
      decomposition: [{ _id: hematite, formula: 'Fe2O3', fraction: 1 }],
    })
    expect(entryOf(diagram, wustite)).toMatchObject({
      energyAboveHull: expect.closeTo(-1.05 + 1.25, 10),
      isStable: false,
      propertyId,
      jobId: job,
    })
    const { decomposition } = entryOf(diagram, monoxide) as unknown as { decomposition: { _id: string }[] }
    expect(decomposition.map(({ _id }) => _id).sort()).toEqual([metal, hematite].sort())
    expect(diagram.facets.map((facet: string[]) => facet.sort())).toEqual(
      expect.arrayContaining([[metal, hematite].sort(), [gas, hematite].sort()]),
    )
    expect(diagram.entries[0].energyAboveHull).toBe(0)
    await ada.call('DELETE', `materials/${wustite}`)
  })

  test('calls stable what is within a tolerance', async () => {
    const stable = async (tolerance: string) =>
      (entryOf(await ada.diagram({ elements: 'Fe,O', tolerance }), monoxide) as unknown as { isStable: boolean })
        .isStable
    expect([await stable('0'), await stable('0.3')]).toEqual([false, true])
  })

  test('has the lowest of several energies of one composition on the hull', async () => {
    const high = await ada.add({ Fe: 4, O: 6 }, -76, {}, { name: 'high' })
    expect(entryOf(await ada.diagram({ elements: 'Fe,O' }), high)).toMatchObject({
      energyAboveHull: expect.closeTo(0.1, 10),
      decomposition: [{ _id: hematite, fraction: 1 }],
    })
    await ada.call('DELETE', `materials/${high}`)
  })

  test('does not mix energies of several groups, and says which there are', async () => {
    const espresso = await ada.add({ Fe: 1, O: 2 }, -999, { group: 'espresso:dft:gga:pbe' })
    expect(await refusal({ elements: 'Fe,O' })).toMatchObject({
      status: 400,
      code: 40066,
      message: expect.stringContaining(`${GROUP} (4), espresso:dft:gga:pbe (1)`),
      data: {
        groups: [
          { group: GROUP, count: 4 },
          { group: 'espresso:dft:gga:pbe', count: 1 },
        ],
      },
    })
    const diagram = await ada.diagram({ elements: 'Fe,O', group: GROUP })
    expect(diagram.entries).toHaveLength(4)
    expect(diagram.groups).toEqual([
      { group: GROUP, count: 4 },
      { group: 'espresso:dft:gga:pbe', count: 1 },
    ])
    expect(leftOut(diagram, 'otherGroup')).toEqual({
      reason: 'otherGroup',
      count: 1,
      materials: [{ _id: espresso, formula: 'FeO2', why: 'espresso:dft:gga:pbe' }],
    })
    expect(await refusal({ elements: 'Fe,O', group: 'other' })).toMatchObject({ status: 400, code: 40066 })
    await ada.call('DELETE', `materials/${espresso}`)
  })

  test('compares energies of one potential of each element, and says which are of others', async () => {
    const made: string[] = []
    const add = async (composition: Record<string, number>, value: number, potentials: object) => {
      const id = await ada.create('materials', compound(composition))
      await ada.energy(id, value, { data: { name: 'total_energy', value, units: 'eV', potentials } })
      made.push(id)
      return id
    }
    await add({ Ge: 1 }, -4, { Ge: 'Ge' })
    await add({ Ge: 1, S: 1 }, -11, { Ge: 'Ge', S: 'S' })
    await add({ S: 1 }, -4, { S: 'S' })
    const cored = await add({ Ge: 2 }, -1200, { Ge: 'Ge_d' })
    const diagram = await ada.diagram({ elements: 'Ge,S' })
    expect(diagram.entries).toHaveLength(3)
    expect(diagram.references[0]).toMatchObject({ element: 'Ge', energyPerAtom: -4 })
    expect(leftOut(diagram, 'otherPotential')).toEqual({
      reason: 'otherPotential',
      count: 1,
      materials: [{ _id: cored, formula: 'Ge', why: 'Ge_d for Ge, where most have Ge' }],
    })
    await ada.call('DELETE', `materials/${made[0]}`)
    expect(await refusal({ elements: 'Ge,S' })).toMatchObject({
      status: 422,
      message: expect.stringContaining('first that of Ge: Ge_d for Ge, where most have Ge.'),
    })
    for (const id of made) await ada.call('DELETE', `materials/${id}`)
  })

  test('names what it leaves out', async () => {
    const bare = await ada.create('materials', compound({ Fe: 3, O: 4 }))
    const mixed = compound({ Fe: 1, O: 1 })
    const elements = mixed.basis.elements.map((atom) => ({ ...atom, occurrence: 0.5 }))
    const disordered = await ada.create('materials', { ...mixed, basis: { ...mixed.basis, elements } })
    const { body } = await ada.call('GET', `materials/${disordered}`)
    expect(body.data.isDisordered).toBe(true)
    await ada.energy(disordered, -99)
    const charged = await ada.create('materials', compound({ Fe: 2, O: 5 }))
    const caveat = 'The cell is charged: +1 e.'
    await ada.energy(charged, -99, { caveat })
    const diagram = await ada.diagram({ elements: 'Fe,O' })
    expect(leftOut(diagram, 'noEnergy')).toEqual({
      reason: 'noEnergy',
      count: 2,
      materials: [
        { _id: bare, formula: 'Fe3O4' },
        { _id: charged, formula: 'Fe2O5', why: caveat },
      ],
    })
    expect(leftOut(diagram, 'disordered')).toMatchObject({ count: 1, materials: [{ _id: disordered }] })
    await ada.call('DELETE', `materials/${charged}`)
    await ada.call('DELETE', `materials/${bare}`)
    await ada.call('DELETE', `materials/${disordered}`)
  })

  test('needs an energy of each element alone', async () => {
    expect(await refusal({ elements: 'Fe,Li,O' })).toMatchObject({
      status: 422,
      code: 42254,
      message: expect.stringContaining(`there is none of Li in ${GROUP}`),
      data: { missing: ['Li'] },
    })
    expect(await refusal({ elements: 'Xe' })).toMatchObject({ code: 42254, data: { missing: ['Xe'] } })
  })

  test('is not made of energies that no atoms have', async () => {
    const id = await ada.add({ Kr: 1 }, 1e15)
    expect(await refusal({ elements: 'Kr' })).toMatchObject({
      status: 422,
      code: 42255,
      message: `Entry "${id}" has an energy that no atoms have.`,
    })
  })

  test.each([
    [{}, 'elements'],
    [{ elements: 'Fe,Fe' }, 'elements'],
    [{ elements: 'Fe,Q' }, 'elements'],
    [{ elements: 'H,He,Li,Be,B,C,N,O,F' }, 'elements'],
    [{ elements: 'Fe', tolerance: '-1' }, 'tolerance'],
    [{ elements: 'Fe', correction: 'mp2021' }, 'correction'],
  ])('is not made of %j', async (parameters, path) => {
    expect(await refusal(parameters as Record<string, string>)).toMatchObject({
      status: 400,
      code: 40034,
      data: { path },
    })
  })

  test('is of what its reader sees', async () => {
    expect(await refusal({ elements: 'Fe,O' }, bob)).toMatchObject({ code: 42254, data: { missing: ['Fe', 'O'] } })
    const iron = await bob.add({ Fe: 1 }, -8.1)
    const oxygen = await bob.add({ O: 1 }, -5, { isPublic: true })
    const diagram = await bob.diagram({ elements: 'Fe,O' })
    expect(diagram.references.map(({ _id }: { _id: string }) => _id)).toEqual([iron, oxygen])
    const ids = (await ada.diagram({ elements: 'Fe,O' })).entries.map(({ _id }: { _id: string }) => _id)
    expect(ids).toContain(oxygen)
    expect(ids).not.toContain(iron)
  })

  test('is remembered until something changes', async () => {
    const headersOf = async (headers: Record<string, string>) =>
      server.call('GET', 'phase-diagram?elements=Fe,O', { as: 'ada', headers })
    const { headers } = await headersOf({})
    const etag = headers.get('etag') ?? ''
    expect((await headersOf({ 'if-none-match': etag })).status).toBe(304)
    await ada.add({ Fe: 1, O: 4 }, -30)
    const after = await headersOf({ 'if-none-match': etag })
    expect(after.status).toBe(200)
    expect(after.headers.get('etag')).not.toBe(etag)
  })
})

describe('a diagram of energies without a group', () => {
  beforeEach(async () => {
    await ada.add({ Ar: 1 }, -1, { group: undefined })
  })

  test('is made of those', async () => {
    expect(await ada.diagram({ elements: 'Ar', group: '' })).toMatchObject({ group: '', entries: [{ formula: 'Ar' }] })
  })
})

describe('a corrected diagram', () => {
  const run = async (title: string[], incar: object) => {
    const pseudo = title.map((name) => ({ name: `PAW_PBE ${name} 01Jan2000` }))
    const method = await ada.create('methods', {
      name: 'vasp',
      type: 'pseudopotential',
      subtype: 'paw',
      data: { pseudo },
      model: { type: 'dft', subtype: 'gga', functional: 'LDAU' in incar ? 'pbe+u' : 'pbe' },
    })
    const jobId = await ada.create('jobs', { name: 'run', inputs: { INCAR: incar }, _method: { _id: method } })
    return { source: { type: 'exabyte', info: { jobId, methodId: method } } }
  }

  test('has the energies of the Materials Project, and names what cannot be corrected', async () => {
    const plus = `${GROUP}+u`
    const metal = await ada.add({ Mn: 1 }, -9, await run(['Mn_pv'], {}))
    await ada.add({ O: 2 }, -10, { ...(await run(['O'], {})), isPublic: false }, { name: 'oxygen' })
    const oxide = await ada.add({ Mn: 1, O: 1 }, -16, {
      ...(await run(['Mn_pv', 'O'], { LDAU: true, LDAUU: [3.9, 0], LDAUJ: [0, 0] })),
      group: plus,
    })
    const other = await ada.add({ Mn: 1, O: 2 }, -24, { ...(await run(['Mn', 'O'], {})) })
    const asked = { elements: 'Mn,O', group: `${GROUP},${plus}`, correction: 'mp2020' }
    const diagram = await ada.diagram(asked)
    expect(entryOf(diagram, oxide)).toMatchObject({ group: plus, correction: expect.closeTo(-1.668 - 0.687, 10) })
    expect(entryOf(diagram, metal)).toMatchObject({ group: GROUP, correction: 0 })
    expect(leftOut(diagram, 'notCorrected')).toMatchObject({
      materials: expect.arrayContaining([
        { _id: other, formula: 'MnO2', why: 'The corrections are for other potentials than Mn.' },
      ]),
    })
    expect(await refusal({ elements: 'Fe,O', group: GROUP, correction: 'mp2020' })).toMatchObject({
      code: 42254,
      message: expect.stringContaining('The job of its energy is not known.'),
    })
  })
})
