import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { triesOf } from '../support/study.ts'
import { MISTAKEN_QUERIES, type MistakenQuery } from '../support/written-mistakes.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
let id: string
beforeAll(async () => {
  server = await startServer()
  const fields = [{ tags: ['one'], isPublic: true }, { bandGap: 1.1 }, { name: 'Silicon' }]
  for (const [at, more] of fields.entries()) {
    const { body } = await server.call('POST', 'materials', { body: material('a', more, 3.867 + at) })
    id = body.data._id
  }
})
afterAll(() => server.close())

interface Told {
  readonly code: number
  readonly path: string
  readonly message: string
  readonly hint?: string
}

interface Answered {
  readonly status: number
  readonly code?: number
  readonly warnings: readonly Told[]
}

async function ask(method: string, path: string, body?: object): Promise<Answered> {
  const response = await fetch(`${server.origin}/api/2018-10-01/${path}`, {
    method,
    headers: { ...server.credentials.ada, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { status, headers } = response
  const text = await response.text()
  const list = headers.get('x-warning-list')
  if (list !== null) return { status, warnings: JSON.parse(list) }
  if (headers.get('content-type')?.includes('ndjson')) return { status, warnings: [] }
  const { code, warnings = [], data } = JSON.parse(text)
  return { status, code, warnings: path.endsWith('validate') ? data.warnings : warnings }
}

const inAddress = (query: JsonObject, strict: boolean) =>
  `query=${encodeURIComponent(JSON.stringify(query))}${strict ? '&strict=true' : ''}`
const inBody = (query: JsonObject, strict: boolean, more: object = {}) => ({
  query,
  ...more,
  ...(strict ? { strict } : {}),
})

/** All that takes a query. */
const DOORS: Readonly<Record<string, (query: JsonObject, strict: boolean) => Promise<Answered>>> = {
  'a list': (query, strict) => ask('GET', `materials?${inAddress(query, strict)}`),
  'a search': (query, strict) => ask('POST', 'materials/search', inBody(query, strict)),
  'an explanation': (query, strict) => ask('POST', 'materials/search', inBody(query, strict, { explain: true })),
  'a count': (query, strict) => ask('POST', 'materials/count', inBody(query, strict)),
  'a count by address': (query, strict) => ask('GET', `materials/count?${inAddress(query, strict)}`),
  'an export': (query, strict) => ask('GET', `materials/export?${inAddress(query, strict)}`),
  facets: (query, strict) => ask('POST', 'materials/facets', inBody(query, strict, { facets: [{ path: 'formula' }] })),
  points: (query, strict) => ask('POST', 'materials/points', inBody(query, strict, { x: 'nSites', y: 'lattice.a' })),
  values: (query, strict) => ask('GET', `materials/distinct?path=formula&${inAddress(query, strict)}`),
  'like materials': (query, strict) => ask('GET', `materials/${id}/similar?${inAddress(query, strict)}`),
  'a change of many': (query, strict) =>
    ask('PATCH', 'materials', inBody(query, strict, { change: { q: 1 }, dryRun: true })),
  'a removal of many': (query, strict) => ask('DELETE', 'materials', inBody(query, strict, { dryRun: true })),
  'a query that is kept': (query, strict) =>
    ask('POST', `queries${strict ? '?strict=true' : ''}`, {
      name: 'kept',
      kind: 'materials',
      query: JSON.stringify(query),
    }),
}

/** So many of them, from all over. */
function some(most: number): readonly MistakenQuery[] {
  const step = Math.max(1, Math.floor(MISTAKEN_QUERIES.length / most))
  return MISTAKEN_QUERIES.filter((_, at) => at % step === Math.floor(step / 2))
}

const SAMPLE = some(triesOf('mistakes'))

const count = async (query: JsonObject): Promise<number> =>
  (await server.call('POST', 'materials/count', { body: { query } })).body.data.count

/** The operators of a condition, as far as there is one way to write them. */
const operatorsIn = (text: string) => [...text.matchAll(/"(\$[a-zA-Z]+)":/g)].map(([, name]) => name as string)
const ALSO: Readonly<Record<string, readonly string[]>> = {
  $eq: ['$eq'],
  $ne: ['$ne', '$not', '$nin'],
  $nin: ['$nin', '$not'],
}

test('there are hundreds of mistakes, each told of', async () => {
  expect(MISTAKEN_QUERIES.length).toBeGreaterThan(1500)
  const silent: string[] = []
  for (const { name, query, code } of SAMPLE) {
    const { warnings } = await ask('POST', 'materials/search', { query })
    if (!warnings.some((one) => one.code === code) && !(code === 20001 && MAY_BE_MEANT.test(name)))
      silent.push(`${name}: ${warnings.map((one) => one.code)}`)
  }
  expect(silent).toEqual([])
})

/** That a field is absent, or not something, where no field is near it, may be meant. */
const MAY_BE_MEANT = /"(?:lattice\.a\.0|owner\.nmae|basis[^"]*|lattice\/a)":.*(?:\$ne|\$nin|\$not)|\$nor/

async function isCounted({ message }: Told, condition: JsonObject, total: number): Promise<boolean> {
  const [told] = /holds for (?:all|none)|(?:all|none) of them meets?/.exec(message) ?? []
  return told === undefined || (await count(condition)) === (told.includes('all') ? total : 0)
}

/** The queries that a hint has. */
function proposedBy({ hint = '' }: Told): readonly string[] {
  return (/\{.*\}/.exec(hint)?.[0] ?? '').split(' or ').filter((one) => one !== '')
}

/** Whether a proposed query is accepted, has the operators of what was sent, and has no such warning. */
async function isRight(proposed: string, { code }: Told, condition: JsonObject): Promise<boolean> {
  const { status, warnings } = await ask('POST', 'materials/search', { query: JSON.parse(proposed) })
  const isKept = operatorsIn(JSON.stringify(condition)).every(
    (operator) => operator === '$eq' || (ALSO[operator] ?? [operator]).some((other) => proposed.includes(`"${other}"`)),
  )
  return isKept && status === 200 && !warnings.some((other) => other.code === code)
}

test('every consequence is what a count says, and every query of a hint is accepted, and has no such warning', async () => {
  const total = await count({})
  const wrong: string[] = []
  for (const { name, query, condition } of SAMPLE) {
    const { warnings } = await ask('POST', 'materials/search', { query })
    for (const warning of warnings) {
      if (!(await isCounted(warning, condition, total))) wrong.push(`${name}: ${warning.message}`)
      for (const one of proposedBy(warning)) {
        if (!(await isRight(one, warning, condition))) wrong.push(`${name}: ${warning.hint}`)
      }
    }
  }
  expect(wrong).toEqual([])
})

describe.each(Object.entries(DOORS))('%s', (_, door) => {
  test('tells of every mistake as a search does, and refuses it where it is strict', async () => {
    const differs: string[] = []
    for (const { name, query } of SAMPLE.filter((_, at) => at % 4 === 0)) {
      const expected = (await ask('POST', 'materials/search', { query })).warnings.map(({ code }) => code)
      const lenient = await door(query, false)
      const strict = await door(query, true)
      const codes = lenient.warnings.map(({ code }) => code)
      const isSilent = expected.some((code) => !codes.includes(code) && ![20008, 20009].includes(code))
      if (isSilent || lenient.status >= 400) differs.push(`${name}: ${codes} for ${expected}`)
      if (expected.length > 0 && strict.code !== 40065) differs.push(`${name}: strict ${strict.status} ${strict.code}`)
    }
    expect(differs).toEqual([])
  })
})
