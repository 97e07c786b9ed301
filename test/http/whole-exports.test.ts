import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const create = async (collection: string, body: object): Promise<string> => {
  const answer = await server.call('PUT', `${collection}/create`, { body })
  expect(answer.body.message).toBeUndefined()
  return answer.body.data._id
}
const read = async (parameters: string, as: Actor = 'ada') => {
  const address = `${server.origin}${API_PREFIX}/materials/export?${parameters}`
  const answer = await fetch(address, { headers: server.credentials[as] })
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
}
const textsIn = (bytes: Uint8Array): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, text]) => [name, Buffer.from(text).toString()]))
const namesIn = (text = '') => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).name]))

describe('materials/export?files=true', () => {
  let id: string
  let jobId: string
  beforeAll(async () => {
    id = await create('materials', material('Si'))
    await server.call('PUT', `materials/${id}/files/relax%2FOUTCAR`, { body: 'free energy' })
    await create('materials', material('Ge'))
    jobId = await create('jobs', { name: 'relaxation', _material: { _id: id } })
    await server.call('PUT', `jobs/${jobId}/files/log`, { body: 'all went well' })
    const data = { name: 'total_energy', value: -10, units: 'eV' }
    await create('properties', { data, exabyteId: [id], source: { type: 'exabyte', info: { jobId } } })
  })

  test('is an archive of the records, of what belongs to them, and of the files of all', async () => {
    const { status, headers, bytes } = await read('files=true&query={"name":"Si"}')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="materials.zip"')
    const { 'quarry-export.json': manifest = '{}', ...texts } = textsIn(bytes)
    expect(Object.keys(texts).sort()).toEqual([
      `files/jobs/${jobId}/log`,
      `files/materials/${id}/relax/OUTCAR`,
      'jobs.ndjson',
      'materials.ndjson',
      'properties.ndjson',
    ])
    expect([namesIn(texts['materials.ndjson']), namesIn(texts['jobs.ndjson'])]).toEqual([['Si'], ['relaxation']])
    expect(texts[`files/materials/${id}/relax/OUTCAR`]).toBe('free energy')
    expect(JSON.parse(manifest)).toMatchObject({
      records: [{ collection: 'materials', count: 1 }, { collection: 'jobs' }, { collection: 'properties' }],
      files: { count: 2, bytes: 24 },
      faults: [],
    })
  })

  test('is read by other programs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarry-zip-'))
    writeFileSync(join(folder, 'all.zip'), (await read('files=true')).bytes)
    const script = 'import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))'
    expect(String(execFileSync('python3', ['-c', script, join(folder, 'all.zip')]))).toBe('None 6\n')
    rmSync(folder, { recursive: true })
  })

  test('has nothing of others, and nothing at all where nothing matches', async () => {
    expect(Object.keys(textsIn((await read('files=true', 'bob')).bytes))).toEqual(['quarry-export.json'])
    const none = await read('files=true&query={"name":"Xe"}')
    expect(JSON.parse(textsIn(none.bytes)['quarry-export.json'] ?? '').records).toEqual([])
  })

  test.each(['format=cif', 'gzip', 'columns=name', 'symmetry=none', 'projection={"fields":{"name":1}}'])(
    'refuses %s beside it',
    async (other) => {
      const { status, bytes } = await read(`files=true&${other}`)
      expect([status, JSON.parse(Buffer.from(bytes).toString()).code]).toEqual([400, 40034])
    },
  )

  test('refuses what is neither true nor false', async () => {
    expect((await read('files=yes')).status).toBe(400)
    expect(Buffer.from((await read('files=false')).bytes).toString()).toMatch(/^\{"_id"/)
  })
})
