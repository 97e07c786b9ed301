import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: object, as: Actor = 'ada') =>
  server.call(method, path, { as, ...(body === undefined ? {} : { body }) })
const create = async (collection: string, record: object, as: Actor = 'ada') => {
  const { status, body } = await call('PUT', `${collection}/create`, record, as)
  expect([status, body.message]).toEqual([200, undefined])
  return body.data
}
const property = (exabyteId: string, data: object, more: object = {}) =>
  create('properties', { data, exabyteId, ...more })
const energy = (exabyteId: string, value: number, more: object = {}) =>
  property(exabyteId, { name: 'total_energy', value, units: 'eV' }, { group: 'vasp:dft:gga:pbe', ...more })
const energies = async (exabyteId: string, count: number, more: (n: number) => object) => {
  const lines = Array.from({ length: count }, (_, n) => {
    const data = { name: 'total_energy', value: -n, units: 'eV' }
    return JSON.stringify({ data, exabyteId, ...more(n) })
  })
  const headers = { ...server.credentials.ada, 'content-type': 'application/x-ndjson' }
  const sent = { method: 'POST', headers, body: lines.join('\n') }
  expect(await (await fetch(`${server.origin}${API_PREFIX}/properties/bulk`, sent)).text()).toContain(
    `"stored":${count}`,
  )
}
const shown = async (id: string, as: Actor = 'ada') =>
  (await call('GET', `materials/${id}?fields=${encodeURIComponent('{"properties":1}')}`, undefined, as)).body.data
    .properties
const found = async (query: object, fields: object = { _id: 1 }) => {
  const parameters = new URLSearchParams({ query: JSON.stringify(query), projection: JSON.stringify({ fields }) })
  return (await call('GET', `materials?${parameters}`)).body.data
}

describe('the data of a property', () => {
  test('are brought into the unit of their name, and what was sent is kept beside', async () => {
    const { data, summary } = await create('properties', { data: { name: 'total_energy', value: -1, units: 'Ry' } })
    expect(data).toEqual({
      name: 'total_energy',
      value: -13.605693122994,
      units: 'eV',
      given: { value: -1, units: 'Ry' },
    })
    expect(summary).toEqual({ value: -13.605693122994, units: 'eV' })
  })

  test('lose what was given once they say something else', async () => {
    const { _id } = await create('properties', { data: { name: 'total_energy', value: -1, units: 'Ry' } })
    const { body } = await call('PATCH', `properties/${_id}`, { 'data.value': -20 })
    expect(body.data.data).toEqual({ name: 'total_energy', value: -20, units: 'eV' })
  })

  test.each([
    [{ name: 'total_energy', value: '1.1', units: 'eV' }, '/data/value should be a number, since it is total_energy'],
    [
      { name: 'total_energy', value: 1, units: 'GPa' },
      '/data/units should be eV, or a unit that can be converted to it',
    ],
    [{ name: 'band_gaps', values: [{ type: 'curved', value: 1 }] }, '/data/values should be a list of'],
    [
      { name: 'density_of_states', xDataArray: [1, 2], yDataSeries: [[1, 2], [1]] },
      '/data/yDataSeries/1 should be 2 numbers, one for each point of xDataArray',
    ],
  ])('are refused where they are not what the name asks for: %j', async (data, message) => {
    const { status, body } = await call('PUT', 'properties/create', { data })
    expect(status).toBe(422)
    expect(body.message).toContain(message)
  })

  test('are of no group that is called like a field of what materials show', async () => {
    const refused = { data: { name: 'own', value: 1 }, group: 'units' }
    const { status, body } = await call('PUT', 'properties/create', refused)
    expect([status, body.message]).toEqual([422, expect.stringContaining('/group should be a group that is not')])
  })

  test('are told of where a unit is missing, and where a name of its own is nearly a known one', async () => {
    const { _id: exabyteId } = await create('materials', material('warned'))
    const warned = async (data: object) => (await call('PUT', 'properties/create', { data, exabyteId })).body.warnings
    expect(await warned({ name: 'fermi_energy', value: 3 })).toMatchObject([{ code: 20028, path: 'data.units' }])
    expect(await warned({ name: 'fermi_enrgy', value: 3, units: 'eV' })).toMatchObject([
      { code: 20027, hint: 'Did you mean "fermi_energy"?' },
    ])
    expect(await warned({ name: 'seebeck_of_our_own', value: 3, units: 'µV/K' })).toBeUndefined()
  })

  test('are told of where they are below what can be, and where they are of nothing', async () => {
    const warned = async (record: object) => (await call('PUT', 'properties/create', record)).body.warnings
    const { _id: exabyteId } = await create('materials', material('below'))
    const gaps = (value: number) => ({ name: 'band_gaps', values: [{ type: 'direct', value }] })
    expect(await warned({ exabyteId, data: { name: 'band_gap', value: -1, units: 'eV' } })).toMatchObject([
      { code: 20030, path: 'data', message: expect.stringContaining('never below 0') },
    ])
    expect(await warned({ exabyteId, data: gaps(-0.5) })).toMatchObject([{ code: 20030 }])
    expect(await warned({ exabyteId, data: gaps(0) })).toBeUndefined()
    expect(await warned({ exabyteId, data: { name: 'total_energy', value: -1, units: 'eV' } })).toBeUndefined()
    expect(await warned({ data: gaps(1) })).toMatchObject([{ code: 20029, path: 'exabyteId' }])
    const open = await create('materials', material('open', { isPublic: true }))
    const ofOpen = { exabyteId: open._id, data: gaps(1) }
    expect(await warned(ofOpen)).toMatchObject([
      { code: 20031, message: expect.stringContaining('the material is public, and the property private') },
    ])
    expect(await warned({ ...ofOpen, isPublic: true })).toBeUndefined()
    const { body } = await call('PUT', 'properties/create', { ...ofOpen, isPublic: true }, 'bob')
    expect(body.warnings).toMatchObject([{ code: 20031, message: expect.stringContaining('of another account') }])
    const strict = await server.call('POST', 'properties?strict=true', { body: ofOpen })
    expect(strict.status).toBe(400)
    const { _id: jobId } = await create('jobs', { name: 'run', workflow: {} })
    expect(await warned({ data: gaps(1), source: { type: 'exabyte', info: { jobId } } })).toBeUndefined()
  })

  test('are told of where the material is published, and does not show them any more', async () => {
    const { _id: exabyteId } = await create('materials', material('published'))
    const patched = (change: object, query = '') => call('PATCH', `materials/${exabyteId}${query}`, { $set: change })
    expect((await patched({ isPublic: true })).body.warnings).toBeUndefined()
    await patched({ isPublic: false })
    await create('properties', { exabyteId, data: { name: 'band_gap', value: 1, units: 'eV' } })
    expect((await patched({ name: 'renamed' })).body.warnings).toBeUndefined()
    expect((await patched({ isPublic: true }, '?strict=true')).status).toBe(400)
    const hidden = [{ code: 20031, path: 'isPublic', message: expect.stringContaining('its band_gap of before') }]
    expect((await patched({ isPublic: true })).body.warnings).toMatchObject(hidden)
  })

  test('are told of where the material shows the same one already, and stored', async () => {
    const { _id: exabyteId } = await create('materials', material('twice'))
    const { _id: jobId } = await create('jobs', { name: 'other run', workflow: {} })
    const energy = (value: number, more: object = {}) =>
      call('PUT', 'properties/create', { exabyteId, data: { name: 'total_energy', value, units: 'eV' }, ...more })
    const first = await energy(-7, { group: 'a' })
    const again = await energy(-7, { group: 'a' })
    expect(first.body.warnings).toBeUndefined()
    expect([again.status, again.body.warnings]).toMatchObject([
      200,
      [{ code: 20032, path: 'data', message: expect.stringContaining(first.body.data._id) }],
    ])
    const others = [{ group: 'b' }, { group: 'a', source: { type: 'exabyte', info: { jobId } } }]
    for (const other of others) expect((await energy(-7, other)).body.warnings).toBeUndefined()
    expect((await energy(-7.1, { group: 'a' })).body.warnings).toBeUndefined()
    expect((await energy(-8)).body.warnings).toBeUndefined()
    expect((await energy(-8)).body.warnings).toMatchObject([{ code: 20032 }])
  })

  test('are not taken from materials, jobs and methods that their writer does not see', async () => {
    const mine = await create('materials', material('Si'))
    const refused = async (record: object) => {
      const { status, body } = await call(
        'PUT',
        'properties/create',
        { data: { name: 'own', value: 1 }, ...record },
        'bob',
      )
      return [status, body.message]
    }
    const [status, message] = await refused({ exabyteId: mine._id, source: { info: { jobId: 'nowhere' } } })
    expect(status).toBe(422)
    expect(message).toContain('/exabyteId should be the _id of one of the materials that you can see')
    expect(message).toContain('/source/info/jobId should be the _id of one of the jobs that you can see')
  })
})

describe('the best property', () => {
  const bestOf = async (exabyteId: string) => {
    const query = JSON.stringify({ exabyteId, isBest: true })
    return (await call('GET', `properties?query=${encodeURIComponent(query)}`)).body.data.map(
      ({ data }: { data: { value: number } }) => data.value,
    )
  }

  test('is the most precise of its material, name and group, then the newest', async () => {
    const { _id } = await create('materials', material('Si'))
    await energy(_id, -1, { precision: { kppra: 100 } })
    expect(await bestOf(_id)).toEqual([-1])
    await energy(_id, -2, { precision: { kppra: 2000 } })
    expect(await bestOf(_id)).toEqual([-2])
    await energy(_id, -3, { precision: { kppra: 500 } })
    expect(await bestOf(_id)).toEqual([-2])
    await energy(_id, -4, { precision: { kppra: 2000, cutoff: 500 } })
    expect(await bestOf(_id)).toEqual([-4])
    await energy(_id, -5, { group: 'espresso:dft:gga:pbe' })
    expect(await bestOf(_id)).toEqual([-4, -5])
  })

  test('is compared with those of its first material', async () => {
    const [first, second] = [await create('materials', material('Si')), await create('materials', material('Si'))]
    const { _id: ofBoth } = await energy(first._id, -1, {
      exabyteId: [first._id, second._id],
      precision: { kppra: 100 },
    })
    const { _id: ofSecond } = await energy(second._id, -2, { precision: { kppra: 10 } })
    const isBest = async (id: string) => (await call('GET', `properties/${id}`)).body.data.isBest
    expect([await isBest(ofBoth), await isBest(ofSecond)]).toEqual([true, true])
    expect([(await shown(first._id)).total_energy.value, (await shown(second._id)).total_energy.value]).toEqual([
      -1, -1,
    ])
  })

  test('is the one that its account prefers, and another when that goes', async () => {
    const { _id } = await create('materials', material('Si'))
    const first = await energy(_id, -1)
    await energy(_id, -2, { precision: { kppra: 100 } })
    await call('PATCH', `properties/${first._id}`, { isPreferred: true })
    expect(await bestOf(_id)).toEqual([-1])
    expect((await shown(_id)).total_energy).toMatchObject({ value: -1, propertyId: first._id })
    await call('DELETE', `properties/${first._id}`)
    expect((await shown(_id)).total_energy.value).toBe(-2)
    await call('POST', `properties/${first._id}/restore`)
    expect((await shown(_id)).total_energy.value).toBe(-1)
  })
})

describe('a material', () => {
  test('shows its best properties to who asks for them, and is found by them', async () => {
    const { _id } = await create('materials', material('Si'))
    const { _id: jobId } = await create('jobs', { name: 'gap' })
    await property(
      _id,
      {
        name: 'band_gaps',
        values: [
          { type: 'indirect', value: 0.61 },
          { type: 'direct', value: 2.5 },
        ],
      },
      { group: 'vasp:dft:gga:pbe', source: { type: 'exabyte', info: { jobId } } },
    )
    const hse = await property(
      _id,
      { name: 'band_gaps', values: [{ type: 'indirect', value: 1.17 }] },
      { group: 'vasp:dft:hybrid:hse06', precision: { kppra: 10 } },
    )
    const gap = { value: 0.61, units: 'eV', type: 'indirect', direct: 2.5, jobId }
    expect(await shown(_id)).toEqual({
      band_gap: {
        value: 1.17,
        units: 'eV',
        type: 'indirect',
        propertyId: hse._id,
        group: 'vasp:dft:hybrid:hse06',
        'vasp:dft:gga:pbe': { ...gap, propertyId: expect.any(String) },
        'vasp:dft:hybrid:hse06': { value: 1.17, units: 'eV', type: 'indirect', propertyId: hse._id },
      },
    })
    expect((await call('GET', `materials/${_id}`)).body.data).not.toHaveProperty('properties')
    expect(await found({ 'properties.band_gap.value': { $gt: 1, $lt: 1.2 } })).toEqual([{ _id }])
    expect(await found({ 'properties.band_gap.vasp:dft:gga:pbe.value': 0.61 })).toEqual([{ _id }])
    expect(await found({ _id }, { 'properties.band_gap.direct': 1, _id: 0 })).toEqual([
      { properties: { band_gap: {} } },
    ])
    expect(await found({ _id }, { 'properties.band_gap.vasp:dft:gga:pbe.direct': 1, _id: 0 })).toEqual([
      { properties: { band_gap: { 'vasp:dft:gga:pbe': { direct: 2.5 } } } },
    ])
  })

  test('does not show one with a caveat, and shows it when the caveat is gone', async () => {
    const { _id } = await create('materials', material('Cu'))
    const gap = (value: number, more: object = {}) =>
      property(_id, { name: 'band_gaps', values: [{ type: 'direct', value }] }, more)
    const doubted = await gap(30.3, { caveat: 'Levels are partly filled.', isPreferred: true })
    expect(doubted).not.toHaveProperty('isBest')
    expect(await shown(_id)).toBeUndefined()
    const plain = await gap(0)
    expect(plain.summary).toEqual({ value: 0, units: 'eV' })
    expect((await shown(_id)).band_gap).toEqual({ value: 0, units: 'eV', propertyId: plain._id })
    await call('PATCH', `properties/${doubted._id}`, { $unset: { caveat: '' } })
    expect((await shown(_id)).band_gap).toMatchObject({ value: 30.3, propertyId: doubted._id })
    await call('PATCH', `properties/${doubted._id}`, { caveat: 'again' })
    expect((await shown(_id)).band_gap.propertyId).toBe(plain._id)
    const isBest = async (id: string) => (await call('GET', `properties/${id}`)).body.data.isBest
    expect(await Promise.all([doubted._id, plain._id].map(isBest))).toEqual([false, true])
  })

  test('keeps them when it is changed, copied without them, and loses them with the last', async () => {
    const { _id } = await create('materials', material('Si'))
    const { _id: id } = await energy(_id, -7)
    await call('PATCH', `materials/${_id}`, { name: 'renamed' })
    expect((await shown(_id)).total_energy.value).toBe(-7)
    const { body } = await call('POST', `materials/${_id}/copy`)
    expect(await shown(body.data._id)).toBeUndefined()
    await call('DELETE', `properties/${id}`)
    expect(await shown(_id)).toBeUndefined()
  })

  test('shows in public what is public, and again what its account sees when it is private again', async () => {
    const { _id } = await create('materials', material('open', { isPublic: true }))
    await energy(_id, -8)
    expect(await shown(_id, 'bob')).toBeUndefined()
    const open = await energy(_id, -9, { isPublic: true })
    expect((await shown(_id, 'bob')).total_energy).toMatchObject({ value: -9, propertyId: open._id })
    await call('PATCH', `materials/${_id}`, { isPublic: false })
    expect((await shown(_id)).total_energy.value).toBe(-8)
    await call('PATCH', `materials/${_id}`, { isPublic: true })
    expect((await shown(_id, 'bob')).total_energy.value).toBe(-9)
  })

  test('does not show what another account says of it', async () => {
    const { _id } = await create('materials', material('open', { isPublic: true }))
    await create('properties', { data: { name: 'own', value: 1 }, exabyteId: _id, isPublic: true }, 'bob')
    expect(await shown(_id)).toBeUndefined()
    await energy(_id, -1, { isPublic: true })
    expect(Object.keys(await shown(_id))).toEqual(['total_energy'])
  })

  test('shows, when it comes back, what has become of its properties meanwhile', async () => {
    const { _id } = await create('materials', material('Si'))
    const [kept, gone] = [await energy(_id, -1), await property(_id, { name: 'own', value: 1 })]
    await call('DELETE', `materials/${_id}`)
    await call('PATCH', `properties/${kept._id}`, { 'data.value': -2 })
    await call('DELETE', `properties/${gone._id}`)
    await call('POST', `materials/${_id}/restore`)
    expect(await shown(_id)).toMatchObject({ total_energy: { value: -2 } })
    expect(await shown(_id)).not.toHaveProperty('own')
  })

  test('takes no properties of its own from clients', async () => {
    const { body } = await call('PUT', 'materials/create', material('own', { properties: { band_gap: { value: 3 } } }))
    expect(body.data).not.toHaveProperty('properties')
    expect(body.warnings).toContainEqual(expect.objectContaining({ code: 20022, path: 'properties' }))
  })

  test('shows fifty groups of a name at most, those of the best ones', async () => {
    const { _id } = await create('materials', material('Si'))
    await energies(_id, 52, (n) => ({ group: `own:${n}`, precision: { kppra: n } }))
    const { total_energy: shownOnes } = await shown(_id)
    const groups = Object.keys(shownOnes).filter((name) => name.startsWith('own:'))
    expect([groups.length, groups.includes('own:1'), groups.includes('own:2')]).toEqual([50, false, true])
    expect([shownOnes.value, shownOnes.group]).toEqual([-51, 'own:51'])
  })

  test.each(['a.b', '$own', '__proto__'])('shows no property %s, which no path would lead to', async (name) => {
    const { _id } = await create('materials', material('Si'))
    await property(_id, { name, value: 1 })
    await energy(_id, -1)
    expect(Object.keys(await shown(_id))).toEqual(['total_energy'])
  })

  test.each(['constructor', 'toString'])('shows a property of one’s own called %s', async (name) => {
    const { _id } = await create('materials', material('Si'))
    await property(_id, { name, value: 1 })
    expect(await shown(_id)).toEqual({ [name]: { value: 1, propertyId: expect.any(String) } })
  })

  test('shows the best of more than are read at a time', async () => {
    const { _id } = await create('materials', material('Si'))
    // The last one comes first.
    await energies(_id, 520, (n) => ({ isPreferred: n === 519, precision: { kppra: 1000 - n } }))
    await energy(_id, 1)
    expect((await shown(_id)).total_energy.value).toBe(-519)
  })

  test('shows the best of many that are written at once', async () => {
    const { _id } = await create('materials', material('Si'))
    await Promise.all(Array.from({ length: 12 }, (_, n) => energy(_id, -n, { precision: { kppra: n } })))
    expect((await shown(_id)).total_energy.value).toBe(-11)
    const best = JSON.stringify({ exabyteId: _id, isBest: true })
    expect((await call('GET', `properties/count?query=${encodeURIComponent(best)}`)).body.data).toBeDefined()
  })
})
