import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
  const made: readonly (readonly [string, object])[] = [
    ['plain', { rank: -1.5, note: 'a' }],
    ['=1+1', { rank: 2, note: 'a "word", and\na line' }],
    ['-cmd', { rank: null, tags: ['one', 'two'], note: '' }],
    ['@at', { meta: { deep: [{ value: 1 }, { value: '=2' }, {}] }, isPublic: false }],
    ['+sum', { meta: { ok: true } }],
  ]
  for (const [at, [name, fields]] of made.entries()) {
    await server.call('POST', 'materials', { body: material(name, { order: at, ...fields }, 3 + at / 10) })
  }
  await server.call('POST', 'methods', { body: method('dft') })
})
afterAll(() => server.close())

async function read(path: string) {
  const answer = await fetch(`${server.origin}${API_PREFIX}/${path}`, { headers: server.credentials.ada })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const csv = (columns: string, rest = '') =>
  read(`materials/export?format=csv&sort=order&columns=${encodeURIComponent(columns)}${rest}`)

describe('an export as CSV', () => {
  test('has the columns in their order, and a line for each record', async () => {
    const { status, text, headers } = await csv('order,name,formula,lattice.type')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="materials.csv"')
    expect(text.split('\r\n').slice(0, 2)).toEqual(['order,name,formula,lattice.type', '0,plain,Si,FCC'])
    expect(text.endsWith('\r\n')).toBe(true)
    expect(text.split('\r\n')).toHaveLength(7)
  })

  test('guards texts that would be formulas, and leaves numbers as they are', async () => {
    const { text } = await csv('name,rank')
    expect(text).toBe("name,rank\r\nplain,-1.5\r\n'=1+1,2\r\n'-cmd,\r\n'@at,\r\n'+sum,\r\n")
  })

  test('quotes what has commas, quotes and line ends', async () => {
    const { text } = await csv('note', `&query=${encodeURIComponent('{"order":{"$lt":3}}')}`)
    expect(text).toBe('note\r\na\r\n"a ""word"", and\na line"\r\n\r\n')
  })

  test('has lists and objects as JSON, and the values of all elements of a list', async () => {
    const { text } = await csv('tags,meta.deep.value,meta', `&query=${encodeURIComponent('{"order":{"$gte":2}}')}`)
    expect(text.split('\r\n')).toEqual([
      'tags,meta.deep.value,meta',
      '"[""one"",""two""]",,',
      '[],"[1,""=2""]","{""deep"":[{""value"":1},{""value"":""=2""},{}]}"',
      '[],,"{""ok"":true}"',
      '',
    ])
  })

  test('is there for every kind, and of nothing it has the names alone', async () => {
    const of = async (rest: string) => (await read(`methods/export?format=csv&columns=name,_id${rest}`)).text
    expect(await of('')).toMatch(/^name,_id\r\ndft,\w+\r\n$/)
    expect(await of('&name=none')).toBe('name,_id\r\n')
  })

  test.each([
    ['format=csv', 'columns'],
    ['format=csv&columns=,', 'columns'],
    ['format=csv&columns=name,,formula', 'columns'],
    ['format=csv', 'columns'],
    ['format=csv&columns=', 'columns'],
    ['format=csv&columns=$a', 'columns'],
    [`format=csv&columns=${new Array(201).fill('a').join(',')}`, 'columns'],
    ['columns=name', 'format'],
    ['format=csv&columns=name&projection={"fields":{"name":1}}', 'projection.fields'],
    ['format=csv&columns=name&limit=5', 'limit'],
  ])('refuses %s', async (search, path) => {
    for (const kind of ['materials', 'methods']) {
      const { status, body } = await server.call('GET', `${kind}/export?${search}`)
      expect([status, body.data.path]).toEqual([400, path])
    }
  })
})

describe('a text in a table', () => {
  test.each(['\n=1', '\r\n=1', '\t1', '＝1', '＋1', '－1', '＠1', ' =1', '\u00a0@x', '\u3000＝1', '\0+1'])(
    'is guarded where it begins with %j',
    async (note) => {
      const { body } = await server.call('POST', 'materials', { body: material('guarded', { note }) })
      const { text } = await csv('note', `&query=${encodeURIComponent(JSON.stringify({ _id: body.data._id }))}`)
      expect(text.replaceAll('"', '')).toBe(`note\r\n'${note}\r\n`)
    },
  )

  test.each(['a=1', 'Si', '(-1)', '  plain', '5'])('is as it is where it begins with %j', async (note) => {
    const { body } = await server.call('POST', 'materials', { body: material('plain', { note }) })
    const { text } = await csv('note', `&query=${encodeURIComponent(JSON.stringify({ _id: body.data._id }))}`)
    expect(text).toBe(`note\r\n${note}\r\n`)
  })
})
