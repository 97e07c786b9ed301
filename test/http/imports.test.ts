import { randomBytes } from 'node:crypto'
import { createGzip, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { triesOf } from '../support/study.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

const API = '/api/2018-10-01'
let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

const POSCAR = (a: number) => `Cs Cl ${a}\n1.0\n${a} 0 0\n0 ${a} 0\n0 0 ${a}\nCs Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n`

async function post(path: string, type: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.origin}${API}/${path}`, {
    method: 'POST',
    headers: { ...(type === '' ? {} : { 'content-type': type }), ...server.credentials.ada, ...headers },
    body: body as NonNullable<RequestInit['body']>,
  })
  return response.text()
}

const bulk = async (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  (await post('materials/bulk', 'application/x-ndjson', body, headers))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

async function count(query: object): Promise<number> {
  const { body } = await server.call('POST', 'materials/count', { body: { query } })
  return body.data.count
}

const formWith = (name: string, bytes: Uint8Array): FormData => {
  const form = new FormData()
  form.append('files', new Blob([new Uint8Array(bytes)]), name)
  return form
}

/** Records go in batches of 200, of which two are made ready at a time. */
const MANY = triesOf('imports')

describe('an import of more than is made ready at a time', () => {
  test('has the space group of every record of a bulk load', async () => {
    const records = Array.from({ length: MANY }, (_, n) => material('many by lines', {}, 3.8 + n / 10_000))
    const reports = await bulk(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    expect(reports.at(-1)).toEqual({ stored: MANY, skipped: 0, refused: 0, withoutSymmetry: 0 })
    expect(await count({ name: 'many by lines', 'spaceGroup.number': 227 })).toBe(MANY)
  })

  test('has the space group of every file of an archive', async () => {
    const files = Array.from({ length: MANY }, (_, n) => [`${n}.vasp`, Buffer.from(POSCAR(4 + n / 10_000))] as const)
    const answer = JSON.parse(
      await post('materials/import', '', formWith('many.zip', zipSync(Object.fromEntries(files), { level: 0 }))),
    )
    expect({ ...answer.data, files: answer.data.files.length }).toEqual({
      stored: MANY,
      skipped: 0,
      refused: 0,
      withoutSymmetry: 0,
      files: MANY,
    })
    expect(await count({ formula: 'CsCl', 'spaceGroup.number': 221 })).toBe(MANY)
  })
})

describe('a body that unpacks without measure', () => {
  const packedOf = (byte: string, mebibytes: number): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const gzip = createGzip({ level: 9 })
      const parts: Buffer[] = []
      gzip.on('data', (part: Buffer) => parts.push(part))
      gzip.on('end', () => resolve(Buffer.concat(parts)))
      gzip.on('error', reject)
      const mebibyte = Buffer.alloc(1024 * 1024, byte)
      for (let n = 0; n < mebibytes; n++) gzip.write(mebibyte)
      gzip.end()
    })

  test.each([
    ['spaces', ' ', 40053],
    ['newlines', '\n', 40053],
    ['brackets', '[', 41316],
    ['letters', 'x', 41316],
  ])('of %s is given up soon', async (_what, byte, code) => {
    const packed = await packedOf(byte, 64)
    const reports = await bulk(packed, { 'content-encoding': 'gzip' })
    expect(reports.at(-2)).toMatchObject({ outcome: 'broken', error: { code } })
    expect(reports.at(-1)).toEqual({ stored: 0, skipped: 0, refused: 0, withoutSymmetry: 0 })
  })

  test('leaves its connection to the next request, also when it was not read to its end', async () => {
    const incompressible = Buffer.concat([Buffer.alloc(2 * 1024 * 1024, ' '), randomBytes(4 * 1024 * 1024)])
    expect((await bulk(incompressible)).at(-2)).toMatchObject({ outcome: 'broken' })
    expect((await bulk(gzipSync(incompressible), { 'content-encoding': 'gzip' })).at(-2)).toMatchObject({
      outcome: 'broken',
    })
    expect((await server.call('GET', 'users/me')).status).toBe(200)
  })

  test('stores what comes before', async () => {
    const body = Buffer.concat([gzipSync(`${JSON.stringify(material('before the bomb'))}\n`), await packedOf(' ', 8)])
    const reports = await bulk(body, { 'content-encoding': 'gzip' })
    expect(reports.map(({ outcome }) => outcome)).toEqual(['stored', 'broken', undefined])
    expect(reports.at(-1)).toMatchObject({ stored: 1 })
  })

  test('is refused in a form too, and the other files go on', async () => {
    const form = formWith('good.vasp', Buffer.from(POSCAR(5)))
    form.append('files', new Blob([new Uint8Array(await packedOf(' ', 64))]), 'bomb.vasp.gz')
    form.append('files', new Blob([Buffer.from(POSCAR(5.1))]), 'next.vasp')
    const { data } = JSON.parse(await post('materials/import', '', form))
    expect(
      data.files.map(({ outcome, error }: { outcome: string; error?: { code: number } }) => error?.code ?? outcome),
    ).toEqual(['stored', 41316, 'stored'])
  })
})

describe('the thread that answers requests', () => {
  const tasks = () => server.services.records.work.metrics.done

  test.each([
    ['analyze', 'structures/analyze', {}],
    ['convert', 'structures/convert', { to: 'cif' }],
    ['import', 'materials/import', { name: 'read elsewhere' }],
  ])('leaves reading a structure to others: %s', async (_what, path, more) => {
    const before = tasks()
    const { status } = await server.call('POST', path, { body: { content: POSCAR(4.4), ...more } })
    expect([status, tasks() - before]).toEqual([200, 1])
  })

  test('leaves making and changing a record to others', async () => {
    const before = tasks()
    const { body } = await server.call('POST', 'materials', { body: material('made elsewhere') })
    // One task makes the record; what it is compared with takes others.
    const made = tasks()
    expect(made - before).toBeGreaterThan(0)
    await server.call('PATCH', `materials/${body.data._id}`, { body: { name: 'changed elsewhere' } })
    expect(tasks() - made).toBe(1)
  })

  test('tells faults of JSON that others have read, with their places', async () => {
    const { body } = await server.call('POST', 'materials', {
      headers: { 'content-type': 'application/json' },
      body: '{"name":\n"a" "b"}',
    })
    expect(body).toMatchObject({ code: 40036, data: { line: 2, column: 5 } })
    expect((await server.call('PUT', 'materials/create', { body: [] })).body.code).toBe(40037)
  })
})
