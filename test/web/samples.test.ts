import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../web/query/call.ts'
import { exactValue, literal, PYTHON, TYPESCRIPT } from '../../web/query/literals.ts'
import { type Sample, samplesOf } from '../../web/query/samples.ts'
import { type LiveServer, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'

const ROOT = 'https://quarry.example.org/api/2018-10-01'

function sample(call: Omit<Call, 'root'> & { readonly root?: string }, language: Sample['language']) {
  return samplesOf({ root: ROOT, ...call }).find((one) => one.language === language)?.text
}

/** Why Python cannot be asked; null where it can. */
function missingPython(module: string): string | null {
  try {
    execFileSync('python3', ['-c', `import ${module}`], { stdio: 'ignore' })
    return null
  } catch {
    return `no python3 with ${module}`
  }
}

const noRequests = missingPython('requests')
const noClient = missingPython('mat3ra.api_client')
const noCurl = (() => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return null
  } catch {
    return 'no curl'
  }
})()

const run = promisify(execFile)

/** What a program has that is written so. */
function evaluated(text: string): object {
  return runInNewContext(`(${text})`)
}

/** How the text of each language is run. */
const PROGRAMS: Readonly<Record<Sample['language'], (text: string) => readonly [string, ...string[]]>> = {
  curl: (text) => ['bash', '-c', text],
  Python: (text) => ['python3', '-c', text],
  'Python client': (text) => ['python3', '-c', text],
  TypeScript: (text) => ['node', '--input-type=module', '-e', text],
}

const REASONS: Readonly<Record<Sample['language'], string | null>> = {
  curl: noCurl,
  Python: noRequests,
  'Python client': noClient,
  TypeScript: null,
}

describe.each(['curl', 'Python', 'Python client', 'TypeScript'] as const)('the sample in %s', (language) => {
  const reason = REASONS[language]
  const runs = it.skipIf(reason !== null)
  const skipped = reason === null ? '' : ` (skipped: ${reason})`
  let server: LiveServer
  let root: string
  beforeAll(async () => {
    server = await startServer()
    root = `${server.origin}/api/2018-10-01`
    for (const [name, tags] of [
      [`It's "α + β" & 100 % \\`, ['odd']],
      ['Silicon', ['plain']],
    ] as const)
      await server.call('POST', 'materials', { body: material(name, { tags }, 4) })
  })
  afterAll(() => server.close())

  /** What the sample prints. */
  async function printed(call: Omit<Call, 'root'>): Promise<string> {
    const text = sample({ root, ...call }, language) ?? ''
    const [program, ...parameters] = PROGRAMS[language](text)
    const { 'x-auth-token': TOKEN = '', 'x-account-id': ACCOUNT = '' } = server.credentials.ada
    const { stdout } = await run(program, parameters, { env: { ...process.env, TOKEN, ACCOUNT } })
    return stdout
  }

  runs(`finds what the same query finds${skipped}`, async () => {
    const query = JSON.stringify({
      name: `It's "α + β" & 100 % \\`,
      'lattice.a': { $gt: 3.5 },
      isEntitySet: { $ne: true },
    })
    const found = await printed({ method: 'GET', path: '/materials', search: { query } })
    expect(found).toMatch(/odd/)
    expect(found).not.toMatch(/plain/)
  })

  runs(`names the account that it works in${skipped}`, async () => {
    const call = { method: 'GET', path: '/materials', search: { query: '{"tags":"odd"}' } }
    expect(await printed({ ...call, accountId: server.accountIds.ada })).toMatch(/odd/)
    expect(await printed({ ...call, accountId: server.accountIds.bob })).not.toMatch(/odd/)
  })

  runs(`changes, copies and deletes a record${skipped}`, async () => {
    const made = await server.call('POST', 'materials', { body: material('To be changed') })
    const path = `/materials/${made.body.data._id}`
    const body = { description: `It's "50 %"`, 'metadata.count': null, tags: ['a', 'b'], isOutdated: false }
    expect(await printed({ method: 'PATCH', path, body })).toMatch(/50 %/)
    const changed = await server.call('GET', path.slice(1))
    expect(changed.body.data).toMatchObject({ description: `It's "50 %"`, metadata: { count: null }, tags: ['a', 'b'] })
    expect(await printed({ method: 'POST', path: `${path}/copy` })).toMatch(/To be changed/)
    await printed({ method: 'DELETE', path })
    expect((await server.call('GET', path.slice(1))).status).toBe(404)
  })

  it.skipIf(reason !== null || language === 'Python client')(`says what the server refuses${skipped}`, async () => {
    const answers = ['{"a":{"$gtt":1}}', '{"a":123456789012345678901}'].map((query) =>
      printed({ method: 'GET', path: '/materials', search: { query, limit: '3' } }),
    )
    expect(await Promise.all(answers)).toEqual([
      expect.stringMatching(/Did you mean \$gt\?/),
      expect.stringMatching(/The number 123456789012345678901/),
    ])
  })

  it.skipIf(reason !== null || language === 'Python client')(
    `needs no credential where the call needs none${skipped}`,
    async () => {
      expect(await printed({ method: 'GET', path: '/openapi.json', isOpen: true, answer: 'text' })).toMatch(
        /"openapi":/,
      )
    },
  )
})

describe('the texts of samples', () => {
  it('show a query as a value of the language', () => {
    const call = { method: 'GET', path: '/materials', search: { query: '{"formula":"Si","public":true,"x":null}' } }
    expect(sample(call, 'curl')).toBe(
      `curl -G '${ROOT}/materials' \\
  -H "X-Account-Id: $ACCOUNT" -H "X-Auth-Token: $TOKEN" \\
  --data-urlencode 'query={"formula":"Si","public":true,"x":null}'`,
    )
    expect(sample(call, 'Python')).toContain(`"query": json.dumps({"formula": "Si", "public": True, "x": None}),`)
    expect(sample(call, 'TypeScript')).toContain(`query: JSON.stringify({ formula: 'Si', public: true, x: null }),`)
  })

  it.each([
    ['a number that no double holds', '{"a":12345678901234567890}'],
    ['a key that is given twice', '{"a":1,"a":2}'],
    ['keys that an object orders anew', '{"b":1,"2":1}'],
    ['what is no JSON', '{"a":'],
  ])('send %s as the text that it is', (_what, query) => {
    expect(exactValue(query)).toBeUndefined()
    const call = { method: 'GET', path: '/materials', search: { query } }
    expect(sample(call, 'Python')).toContain(`"query": ${JSON.stringify(query)},`)
    expect(sample(call, 'TypeScript')).toContain(`query: '${query}',`)
    expect(sample(call, 'Python client')).toBeUndefined()
  })

  it('write what the languages write in their own ways', () => {
    const value = { $in: ['a"b', "it's", '\\', '\n'], __proto__x: [], 'a.b': {}, nothing: null, is: [true, false] }
    expect(literal(value, PYTHON)).toBe(
      [
        '{',
        `    "$in": ["a\\"b", "it's", "\\\\", "\\n"],`,
        '    "__proto__x": [],',
        '    "a.b": {},',
        '    "nothing": None,',
        '    "is": [True, False],',
        '}',
      ].join('\n'),
    )
    expect(evaluated(literal(value, TYPESCRIPT))).toEqual(value)
    const inherited: unknown = JSON.parse('{"__proto__":{"a":1}}')
    expect(Object.keys(evaluated(literal(inherited, TYPESCRIPT)))).toEqual(['__proto__'])
  })

  it.each<[string, Omit<Call, 'root'>, string]>([
    ['a list', { method: 'GET', path: '/materials', search: { query: '{"a":1}' } }, 'client.materials.list({"a": 1})'],
    [
      'a list with a projection',
      { method: 'GET', path: '/jobs', search: { projection: '{"limit":3}' } },
      'client.jobs.list({}, {"limit": 3})',
    ],
    [
      'a search',
      { method: 'POST', path: '/bank-materials/search', body: { query: { a: 1 } } },
      'client.bank_materials.list({"a": 1})',
    ],
    ['a record', { method: 'GET', path: '/materials/HnJarJcfQ98vKS6M4' }, 'client.materials.get("HnJarJcfQ98vKS6M4")'],
    [
      'a creation',
      { method: 'PUT', path: '/materials/create', body: { name: 'x' } },
      'client.materials.create({"name": "x"})',
    ],
  ])('call the Python client for %s', (_what, call, expression) => {
    expect(sample(call, 'Python client')).toContain(`print(${expression})`)
    expect(sample(call, 'Python client')).toContain(
      'host="quarry.example.org", port=443, version="2018-10-01", secure=True,',
    )
  })

  it.each<[string, Omit<Call, 'root'> & { readonly root?: string }]>([
    ['a collection that it has not', { method: 'GET', path: '/methods' }],
    ['a parameter that it does not send', { method: 'GET', path: '/materials', search: { limit: '3' } }],
    ['a word in the place of an id', { method: 'GET', path: '/materials/default' }],
    ['a change by query', { method: 'PATCH', path: '/materials', body: {} }],
    ['a change that it refuses', { method: 'DELETE', path: '/projects/HnJarJcfQ98vKS6M4' }],
    ['a server below a path', { root: 'https://x.org/quarry/api/2018-10-01', method: 'GET', path: '/materials' }],
  ])('leave the Python client out for %s', (_what, call) => {
    expect(sample(call, 'Python client')).toBeUndefined()
    expect(sample(call, 'Python')).toContain('requests.')
  })
})
