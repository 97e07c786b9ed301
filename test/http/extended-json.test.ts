import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function bulk(body: string, query = '') {
  const headers = { ...server.credentials.ada, 'content-type': 'application/x-ndjson' }
  const answer = await fetch(`${server.origin}/api/2018-10-01/methods/bulk${query}`, { method: 'POST', headers, body })
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const read = async (id: string) => (await server.call('GET', `methods/${id}`)).body.data

/** One document as `mongoexport` writes it in either form. */
const RELAXED = {
  ...method('exported'),
  _id: { $oid: '5f1e6a0b2c3d4e5f60718293' },
  at: { $date: '2024-01-31T12:00:00Z' },
  big: 9007199254740991,
  small: 3,
  real: 0.5,
  list: [{ $oid: '5f1e6a0b2c3d4e5f60718294' }, { n: 1 }],
}
const CANONICAL = {
  ...RELAXED,
  at: { $date: { $numberLong: '1706702400000' } },
  big: { $numberLong: '9007199254740991' },
  small: { $numberInt: '3' },
  real: { $numberDouble: '0.5' },
  list: [{ $oid: '5f1e6a0b2c3d4e5f60718294' }, { n: { $numberInt: '1' } }],
}
const PLAIN = {
  _id: '5f1e6a0b2c3d4e5f60718293',
  at: '2024-01-31T12:00:00.000Z',
  big: 9007199254740991,
  small: 3,
  real: 0.5,
  list: ['5f1e6a0b2c3d4e5f60718294', { n: 1 }],
}

describe('extended JSON of a bulk', () => {
  test('comes in as queries read it, relaxed and canonical alike', async () => {
    const [stored] = await bulk(JSON.stringify(RELAXED))
    expect(stored).toMatchObject({ outcome: 'stored', _id: PLAIN._id })
    expect(await read(PLAIN._id)).toMatchObject(PLAIN)
    const [again] = await bulk(JSON.stringify(CANONICAL))
    expect(again).toMatchObject({ outcome: 'skipped', _id: PLAIN._id })
    const query = { at: { $date: '2024-01-31T12:00:00Z' }, big: { $numberLong: '9007199254740991' } }
    expect((await server.call('POST', 'methods/count', { body: { query } })).body.data.count).toBe(1)
  })

  test('is a key of its own where a record is known by it', async () => {
    const line = (value: number) =>
      JSON.stringify({ ...method('keyed'), task: { $oid: 'a'.repeat(24) }, value: { $numberInt: String(value) } })
    const [first] = await bulk(line(1), '?key=task')
    expect((await bulk(line(2), '?key=task'))[0]).toMatchObject({ outcome: 'updated', _id: first._id })
    expect((await read(first._id)).value).toBe(2)
  })

  test.each([
    ['$numberDouble', { $numberDouble: 'NaN' }, 40053, 'NaN at the record.a.b'],
    ['$numberDouble', { $numberDouble: '-Infinity' }, 40053, '-Infinity'],
    ['$numberLong', { $numberLong: '9007199254740993' }, 40013, '9007199254740993'],
    ['$binary', { $binary: { base64: 'AA==', subType: '00' } }, 40053, '$binary at the record.a.b'],
    ['$regularExpression', { $regularExpression: { pattern: 'a', options: '' } }, 40053, '$regularExpression'],
    ['$timestamp', { $timestamp: { t: 1, i: 1 } }, 40053, '$timestamp'],
    ['$minKey', { $minKey: 1 }, 40053, '$minKey'],
    ['$uuid', { $uuid: 'c8edabc3-f738-4ca3-b68d-ab92a91478a3' }, 40053, '$uuid'],
    ['$date', { $date: 'yesterday' }, 40011, 'yesterday'],
    ['$set', { $set: 1 }, 42201, '$set'],
  ])('of %s, %j, is refused by name where no JSON is equal', async (_, value, code, words) => {
    const [{ outcome, error }] = await bulk(JSON.stringify({ ...method('refused'), a: { b: value } }))
    expect([outcome, error.code]).toEqual(['refused', code])
    expect(JSON.stringify(error)).toContain(words)
    if (code !== 42201) expect(error.data.path).toBe('a.b')
  })
})

describe('one record with fields', () => {
  test('has those that are asked for, the tag of its version, and the same as a list', async () => {
    const { body } = await server.call('POST', 'methods', {
      body: method('shown', { a: { x: 1, y: 2 }, long: 'é'.repeat(70_000) }),
    })
    const { _id } = body.data
    const plain = { 'accept-encoding': 'identity' }
    const whole = await server.call('GET', `methods/${_id}`, { headers: plain })
    for (const fields of [{ name: 1 }, { 'a.x': 1, _id: 0 }, { long: 0, data: 0 }]) {
      const text = encodeURIComponent(JSON.stringify(fields))
      const {
        status,
        body: answer,
        headers,
      } = await server.call('GET', `methods/${_id}?fields=${text}`, { headers: plain })
      expect([status, headers.get('etag')]).toEqual([200, whole.headers.get('etag')])
      const listed = await server.call('POST', 'methods/search', { body: { query: { _id }, projection: { fields } } })
      expect(JSON.stringify(answer.data)).toBe(JSON.stringify(listed.body.data[0]))
    }
    const etag = whole.headers.get('etag') ?? ''
    const conditional = await server.call('GET', `methods/${_id}?fields={"name":1}`, {
      headers: { 'if-none-match': etag },
    })
    expect(conditional.status).toBe(304)
    const former = await server.call('GET', `methods/${_id}?revision=1&fields={"name":1}`)
    expect(former.body.data).toEqual({ _id, name: 'shown' })
  })

  test('says of a field that no record has, and is refused where that is asked', async () => {
    const { body } = await server.call('POST', 'methods', { body: method('warned') })
    const path = `methods/${body.data._id}?fields={"nme":1}`
    expect((await server.call('GET', path)).body.warnings).toMatchObject([
      { code: 20001, hint: 'Did you mean "name"?' },
    ])
    expect((await server.call('GET', `${path}&strict=true`)).body.code).toBe(40065)
    expect((await server.call('GET', `methods/${body.data._id}?fields=name`)).body.code).toBe(40001)
  })
})
