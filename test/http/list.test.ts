import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIST_QUERY } from '../../src/http/openapi/list-parameters.ts'
import { LIST_PARAMETERS } from '../../src/http/request/list-request.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
/** Ids by name. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  server = await startServer()
  for (const [n, name] of ['e', 'b', 'd', 'a', 'c'].entries()) {
    const { body } = await server.call('POST', 'materials', {
      body: material(name, { tags: [n % 2 === 0 ? 'even' : 'odd'], rank: n }, 3 + n / 10),
    })
    ids[name] = body.data._id
  }
  await server.call('POST', 'methods', { body: method('paw', { subtype: 'paw' }) })
  await server.call('POST', 'methods', { body: method('us') })
})
afterAll(() => server.close())

const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))

async function names(parameters: string, collection = 'materials'): Promise<string[]> {
  const { status, body } = await server.call('GET', `${collection}?${parameters}`)
  expect([status, body.message]).toEqual([200, undefined])
  return body.data.map(({ name }: { name: string }) => name)
}

describe('GET /materials', () => {
  test('answers an array in natural order without parameters, and with {} as the Python client sends', async () => {
    expect(await names('')).toEqual(['e', 'b', 'd', 'a', 'c'])
    expect(await names('query=%7B%7D&projection=%7B%7D')).toEqual(['e', 'b', 'd', 'a', 'c'])
  })

  test('answers the documents whole, as GET of one does', async () => {
    const { body } = await server.call('GET', 'materials')
    const one = await server.call('GET', `materials/${ids.e}`)
    expect(body.data[0]).toEqual(one.body.data)
  })

  test.each([
    ['query with %20', 'query=%7B%22name%22%3A%20%22a%22%7D', ['a']],
    ['query with +', 'query=%7B%22name%22%3A+%22a%22%7D', ['a']],
    ['query that is not encoded more than need be', 'query={"name":"a"}', ['a']],
    ['an operator', `query=${encoded({ rank: { $gte: 3 } })}`, ['a', 'c']],
    ['an element of an array', `query=${encoded({ tags: 'odd' })}`, ['b', 'a']],
    ['a computed field', `query=${encoded({ formula: 'Si', unitCellFormula: 'Si2' })}`, ['e', 'b', 'd', 'a', 'c']],
    ['nothing that matches', `query=${encoded({ name: 'z' })}`, []],
    ['sort', `projection=${encoded({ sort: { name: 1 } })}`, ['a', 'b', 'c', 'd', 'e']],
    ['sort as pairs', `projection=${encoded({ sort: [['name', 'desc']] })}`, ['e', 'd', 'c', 'b', 'a']],
    ['limit', `projection=${encoded({ limit: 2 })}`, ['e', 'b']],
    ['skip and limit', `projection=${encoded({ skip: 2, limit: 2 })}`, ['d', 'a']],
    ['skip beyond the end', `projection=${encoded({ skip: 99 })}`, []],
    ['advancedSearches', `advancedSearches=${encoded([{ tags: 'even' }, { rank: { $lt: 3 } }])}`, ['e', 'd']],
    [
      'advancedSearches and query',
      `query=${encoded({ name: 'd' })}&advancedSearches=${encoded([{ tags: 'even' }])}`,
      ['d'],
    ],
    ['the same query both ways', `query=${encoded({ name: 'd' })}&advancedSearches=${encoded([{ name: 'd' }])}`, ['d']],
    ['no advancedSearches', 'advancedSearches=[]', ['e', 'b', 'd', 'a', 'c']],
    ['flat limit and skip', 'limit=2&skip=1', ['b', 'd']],
    ['flat sort', 'sort=name', ['a', 'b', 'c', 'd', 'e']],
    ['flat sort, descending', 'sort=-name&limit=2', ['e', 'd']],
    ['projection.limit before flat limit', `limit=4&projection=${encoded({ limit: 1 })}`, ['e']],
    ['flat skip beside projection.limit', `skip=1&projection=${encoded({ limit: 1 })}`, ['b']],
    ['name', 'name=a', ['a']],
    ['slug', 'slug=a', ['a']],
    ['setId of a set that nothing is in', 'setId=none', []],
    ['isDefault', 'isDefault=false&limit=1', ['e']],
    ['isDefault that nothing has', 'isDefault=true', []],
    ['isCurated that nothing has', 'isCurated=true', []],
    ['isCurated that is not said', 'isCurated=false&limit=1', ['e']],
    ['quickSearch in tags', 'quickSearch=ODD', ['b', 'a']],
    ['quickSearch in formulas', 'quickSearch=si&name=c', ['c']],
    ['quickSearch for words in any order and field', 'quickSearch=odd%20si%20A', ['a']],
    ['quickSearch for words in another order', 'quickSearch=%20a%20%20Si+odd', ['a']],
    ['quickSearch for a word that is nowhere', 'quickSearch=odd+none', []],
    ['quickSearch for what only looks like a pattern', 'quickSearch=.', []],
    ['hashes that nothing has', 'hashes=0123,4567', []],
    ['jobId', 'jobId=none', []],
    ['globalSearch', 'globalSearch=true&name=c', ['c']],
    ['two flat conditions', 'quickSearch=odd&name=b', ['b']],
    ['a flat value that looks like an operator', `name=${encoded({ $gt: '' })}`, []],
    ['empty pairs', '&&name=a&', ['a']],
  ])('takes %s', async (_what, parameters, selected) => {
    expect(await names(parameters)).toEqual(selected)
  })

  test('filters by id and owner', async () => {
    expect(await names(`id=${ids.d}`)).toEqual(['d'])
    expect(await names(`ownerId=${server.accountIds.ada}&name=d`)).toEqual(['d'])
    expect(await names(`ownerId=${server.accountIds.bob}`)).toEqual([])
    expect(await names('ownerSlug=ada&name=d')).toEqual(['d'])
  })

  test('filters by hashes, with commas or as JSON', async () => {
    const { body } = await server.call('GET', 'materials?name=d')
    const { hash } = body.data[0]
    for (const list of [`none,${hash}`, encoded([hash, 'none'])]) {
      expect(await names(`name=d&hashes=${list}`)).toEqual(['d'])
    }
  })

  test('returns the fields that were asked for', async () => {
    const projection = encoded({ fields: { name: 1, 'lattice.a': 1 }, limit: 1 })
    const { body } = await server.call('GET', `materials?projection=${projection}`)
    expect(body.data).toEqual([{ _id: ids.e, name: 'e', lattice: { a: 3 } }])
  })

  test('gives consecutive pages that neither repeat nor miss any', async () => {
    const pages = await Promise.all(
      [0, 2, 4].map((skip) => names(`projection=${encoded({ sort: { formula: 1 }, skip, limit: 2 })}`)),
    )
    expect(pages.flat()).toEqual(['e', 'b', 'd', 'a', 'c'])
  })
})

describe('a list parameter', () => {
  test.each([
    ['an unknown parameter', 'quer={}', 40032, 'query'],
    ['a parameter in other capitals', 'Limit=1', 40032, 'limit'],
    ['the query as a parameter name', '%7B%22name%22%3A1%7D', 40032, 'query='],
    ['a parameter whose = is encoded', 'query%3D%7B%22name%22%3A1%7D', 40032, 'stands as it is'],
    ['__proto__', '__proto__=1', 40032, '__proto__'],
    ['constructor', 'constructor=1', 40032, 'constructor'],
    ['query twice', 'query={}&query={}', 40033, 'query'],
    ['query twice, encoded differently', 'query={}&%71uery={}', 40033, 'query'],
    ['an empty query', 'query=', 40001, 'query'],
    ['an empty projection', 'projection=', 40001, 'projection'],
    ['query that is no JSON', "query={'name':'a'}", 40001, 'double quotes'],
    ['query that is an array', 'query=[]', 40002, 'query'],
    ['projection that is an array', 'projection=[]', 40002, 'projection'],
    ['advancedSearches that is an object', 'advancedSearches={}', 40034, 'array'],
    ['an operator that is not known', `query=${encoded({ 'lattice.a': { $gtt: 1 } })}`, 40003, '$gt'],
    [
      'an operator that is not known in advancedSearches',
      `advancedSearches=${encoded([{}, { a: { $gtt: 1 } }])}`,
      40003,
      'advancedSearches[1].a',
    ],
    ['$where', `query=${encoded({ $where: 'true' })}`, 40006, '$where'],
    ['a key twice', 'query={"a":1,"a":2}', 40012, 'twice'],
    ['a lone %', 'query=%', 40031, 'percent'],
    ['bytes that are not UTF-8', 'name=%ff', 40031, 'name'],
    ['limit 0', 'limit=0', 40034, '1 to 500'],
    ['limit 501', 'limit=501', 40034, '1 to 500'],
    ['limit 1.5', 'limit=1.5', 40034, '1 to 500'],
    ['limit 1e2', 'limit=1e2', 40034, '1 to 500'],
    ['an empty limit', 'limit=', 40034, 'limit'],
    ['skip -1', 'skip=-1', 40034, 'skip'],
    ['an empty sort', 'sort=', 40034, 'sort'],
    ['a sort of -', 'sort=-', 40034, 'sort'],
    ['a sort with its direction behind a comma', 'sort=name,desc', 40034, 'Write sort=-name.'],
    ['a sort with its direction behind a space', 'sort=name%20desc', 40034, 'Write sort=-name.'],
    ['a sort with its direction behind a colon', 'sort=name:asc', 40034, 'Write sort=name.'],
    ['a sort with +', 'sort=%2Bname', 40034, 'Write sort=name.'],
    ['a sort with + as a space', 'sort=+name', 40034, 'Write sort=name.'],
    ['a sort that is an object', 'sort={name:1}', 40034, 'Write sort=name.'],
    ['a sort that is JSON', `sort=${encoded({ 'lattice.a': -1 })}`, 40034, 'Write sort=-lattice.a.'],
    ['a sort of pairs', `sort=${encoded([['name', 'desc']])}`, 40034, 'Write sort=-name.'],
    ['a sort of two fields', 'sort=-name,formula', 40034, 'Write projection={"sort":{"name":-1,"formula":1}}.'],
    ['a sort of words', 'sort=a+b+c', 40034, 'sort=name or sort=-name'],
    [
      'a sort with - in the projection',
      `projection=${encoded({ sort: { '-name': 1 } })}`,
      40018,
      'Write "sort":{"name":-1}',
    ],
    ['a sort with - in a list', `projection=${encoded({ sort: ['-name'] })}`, 40018, 'Write "sort":{"name":-1}'],
    ['a sort that is a text', `projection=${encoded({ sort: '-name' })}`, 40018, 'Write "sort":{"name":-1}'],
    ['a direction in words', `projection=${encoded({ sort: { name: 'desc' } })}`, 40018, 'Write "sort":{"name":-1}'],
    ['a limit of 2000', 'limit=2000', 40034, 'X-Next-Cursor'],
    ['a limit of 2000 in the projection', `projection=${encoded({ limit: 2000 })}`, 40017, 'export'],
    ['the name of a field', 'bandGap=1', 40032, 'query={"bandGap":"…"}'],
    ['a quickSearch of spaces', 'quickSearch=%20', 40034, 'one or more words'],
    ['an empty name', 'name=', 40034, 'name'],
    ['isDefault=1', 'isDefault=1', 40034, 'true or false'],
    ['globalSearch=false', 'globalSearch=false', 40034, 'setId'],
    ['an empty quickSearch', 'quickSearch=', 40034, 'quickSearch'],
    ['isCurated=yes', 'isCurated=yes', 40034, 'true or false'],
    ['an empty hash', 'hashes=a,,b', 40034, 'commas'],
    ['hashes that are no texts', 'hashes=[1]', 40034, 'commas'],
    ['hashes that are no JSON', 'hashes=[a', 40034, 'commas'],
    ['pageSize', 'pageSize=20', 40035, 'Use limit'],
    ['pageIndex', 'pageIndex=2', 40035, 'Use skip'],
  ])('is refused: %s', async (_what, parameters, code, told) => {
    const { body } = await server.call('GET', `materials?${parameters}`)
    expect([body.code, body.message]).toEqual([code, expect.stringContaining(told)])
  })

  test('is told the nearest names of others, not all of them', async () => {
    const { body } = await server.call('GET', 'materials?zzz=1')
    const named = LIST_PARAMETERS.filter((name) => body.message.includes(` ${name}`))
    expect(named.length).toBeGreaterThan(1)
    expect(named.length).toBeLessThan(6)
  })

  test.each([0, 501, 1.5, -1, '5', null])('projection.limit %j is refused with the bound', async (limit) => {
    const { status, body } = await server.call('GET', `materials?projection=${encoded({ limit })}`)
    expect([status, body.message]).toEqual([400, expect.stringMatching(/1 to 500/)])
  })

  test('limit 500 is the most', async () => {
    expect(await names('limit=500')).toHaveLength(5)
  })

  test('holds what the description says', () => {
    expect(LIST_QUERY.map(({ name }) => name).sort()).toEqual([...LIST_PARAMETERS].sort())
  })
})

describe('POST /materials/search', () => {
  test('is the same list action', async () => {
    const body = { query: { rank: { $gte: 1 } }, projection: { sort: { name: 1 }, limit: 2, fields: { name: 1 } } }
    const { status, body: answer } = await server.call('POST', 'materials/search', { body })
    expect(status).toBe(200)
    expect(answer.data).toEqual([
      { _id: ids.a, name: 'a' },
      { _id: ids.b, name: 'b' },
    ])
  })

  test('takes a query that no URL could hold, up to its bound', async () => {
    const $in = Array.from({ length: 9000 }, (_, n) => n)
    const { body } = await server.call('POST', 'materials/search', { body: { query: { rank: { $in } } } })
    expect(body.data).toHaveLength(5)
    const large = { query: { name: 'x'.repeat(70_000) } }
    expect((await server.call('POST', 'materials/search', { body: large })).body.code).toBe(40010)
  })

  test('takes no parameters in the URL, which would be ignored', async () => {
    expect((await server.call('POST', 'materials/search?limit=1', { body: {} })).body.code).toBe(40032)
  })

  test.each([
    [{ query: { a: { $gtt: 1 } } }, 40003],
    [{ query: '{}' }, 40002],
    [{ query: null }, 40002],
    [{ projection: [] }, 40002],
    [{ projection: { limits: 1 } }, 40016],
  ])('refuses %j', async (body, code) => {
    expect((await server.call('POST', 'materials/search', { body })).body.code).toBe(code)
  })
})

describe('POST /materials/count', () => {
  test.each([
    [{}, 5],
    [{ query: {} }, 5],
    [{ query: { tags: 'odd' } }, 2],
    [{ query: { name: 'z' } }, 0],
  ])('of %j is %i', async (body, count) => {
    expect((await server.call('POST', 'materials/count', { body })).body).toEqual({
      status: 'success',
      data: { count },
    })
  })
})

test('methods follow the same convention', async () => {
  expect(await names('', 'methods')).toEqual(['paw', 'us'])
  expect(await names(`query=${encoded({ subtype: 'us' })}`, 'methods')).toEqual(['us'])
  expect(
    (await server.call('POST', 'methods/count', { body: { query: { type: 'pseudopotential' } } })).body.data,
  ).toEqual({ count: 2 })
})
