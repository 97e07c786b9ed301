import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INITIAL, structure, vasprunText } from '../calculations/vasprun-text.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const send = async (name: string, content: string | Uint8Array, as: Actor = 'ada') => {
  const { status, body } = await server.call('PUT', `uploads/${encodeURIComponent(name)}`, { body: content, as })
  expect([status, body.message]).toEqual([200, undefined])
  return { name, ticket: body.data.ticket as string }
}
const importOf = async (files: readonly object[], more: object = {}, as: Actor = 'ada') =>
  server.call('POST', 'jobs/import', { body: { files, ...more }, as })
const list = async (collection: string, query: object, projection: object = {}) => {
  const parameters = new URLSearchParams({ query: JSON.stringify(query), projection: JSON.stringify(projection) })
  return (await server.call('GET', `${collection}?${parameters}`)).body.data
}
const OUTPUT = vasprunText()
interface Told {
  readonly file: string
  readonly outcome: string
  readonly error?: { readonly code: number }
}

test('a file that is sent is held against its digest, and gone on with from where it broke off', async () => {
  const digest = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`
  const put = (body: string, headers: Record<string, string>) => server.call('PUT', 'uploads/a', { body, headers })
  expect((await put('whole', { 'content-digest': digest('whole') })).status).toBe(200)
  const damaged = await put('whole', { 'content-digest': digest('another') })
  expect([damaged.status, damaged.body.code]).toEqual([422, 42253])
  const part = await put('who', { 'content-range': 'bytes 0-2/5' })
  expect([part.status, part.body.data]).toEqual([202, { arrived: 3 }])
  const rest = await put('le', { 'content-range': 'bytes 3-4/5', 'repr-digest': digest('whole') })
  expect(rest.body.data).toMatchObject({ name: 'a', size: 5 })
})

describe('the files of a calculation', () => {
  test('become its materials, method, job and properties, which name each other, and are kept with the job', async () => {
    const files = [
      await send('MgO/vasprun.xml.gz', gzipSync(OUTPUT)),
      await send('MgO/INCAR', 'ENCUT = 520'),
      await send('MgO/POTCAR', 'licensed'),
      await send('notes.txt', 'nothing of a calculation'),
      await send('Si.cif', 'data_Si\n_cell_length_a 5.43\n'),
    ]
    const dry = await importOf(files, { dryRun: true })
    expect(dry.body.data).toMatchObject({
      calculations: [
        {
          file: 'MgO/vasprun.xml.gz',
          outcome: 'stored',
          code: { name: 'vasp', version: '6.4.2' },
          group: 'vasp:dft:gga:pbe',
          formulas: ['XeMg2', 'XeMg2'],
          files: ['INCAR', 'vasprun.xml.gz'],
        },
      ],
      structures: ['Si.cif'],
      licensed: ['MgO/POTCAR'],
    })
    expect(await list('jobs', {})).toEqual([])
    const { body } = await importOf(files)
    const [report] = body.data.calculations
    expect(body.data.unused).toEqual(['MgO/POTCAR', 'notes.txt', 'Si.cif'])
    const [before, after] = report.materials
    const [job] = await list('jobs', {})
    expect(job).toMatchObject({
      _id: report.jobId,
      status: 'finished',
      _material: { _id: before._id },
      workflow: { subworkflows: [{ application: { name: 'vasp', version: '6.4.2' }, model: { functional: 'pbe' } }] },
      files: expect.arrayContaining([expect.objectContaining({ name: 'INCAR' })]),
    })
    const [relaxed] = await list(
      'materials',
      { 'madeFrom._id': before._id },
      { fields: { madeFrom: 1, properties: 1 } },
    )
    expect(relaxed).toMatchObject({
      _id: after._id,
      madeFrom: [{ _id: before._id, how: 'relaxation', jobId: report.jobId }],
      properties: { total_energy: { value: -10.45, units: 'eV', group: 'vasp:dft:gga:pbe', jobId: report.jobId } },
    })
    const properties = await list('properties', { 'source.info.jobId': report.jobId }, { limit: 100 })
    expect(properties.length).toBe(report.properties.length)
    expect(properties.every(({ isBest }: { isBest: boolean }) => isBest)).toBe(true)
    const [method] = await list('methods', { _id: job._method._id })
    expect(method).toMatchObject({ type: 'pseudopotential', subtype: 'paw', precision: { cutoff: 520 } })
    const names = job.files.map(({ name }: { name: string }) => name)
    for (const { source } of properties) {
      expect(source).toEqual({
        type: 'exabyte',
        info: { jobId: job._id, methodId: method._id, file: expect.any(String) },
      })
      expect(names).toContain(source.info.file)
    }
  })

  test('are the history of what came of them, back and forth, as PROV-JSON too', async () => {
    const [job] = await list('jobs', {})
    const initial = job._material._id
    const [relaxed] = await list('materials', { 'madeFrom._id': initial }, { fields: { _id: 1 } })
    const { links, nodes, isCut } = (await server.call('GET', `materials/${initial}/provenance`)).body.data
    expect(links).toEqual(
      expect.arrayContaining([
        { from: `jobs/${job._id}`, to: `materials/${initial}`, how: 'about' },
        { from: `materials/${relaxed._id}`, to: `materials/${initial}`, how: 'relaxation', jobId: job._id },
        { from: `materials/${relaxed._id}`, to: `jobs/${job._id}`, how: 'job' },
        { from: `jobs/${job._id}`, to: `methods/${job._method._id}`, how: 'method' },
      ]),
    )
    expect(isCut).toBe(false)
    expect(nodes).toContainEqual(
      expect.objectContaining({ _id: relaxed._id, creator: 'ada', name: expect.any(String) }),
    )
    const { body: copy } = await server.call('POST', `materials/${relaxed._id}/copy`)
    const { body: prov } = await server.call('GET', `materials/${copy.data._id}/provenance?format=prov`)
    expect(Object.keys(prov.activity)).toEqual([`quarry:jobs/${job._id}`])
    expect(Object.values(prov.wasDerivedFrom)).toContainEqual({
      'prov:generatedEntity': `quarry:materials/${copy.data._id}`,
      'prov:usedEntity': `quarry:materials/${relaxed._id}`,
      'quarry:how': 'copy',
    })
    expect(Object.values(prov.used)).toContainEqual({
      'prov:activity': `quarry:jobs/${job._id}`,
      'prov:entity': `quarry:materials/${initial}`,
    })
    await server.call('DELETE', `materials/${copy.data._id}?purge=true`)
  })

  test('are refused where an output ends before it says a structure or a result', async () => {
    const stub = '     Program PWSCF v.5.0.2 (svn rev. 9398) starts on 23Apr2015 at  8:28:50\n'
    const { body } = await importOf([await send('stub/pw.out', stub)])
    expect(body.data.calculations).toMatchObject([
      {
        file: 'stub/pw.out',
        outcome: 'refused',
        error: { message: expect.stringContaining('no structure and no result') },
      },
    ])
  })

  test('are stored where an archive beside them is damaged, which is refused by its name', async () => {
    const zip = zipSync({ 'run/vasprun.xml': strToU8(OUTPUT) })
    const files = [
      await send('MgO/vasprun.xml.gz', gzipSync(OUTPUT)),
      await send('cut.zip', zip.subarray(0, zip.length - 200)),
      await send('runs/none.tar.gz', 'no archive'),
      await send('large.zip', zipSync({ 'run/vasprun.xml': new Uint8Array(32 * 1024 * 1024) })),
    ]
    const { status, body } = await importOf(files, { dryRun: true })
    expect(status).toBe(200)
    const told = body.data.calculations.map(({ file, outcome, error }: Told) => [file, outcome, error?.code])
    expect(told).toEqual([
      ['cut.zip', 'refused', 42202],
      ['runs/none.tar.gz', 'refused', 42202],
      ['large.zip', 'refused', 41316],
      ['MgO/vasprun.xml.gz', 'skipped', undefined],
    ])
    expect(body.data.unused).toEqual([])
  })

  test('are not stored once more, and share method and material with others of the same', async () => {
    const again = await importOf([await send('MgO/vasprun.xml.gz', gzipSync(OUTPUT))])
    expect(again.body.data.calculations).toMatchObject([
      { outcome: 'skipped', group: 'vasp:dft:gga:pbe', formulas: ['XeMg2', 'XeMg2'] },
    ])
    const other = vasprunText({ incar: '<i type="string" name="GGA"> PS</i><i name="ENCUT"> 520.0</i>' })
    const { body } = await importOf([await send('other/vasprun.xml', other)])
    const [report] = body.data.calculations
    expect(report.outcome).toBe('stored')
    expect(report.materials.map(({ isNew }: { isNew: boolean }) => isNew)).toEqual([false, false])
    expect(await list('jobs', {})).toHaveLength(2)
  })

  test.each([
    ['whose cell rounds to another hash', 4.2345, ['Mg', 'Mg', 'Xe'], false],
    ['that has its sites in another order', 4.3345, ['Xe', 'Mg', 'Mg'], true],
  ])('are of the material %s: %d Å, %j, or of a new one (%s)', async (_, edge, elements, isNew) => {
    const places = [
      [0.5, 0.5, 0.5],
      [0, 0, 0],
      [0.5, 0.5, 0],
    ]
    const coordinates = elements[0] === 'Xe' ? places : [...places.slice(1), [0.5, 0.5, 0.5]]
    const lattice = { type: 'CUB', a: edge, b: edge, c: edge, alpha: 90, beta: 90, gamma: 90 }
    const listed = (values: readonly (string | readonly number[])[]) => values.map((value, id) => ({ id, value }))
    const basis = { units: 'crystal', elements: listed(elements), coordinates: listed(coordinates) }
    const made = await server.call('PUT', 'materials/create', { body: { name: 'by hand', lattice, basis } })
    const printed = vasprunText({ initial: structure((edge - 1e-8).toFixed(8), INITIAL, 'initialpos') })
    const { body } = await importOf([await send(`${edge}/vasprun.xml`, printed)])
    const [initial] = body.data.calculations[0].materials
    expect([initial.isNew, initial._id === made.body.data._id]).toEqual([isNew, !isNew])
  })

  test('can be those of several folders, of which one cannot be read', async () => {
    const files = [
      await send('a/vasprun.xml', OUTPUT.replace('520.0', '400.0')),
      await send('b/vasprun.xml', '<modeling><generator></generator></modeling>'),
    ]
    const { body } = await importOf(files)
    expect(body.data.calculations).toMatchObject([
      { file: 'a/vasprun.xml', outcome: 'stored' },
      { file: 'b/vasprun.xml', outcome: 'refused', error: { code: 42225 } },
    ])
  })

  test('can come as an archive, of which each folder is read', async () => {
    const content = strToU8(vasprunText({ incar: '<i name="ENCUT"> 700.0</i>' }))
    const archive = zipSync({
      'runs/one/vasprun.xml': content,
      'runs/one/INCAR': strToU8('ENCUT=700'),
      'read.me': strToU8('x'),
    })
    const { body } = await importOf([await send('all.zip', archive)])
    expect(body.data.unused).toEqual(['all.zip/read.me'])
    expect(body.data.calculations).toMatchObject([
      { file: 'all.zip/runs/one/vasprun.xml', outcome: 'stored', files: ['INCAR', 'vasprun.xml'] },
    ])
    const damaged = await importOf([await send('all.zip', archive.subarray(0, archive.length - 30))])
    expect(damaged.body.data.calculations).toMatchObject([
      { file: 'all.zip', outcome: 'refused', error: { code: 42202 } },
    ])
  })

  test('are told by the database of an AiiDA archive alone, not by the files of its nodes once more', async () => {
    const archive = zipSync({ 'repo/3b/42': strToU8(OUTPUT), 'metadata.json': strToU8('{}') })
    const { body } = await importOf([await send('export.aiida', archive)], { dryRun: true })
    expect(body.data.calculations).toEqual([])
    expect(body.data.unused).toEqual(['export.aiida/repo/3b/42', 'export.aiida/metadata.json'])
  })

  test('are of whoever has sent them: a ticket is of no use to another account', async () => {
    const file = await send('mine/vasprun.xml', OUTPUT)
    const { status, body } = await importOf([file], {}, 'bob')
    expect([status, body.code]).toEqual([403, 40320])
    expect((await importOf([file], {}, 'readOnly')).status).toBe(403)
  })
})

test('of several calculations, those that are meant are stored', async () => {
  const files = [
    await send('one/vasprun.xml', OUTPUT.replace('520.0', '417.0')),
    await send('two/vasprun.xml', OUTPUT.replace('520.0', '418.0')),
  ]
  const outcomes = ({ body }: Awaited<ReturnType<typeof importOf>>) =>
    body.data.calculations.map(({ file, outcome }: Record<string, string>) => [file, outcome])
  const { body } = await importOf(files, { dryRun: true })
  const only = [body.data.calculations[1].jobId]
  expect(outcomes(await importOf(files, { only }))).toEqual([['two/vasprun.xml', 'stored']])
  expect(outcomes(await importOf(files))).toEqual([
    ['one/vasprun.xml', 'stored'],
    ['two/vasprun.xml', 'skipped'],
  ])
  expect((await importOf(files, { only: 'all' })).body.code).toBe(40039)
})

describe('a run whose job was removed', () => {
  const output = (encut: number) => vasprunText({ incar: `<i name="ENCUT"> ${encut}.0</i>` })
  const importRun = async (text: string) =>
    (await importOf([await send('again/vasprun.xml', text)])).body.data.calculations[0]

  test('is refused, and says what can be done', async () => {
    const { jobId } = await importRun(output(701))
    await server.call('DELETE', `jobs/${jobId}`)
    expect(await importRun(output(701))).toMatchObject({ outcome: 'refused', jobId, error: { code: 40916 } })
    expect((await server.call('POST', `jobs/${jobId}/restore`)).status).toBe(200)
    expect(await importRun(output(701))).toMatchObject({ outcome: 'skipped', jobId })
  })

  test('for good is stored anew, beside what was made of its records since', async () => {
    const first = await importRun(output(702))
    const { jobId } = first
    const properties = await list('properties', { 'source.info.jobId': jobId })
    const [gone] = properties
    await server.call('DELETE', `properties/${gone._id}`)
    const job = (await server.call('GET', `jobs/${jobId}`)).body.data
    await server.call('DELETE', `methods/${job._method._id}`)
    await server.call('DELETE', `jobs/${jobId}?purge=true`)
    expect(await importRun(output(702))).toMatchObject({ outcome: 'stored', jobId })
    const again = await list('properties', { 'source.info.jobId': jobId })
    expect(again.map(({ _id }: { _id: string }) => _id).sort()).toEqual(
      properties.flatMap(({ _id }: { _id: string }) => (_id === gone._id ? [] : [_id])).sort(),
    )
    const method = (await server.call('GET', `jobs/${jobId}`)).body.data._method._id
    expect(method).not.toBe(job._method._id)
    expect((await server.call('GET', `methods/${method}`)).status).toBe(200)
  })

  test('goes with a material of its own where the first one was changed', async () => {
    const moved = vasprunText({ initial: structure('4.7', INITIAL, 'initialpos') })
    const { jobId, materials } = await importRun(moved)
    const [before] = materials
    expect(before.isNew).toBe(true)
    const change = { $set: { 'lattice.a': 9, 'lattice.b': 9, 'lattice.c': 9 } }
    expect((await server.call('PATCH', `materials/${before._id}`, { body: change })).status).toBe(200)
    await server.call('DELETE', `jobs/${jobId}?purge=true`)
    const again = await importRun(moved)
    expect(again).toMatchObject({ outcome: 'stored', jobId, materials: [{ isNew: true }, {}] })
    expect(again.materials[0]._id).not.toBe(before._id)
  })
})
