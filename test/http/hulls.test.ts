import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleHulls, settleNoted } from '../../src/records/calculations/settle-hulls.ts'
import { staleHullsOf } from '../../src/records/diagrams/stale-hulls.ts'
import { logToLines } from '../support/log-lines.ts'
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

const settle = () => settleNoted(server.services.records)
const settleAll = (who: 'ada' | 'bob') =>
  settleHulls({ deps: server.services.records, accountId: server.accountIds[who] }, null)
const shown = async (id: string, as = ada) => {
  const { body } = await as.call('GET', `materials/${id}?fields=${encodeURIComponent('{"properties":1}')}`)
  return body.data.properties
}
const above = async (id: string, as = ada) => (await shown(id, as))?.energy_above_hull?.value ?? null
const stored = async (query: object, as = ada) => {
  const { body } = await as.call('GET', `properties?query=${encodeURIComponent(JSON.stringify(query))}`)
  return body.data
}
const ofHull = (exabyteId: string) => stored({ exabyteId, 'source.type': 'hull' })

describe('the energy above the hull', () => {
  let [metal, gas, hematite, monoxide] = ['', '', '', '']
  beforeAll(async () => {
    metal = await ada.add({ Fe: 2 }, -16)
    gas = await ada.add({ O: 2 }, -10)
    hematite = await ada.add({ Fe: 4, O: 6 }, -77)
    monoxide = await ada.add({ Fe: 1, O: 1 }, -15)
    await settle()
  })

  test('is a property of each material, by which it is found', async () => {
    expect(await shown(monoxide)).toMatchObject({
      energy_above_hull: { value: 0.25, units: 'eV/atom', group: GROUP, [GROUP]: { value: 0.25 } },
      formation_energy: { value: -1, units: 'eV/atom' },
    })
    const query = JSON.stringify({ 'properties.energy_above_hull.value': { $lt: 0.05 } })
    const { body } = await ada.call('GET', `materials?query=${encodeURIComponent(query)}`)
    expect(body.data.map(({ _id }: { _id: string }) => _id).sort()).toEqual([metal, gas, hematite].sort())
  })

  test('says what it was computed from', async () => {
    const [energy] = await stored({ exabyteId: monoxide, 'data.name': 'total_energy' })
    const properties = await ofHull(monoxide)
    expect(properties).toHaveLength(2)
    const property = properties.find(({ data }: { data: { name: string } }) => data.name === 'energy_above_hull')
    expect(property).toMatchObject({
      isBest: true,
      isPublic: false,
      group: GROUP,
      summary: { value: 0.25, units: 'eV/atom' },
      source: {
        type: 'hull',
        info: {
          energyId: energy._id,
          isOfBestEnergy: true,
          elements: ['Fe', 'O'],
          references: { Fe: metal, O: gas },
          decomposition: expect.arrayContaining([{ _id: metal, fraction: expect.closeTo(1 / 6, 8) }]),
        },
      },
    })
  })

  test('is not written again where nothing of it changes', async () => {
    const before = await ofHull(monoxide)
    expect(await settleAll('ada')).toEqual({ changed: 0, isSettled: true })
    await ada.call('PATCH', `materials/${monoxide}`, { name: 'wustite' })
    expect(await settle()).toBe(0)
    expect(await ofHull(monoxide)).toEqual(before)
  })

  test('rises when a lower energy comes, and falls back when that goes', async () => {
    const magnetite = await ada.add({ Fe: 3, O: 4 }, -60)
    await settle()
    const risen = await above(monoxide)
    expect(risen).toBeGreaterThan(0.25)
    expect(await above(hematite)).toBeGreaterThan(0)
    await ada.call('DELETE', `materials/${magnetite}`)
    await settle()
    expect([await above(monoxide), await above(hematite)]).toEqual([0.25, 0])
    expect(await ofHull(magnetite)).toEqual([])
    await ada.call('POST', `materials/${magnetite}/restore`)
    await settle()
    expect([await above(monoxide), await above(magnetite)]).toEqual([risen, 0])
    const [{ _id }] = await stored({ exabyteId: magnetite, 'data.name': 'total_energy' })
    await ada.call('DELETE', `properties/${_id}`)
    await settle()
    expect(await above(monoxide)).toBe(0.25)
    expect(await shown(magnetite)).toBeUndefined()
    await ada.call('PATCH', `properties/${_id}`, { 'data.value': 0 })
    await ada.call('DELETE', `materials/${magnetite}`)
  })

  test('follows an energy that is changed, and one that is preferred', async () => {
    const [{ _id }] = await stored({ exabyteId: hematite, 'data.name': 'total_energy' })
    await ada.call('PATCH', `properties/${_id}`, { 'data.value': -74 })
    await settle()
    expect(await above(monoxide)).toBe(0)
    const preferred = await ada.energy(hematite, -77, { isPreferred: true })
    await settle()
    expect(await above(monoxide)).toBe(0.25)
    await ada.call('DELETE', `properties/${preferred}`)
    await ada.call('PATCH', `properties/${_id}`, { 'data.value': -77 })
    await settle()
    expect(await above(monoxide)).toBe(0.25)
  })

  test('is of another system when the material has other elements', async () => {
    const changed = await ada.add({ Fe: 1, O: 3 }, -27)
    await settle()
    expect(await above(changed)).toBe(0)
    await ada.call('PATCH', `materials/${changed}`, { basis: compound({ Fe: 1, Cl: 3 }).basis })
    await settle()
    expect(await above(changed)).toBe(null)
    await ada.call('PATCH', `materials/${changed}`, { basis: compound({ Fe: 4 }).basis })
    await settle()
    expect(await above(changed)).toBeCloseTo(1.25, 8)
    await ada.call('DELETE', `materials/${changed}`)
    await settle()
  })

  test('is what it was when somebody has changed or deleted it', async () => {
    const [one, other] = await ofHull(monoxide)
    await ada.call('PATCH', `properties/${one._id}`, { 'data.value': 7 })
    await ada.call('DELETE', `properties/${other._id}`)
    await settle()
    expect(await shown(monoxide)).toMatchObject({ energy_above_hull: { value: 0.25 }, formation_energy: { value: -1 } })
  })

  test('is of each group by itself', async () => {
    const group = 'espresso:dft:gga:pbe'
    await ada.energy(monoxide, -100, { group })
    await settle()
    expect((await shown(monoxide)).energy_above_hull[group]).toBeUndefined()
    await ada.energy(metal, -50, { group })
    await ada.energy(gas, -40, { group })
    await settle()
    expect((await shown(monoxide)).energy_above_hull).toMatchObject({ [GROUP]: { value: 0.25 }, [group]: { value: 0 } })
    expect((await shown(monoxide)).formation_energy[group].value).toBe(-27.5)
  })

  test('shows that of the group of the best energy first', async () => {
    const [best, other] = [GROUP, 'espresso:dft:gga:pbe']
    const groups = async () => {
      const { total_energy, energy_above_hull, formation_energy } = await shown(monoxide)
      return [total_energy, energy_above_hull, formation_energy].map(({ group }) => group)
    }
    expect(await groups()).toEqual([other, other, other])
    const [{ _id }] = await stored({ exabyteId: monoxide, 'data.name': 'total_energy', group: best })
    await ada.call('PATCH', `properties/${_id}`, { isPreferred: true })
    await settle()
    expect(await groups()).toEqual([best, best, best])
  })

  test('comes after what people give of the same group', async () => {
    const data = { name: 'energy_above_hull', value: 0.1, units: 'eV/atom' }
    const given = await ada.create('properties', { data, exabyteId: monoxide, group: GROUP })
    await settle()
    expect(await above(monoxide)).toBe(0.1)
    await ada.call('DELETE', `properties/${given}`)
    await settle()
    expect(await above(monoxide)).toBe(0.25)
  })

  test('does not tell the private energies of an account in public', async () => {
    const open = await ada.add({ Fe: 2, O: 2 }, -30, { isPublic: true })
    await settle()
    expect(await above(open)).toBe(null)
    await ada.add({ Fe: 1 }, -7.5, { isPublic: true })
    await ada.add({ O: 1 }, -5, { isPublic: true })
    await settle()
    expect([await above(open), await above(open, bob)]).toEqual([0, 0])
    expect((await shown(open, bob)).formation_energy.value).toBe(-1.25)
    expect((await shown(monoxide)).formation_energy.value).toBe(-1)
    expect(await stored({ 'source.type': 'hull', isPublic: false }, bob)).toEqual([])
    await ada.call('PATCH', `materials/${open}`, { isPublic: false })
    await settle()
    expect(await above(open)).toBe(null)
  })

  test('of an account does not depend on others', async () => {
    const iron = await bob.add({ Fe: 1 }, -8)
    await settle()
    expect(await above(iron, bob)).toBe(0)
    expect(await above(monoxide)).toBe(0.25)
  })
})

test('a failure is told to the log', async () => {
  const { log, lines } = logToLines()
  const failing = await startServer({ log })
  staleHullsOf(failing.services.records.store).note('somebody', ['something'])
  await failing.closeStore()
  expect(await settleNoted(failing.services.records)).toBe(0)
  expect(lines).toContainEqual(expect.objectContaining({ event: 'hulls.not-settled', account: 'somebody' }))
  await failing.close()
})

describe('an import of many', () => {
  test('is settled once, and right at the end', async () => {
    await bob.add({ Mg: 1 }, -1)
    await bob.add({ Cl: 1 }, -1)
    await settle()
    const count = 40
    const energies = Array.from({ length: count }, (_, at) => -6 - (at % 7))
    const ids = await Promise.all(
      energies.map((value, at) => bob.add({ Mg: 1, Cl: 2 }, value, {}, { name: `polymorph ${at}` })),
    )
    expect(await settle()).toBe(count)
    expect(await settle()).toBe(0)
    const found = await Promise.all(ids.map((id) => above(id, bob)))
    expect(found).toEqual(energies.map((value) => expect.closeTo((value + 12) / 3, 8)))
    expect(await settleAll('bob')).toEqual({ changed: 0, isSettled: true })
  })

  test('that nobody noted is found by a look at all', async () => {
    await bob.add({ Mg: 1, Cl: 1 }, -20)
    staleHullsOf(server.services.records.store).take()
    expect(await settle()).toBe(0)
    expect((await settleAll('bob')).changed).toBeGreaterThan(40)
    expect(await settleAll('bob')).toEqual({ changed: 0, isSettled: true })
  })

  test('of more materials than are remembered means all', async () => {
    const stale = staleHullsOf(server.services.records.store)
    stale.note(
      'somebody',
      Array.from({ length: 3_000 }, (_, at) => String(at)),
    )
    expect(stale.take().get('somebody')).toBeNull()
  })

  test('is settled by two at a time', async () => {
    const id = await bob.add({ Mg: 2, Cl: 1 }, -40)
    await Promise.all([settleAll('bob'), settleAll('bob')])
    expect(await above(id, bob)).toBe(0)
    expect(await settleAll('bob')).toEqual({ changed: 0, isSettled: true })
  })
})
