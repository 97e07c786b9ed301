import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ limits: { records: 3, bytes: 0 } })
})
afterAll(() => server.close())

describe('files', () => {
  test('count for what an account may have stored; what is refused says so, and leaves the record as it was', async () => {
    const small = await startServer({ limits: { records: 0, bytes: 100_000 } })
    try {
      const put = (name: string, size: number) =>
        small.call('PUT', `materials/${id}/files/${name}`, { body: Buffer.alloc(size, name) })
      const id = (await small.call('POST', 'materials', { body: material('with files') })).body.data._id
      expect((await put('a', 60_000)).status).toBe(200)
      const { status, body } = await put('b', 60_000)
      expect([status, body.code, body.message]).toEqual([
        429,
        42912,
        'The account may have 100000 bytes of records and files; with this one it would have more.',
      ])
      expect(body.data).toMatchObject({ quota: 'bytes', limit: 100_000, hint: expect.stringContaining('files') })
      expect((await small.call('GET', `materials/${id}/files`)).body.data).toMatchObject([{ name: 'a' }])
      expect((await put('a', 30_000)).status).toBe(200)
      expect((await put('b', 60_000)).status).toBe(200)
      expect((await small.call('DELETE', `materials/${id}/files/a`)).status).toBe(200)
      expect((await put('c', 30_000)).status).toBe(200)
    } finally {
      await small.close()
    }
  })
})

describe('an account that has as many records as it may have', () => {
  test('is told so by every line of a bulk load that is too much; the load goes on', async () => {
    const lines = Array.from({ length: 5 }, (_, n) => JSON.stringify(material(`of bulk ${n}`)))
    const response = await fetch(`${server.origin}/api/2018-10-01/materials/bulk`, {
      method: 'POST',
      headers: { ...server.credentials.ada, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    })
    const reports = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(reports.slice(0, 5).map(({ outcome, error }) => error?.code ?? outcome)).toEqual([
      'stored',
      'stored',
      'stored',
      42912,
      42912,
    ])
    expect(reports[5]).toMatchObject({ stored: 3, refused: 2 })
  })

  test('is told how many it may have, and what makes room, when it creates one; not when to come again', async () => {
    const { status, headers, body } = await server.call('POST', 'materials', { body: material('one more') })
    expect(status).toBe(429)
    expect(body).toMatchObject({
      code: 42912,
      message: 'The account may have 3 records; with this one it would have more.',
      data: { quota: 'records', limit: 3, hint: expect.stringContaining('purge') },
    })
    const told = ['ratelimit-limit', 'ratelimit-remaining', 'retry-after'].map((name) => headers.get(name))
    expect(told).toEqual(['3', '0', null])
    expect((await server.call('POST', 'materials', { body: material("bob's"), as: 'bob' })).status).toBe(201)
  })
})
