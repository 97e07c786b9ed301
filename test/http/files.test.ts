import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const sha256 = (bytes: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(bytes).digest(encoding)
const newMaterial = async (fields: object = {}): Promise<string> =>
  (await server.call('PUT', 'materials/create', { body: material('Si', fields) })).body.data._id
const put = (id: string, name: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  server.call('PUT', `materials/${id}/files/${encodeURIComponent(name)}`, { body, headers })
const raw = (path: string, headers: Record<string, string> = {}, as: Actor = 'ada') =>
  fetch(`${server.origin}${API_PREFIX}/${path}`, { headers: { ...server.credentials[as], ...headers } })
const read = (id: string, name: string, headers: Record<string, string> = {}, as: Actor = 'ada') =>
  raw(`materials/${id}/files/${encodeURIComponent(name)}`, headers, as)
const listed = async (id: string) => (await server.call('GET', `materials/${id}/files`)).body.data

describe('a file', () => {
  test('comes back as it was put, with its type and hash, from a name with folders', async () => {
    const id = await newMaterial()
    const { status, body, headers } = await put(id, 'relax/OUTCAR', 'free  energy   TOTEN', {
      'content-digest': `sha-256=:${sha256('free  energy   TOTEN', 'base64')}:`,
    })
    expect([status, body.message]).toEqual([200, undefined])
    const file = { name: 'relax/OUTCAR', size: 20, sha256: sha256('free  energy   TOTEN'), type: 'text/plain' }
    expect(body.data).toEqual({ ...file, lastModified: expect.any(String) })
    expect(await listed(id)).toMatchObject([body.data])
    const { data } = (await server.call('GET', `materials/${id}`)).body
    expect(data.files).toMatchObject([file])
    expect(headers.get('etag')).toBe((await server.call('GET', `materials/${id}`)).headers.get('etag'))
    const answer = await read(id, 'relax/OUTCAR')
    expect(await answer.text()).toBe('free  energy   TOTEN')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '20',
      'content-disposition': `inline; filename="OUTCAR"; filename*=UTF-8''OUTCAR`,
      'content-security-policy': "default-src 'none'; sandbox",
      etag: `"${file.sha256}"`,
    })
    expect((await read(id, 'relax/OUTCAR', { 'if-none-match': `"${file.sha256}"` })).status).toBe(304)
  })

  test('is never shown as a page', async () => {
    const id = await newMaterial()
    await put(id, 'a.html', '<script>alert(1)</script>')
    const { headers } = await read(id, 'a.html')
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test.each([
    ['bytes=2-4', 206, 'cde', 'bytes 2-4/10'],
    ['bytes=7-', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=-2', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=8-99', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=1-2,4-5', 200, 'abcdefghij', null],
    ['lines=1-2', 200, 'abcdefghij', null],
  ])('gives the part that is asked for with %s', async (range, status, text, told) => {
    const id = await newMaterial()
    await put(id, 'letters.txt', 'abcdefghij')
    const answer = await read(id, 'letters.txt', { range })
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([status, text, told])
  })

  test('says so where it does not reach as far as the range', async () => {
    const id = await newMaterial()
    await put(id, 'letters.txt', 'abcdefghij')
    const { status, body } = await server.call('GET', `materials/${id}/files/letters.txt`, {
      headers: { range: 'bytes=10-' },
    })
    expect([status, body.code]).toEqual([416, 41602])
  })

  test('is not taken where its digest says another one', async () => {
    const id = await newMaterial()
    const { status, body } = await put(id, 'a', 'abc', { 'content-digest': `sha-256=:${sha256('abd', 'base64')}:` })
    expect([status, body.code]).toEqual([422, 42253])
    expect(await listed(id)).toEqual([])
  })

  test.each(['../etc/passwd', '/etc/passwd', 'a//b', 'a\\b', 'con:', 'x\u0000', `${'n'.repeat(256)}`])(
    'cannot be called %j',
    async (name) => {
      const id = await newMaterial()
      const { status, body } = await put(id, name, 'x')
      expect([status, body.code]).toEqual([400, name.includes('\0') ? expect.any(Number) : 40061])
    },
  )

  test('takes the place of one of its name; the version before still has the former one', async () => {
    const id = await newMaterial()
    await put(id, 'a.txt', 'first')
    await put(id, 'a.txt', 'second')
    expect(await (await read(id, 'a.txt')).text()).toBe('second')
    await server.call('POST', `materials/${id}/restore?revision=2`)
    expect(await (await read(id, 'a.txt')).text()).toBe('first')
    const { body } = await server.call('GET', `materials/${id}/history`)
    expect(body.data.revisions.map(({ action }: { action: string }) => action)).toEqual([
      'restore',
      'put-file',
      'put-file',
      'create',
    ])
    await server.call('DELETE', `materials/${id}/files/a.txt`)
    expect((await read(id, 'a.txt')).status).toBe(404)
    expect((await server.call('GET', `materials/${id}`)).body.data).not.toHaveProperty('files')
  })

  test('goes with a copy, and with the record when that is changed or sent back whole', async () => {
    const id = await newMaterial()
    await put(id, 'a.txt', 'x')
    const { body } = await server.call('POST', `materials/${id}/copy`)
    expect(await (await read(body.data._id, 'a.txt')).text()).toBe('x')
    const whole = (await server.call('GET', `materials/${id}`)).body.data
    const changed = await server.call('PATCH', `materials/${id}`, { body: { ...whole, name: 'renamed' } })
    expect(changed.body.data.files).toEqual(whole.files)
    const forged = await server.call('PATCH', `materials/${id}`, {
      body: { files: [{ ...whole.files[0], name: 'b' }] },
    })
    expect([forged.status, forged.body.code]).toEqual([400, 40055])
  })

  test('of a new record is not taken from its document, where anybody could name any hash', async () => {
    const mine = await newMaterial()
    const { body: first } = await put(mine, 'secret.txt', 'secret')
    const { body } = await server.call('PUT', 'materials/create', {
      as: 'bob',
      body: material('theft', { files: [{ ...first.data, createdAt: '2026-01-01T00:00:00.000Z' }] }),
    })
    expect(body.data).not.toHaveProperty('files')
    expect(body.warnings).toMatchObject([{ code: 20022, path: 'files' }])
  })
})

test('a digest that has no SHA-256 is refused, and not passed over', async () => {
  const { status, body } = await put(await newMaterial(), 'a', 'x', { 'content-digest': 'md5=:AAAA:' })
  expect([status, body.code]).toEqual([400, 40044])
})

test('a Content-Range that names no part is refused', async () => {
  const { status, body } = await put(await newMaterial(), 'a', 'x', { 'content-range': 'bytes 5-2/10' })
  expect([status, body.code]).toEqual([400, 40043])
})

describe('a file whose upload breaks off', () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251))

  /** Sends a part of what the head announces, and is gone. */
  const breakOff = (path: string, sent: Uint8Array) =>
    new Promise<void>((resolve) => {
      const out = request(`${server.origin}${API_PREFIX}/${path}`, {
        method: 'PUT',
        headers: { ...server.credentials.ada, 'content-length': bytes.length },
      })
      out.on('error', () => {})
      out.on('close', resolve)
      out.write(sent, () => setImmediate(() => out.destroy()))
    })

  test('is gone on with from where it was, and is whole then', async () => {
    const id = await newMaterial()
    const path = `materials/${id}/files/big.bin`
    await breakOff(path, bytes.subarray(0, 200_000))
    const arrived = async () => (await server.call('GET', `${path}/upload`)).body.data.arrived as number
    await expect.poll(arrived).toBeGreaterThan(0)
    expect(await listed(id)).toEqual([])
    const gap = await put(id, 'big.bin', bytes.subarray(250_000), { 'content-range': 'bytes 250000-299999/300000' })
    expect([gap.status, gap.body.code]).toEqual([416, 41601])
    const from = gap.body.data.arrived
    expect(from).toBeLessThanOrEqual(200_000)
    const { body } = await put(id, 'big.bin', bytes.subarray(from), {
      'content-range': `bytes ${from}-299999/300000`,
      'repr-digest': `sha-256=:${sha256(bytes, 'base64')}:`,
    })
    expect(body.data.sha256).toBe(sha256(bytes))
    expect(Buffer.from(await (await read(id, 'big.bin')).arrayBuffer()).equals(bytes)).toBe(true)
    expect(await arrived()).toBe(0)
  })

  test('may come in parts', async () => {
    const id = await newMaterial()
    const part = (from: number, to: number) =>
      put(id, 'parts', bytes.subarray(from, to), { 'content-range': `bytes ${from}-${to - 1}/${bytes.length}` })
    expect((await part(0, 100_000)).status).toBe(202)
    expect((await part(100_000, 250_000)).body.data).toEqual({ arrived: 250_000 })
    expect((await part(250_000, 300_000)).body.data.sha256).toBe(sha256(bytes))
  })

  test('is not stored where more comes than it was said to have', async () => {
    const id = await newMaterial()
    const { status, body } = await put(id, 'a.txt', 'abcdefghi', { 'content-range': 'bytes 0-5/6' })
    expect([status, body.message]).toEqual([416, 'The file has 6 bytes, and 9 have come.'])
    expect(await listed(id)).toEqual([])
    expect((await server.call('GET', `materials/${id}/files/a.txt/upload`)).body.data.arrived).toBe(0)
  })

  test('becomes one of the record without more bytes, where all have arrived', async () => {
    const id = await newMaterial()
    const part = (range: string, body: string) => put(id, 'a.txt', body, { 'content-range': `bytes ${range}` })
    expect((await part('0-2/6', 'abc')).status).toBe(202)
    const early = await part('*/6', '')
    expect([early.status, early.body.data]).toEqual([202, { arrived: 3 }])
    const withBytes = await part('*/6', 'def')
    expect([withBytes.status, withBytes.body.code]).toEqual([400, 40043])
    const { status, body } = await part('*/3', '')
    expect([status, body.data?.sha256]).toEqual([200, sha256('abc')])
    expect(await (await read(id, 'a.txt')).text()).toBe('abc')
  })

  test('begins anew where it is sent from its beginning', async () => {
    const id = await newMaterial()
    await breakOff(`materials/${id}/files/a`, bytes.subarray(0, 100_000))
    const arrived = async () => (await server.call('GET', `materials/${id}/files/a/upload`)).body.data.arrived
    await expect.poll(arrived).toBeGreaterThan(0)
    const { status, body } = await put(id, 'a', 'short')
    expect([status, body.message]).toEqual([200, undefined])
    expect(body.data.size).toBe(5)
  })
})

describe('who may read and write a file', () => {
  test('is who may read and write its record', async () => {
    const [hidden, open] = [await newMaterial(), await newMaterial({ isPublic: true })]
    for (const id of [hidden, open]) await put(id, 'a.txt', 'x')
    const statuses = async (id: string, as: Actor) => [
      (await read(id, 'a.txt', {}, as)).status,
      (await server.call('GET', `materials/${id}/files`, { as })).status,
      (await raw(`materials/${id}/files.zip`, {}, as)).status,
      (await server.call('PUT', `materials/${id}/files/b.txt`, { body: 'y', as })).status,
      (await server.call('GET', `materials/${id}/files/a.txt/upload`, { as })).status,
      (await server.call('DELETE', `materials/${id}/files/a.txt`, { as })).status,
    ]
    expect(await statuses(hidden, 'bob')).toEqual([404, 404, 404, 404, 404, 404])
    expect(await statuses(open, 'bob')).toEqual([200, 200, 200, 403, 403, 403])
    expect(await statuses(open, 'readOnly')).toEqual([200, 200, 200, 403, 200, 403])
    expect(await statuses(open, 'guest')).toEqual([401, 401, 401, 401, 401, 401])
    expect(await statuses(open, 'disabled')).toEqual([401, 401, 401, 401, 401, 401])
  })
})

describe('the archive of all files', () => {
  test('is one that other programs unpack, of the length that it says', async () => {
    const id = await newMaterial()
    const contents = { 'a.txt': 'first', 'runs/é/b.bin': 'x'.repeat(100_000), empty: '' }
    for (const [name, content] of Object.entries(contents)) await put(id, name, content)
    const answer = await raw(`materials/${id}/files.zip`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.length).toBe(Number(answer.headers.get('content-length')))
    const folder = mkdtempSync(join(tmpdir(), 'quarry-zip-'))
    writeFileSync(join(folder, 'files.zip'), bytes)
    const script =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])'
    execFileSync('python3', ['-c', script, join(folder, 'files.zip'), join(folder, 'out')])
    for (const [name, content] of Object.entries(contents))
      expect(readFileSync(join(folder, 'out', name), 'utf8')).toBe(content)
    rmSync(folder, { recursive: true })
  })
})

describe('the files of a job, as the public client puts them', () => {
  const newJob = async (): Promise<string> =>
    (await server.call('PUT', 'jobs/create', { body: { name: 'relax' } })).body.data._id

  test('are put to addresses without a token, told, and read by links', async () => {
    const id = await newJob()
    const { body } = await server.call('POST', `jobs/${id}/presigned-urls`, { body: { files: ['OUTCAR', 'a/b.txt'] } })
    const { presignedURLs } = body.data
    expect(presignedURLs.map(({ file }: { file: string }) => file)).toEqual(['OUTCAR', 'a/b.txt'])
    for (const { file, URL: url } of presignedURLs) {
      expect((await fetch(url, { method: 'PUT', body: `content of ${file}` })).status).toBe(200)
    }
    expect((await server.call('GET', `jobs/${id}/files`)).body.data).toEqual([])
    const told = await server.call('POST', `jobs/${id}/output-files`, {
      body: [{ name: 'OUTCAR' }, { key: 'a/b.txt' }],
    })
    expect(told.status).toBe(200)
    const { data } = (await server.call('GET', `jobs/${id}/files`)).body
    expect(data).toMatchObject([
      { name: 'OUTCAR', size: 17, key: `jobs/${id}/OUTCAR`, bucket: 'quarry', lastModified: expect.any(String) },
      { name: 'a/b.txt' },
    ])
    expect(await (await fetch(data[1].signedUrl)).text()).toBe('content of a/b.txt')
    expect(data[0].signedURL).toBe(data[0].signedUrl)
  })

  test('cannot be told before they have arrived', async () => {
    const id = await newJob()
    const { status, body } = await server.call('POST', `jobs/${id}/output-files`, { body: { files: ['OUTCAR'] } })
    expect([status, body.code]).toEqual([404, 40415])
  })

  test('are not given to who has another link, a changed one, or one of another record', async () => {
    const id = await newJob()
    const { body } = await server.call('POST', `jobs/${id}/presigned-urls`, { body: { files: ['OUTCAR'] } })
    const url = new URL(body.data.presignedURLs[0].URL)
    const link = url.searchParams.get('link') ?? ''
    const asked = (token: string, method: string) =>
      server.call(method, `file-links?link=${encodeURIComponent(token)}`, { as: 'guest' })
    for (const token of [link.replace(/^./, 'x'), `${link}x`, '', 'a.b']) {
      expect((await asked(token, 'GET')).body.code).toBe(40320)
    }
    // It is for putting.
    expect((await asked(link, 'GET')).body.code).toBe(40320)
  })
})
