import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { loadSamples } from '../../src/records/samples/load-samples.ts'
import { LANGUAGE } from '../cases/mistakes/language.mistakes.ts'
import { KNOWN, type Known, type MistakenRequest, type Mistakes } from '../cases/mistakes/mistake.ts'
import { OPERATORS } from '../cases/mistakes/operators.mistakes.ts'
import { PARAMETERS } from '../cases/mistakes/parameters.mistakes.ts'
import { PROTOCOL } from '../cases/mistakes/protocol.mistakes.ts'
import { RECORDS } from '../cases/mistakes/records.mistakes.ts'
import { STRUCTURES } from '../cases/mistakes/structures.mistakes.ts'
import { VALUES } from '../cases/mistakes/values.mistakes.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

const ALL: readonly Mistakes[] = [
  ...VALUES,
  ...LANGUAGE,
  ...PARAMETERS,
  ...OPERATORS,
  ...RECORDS,
  ...STRUCTURES,
  ...PROTOCOL,
]

let server: LiveServer
let known: Readonly<Record<Known, string>>
beforeAll(async () => {
  server = await startServer({ symmetry: true })
  await loadSamples(server.services.records)
  known = await makeKnown()
})
afterAll(() => server.close())

async function makeKnown(): Promise<Readonly<Record<Known, string>>> {
  const made = async (verb: string, path: string, body?: object): Promise<string> => {
    const answer = await server.call(verb, path, body === undefined ? {} : { body })
    return (Array.isArray(answer.body.data) ? answer.body.data[0] : answer.body.data)._id
  }
  return {
    mine: await made('POST', 'materials', material('Mine', { tags: ['one'] }, 3.87)),
    sample: await made('GET', `materials?limit=1&name=${encodeURIComponent('Silicon, diamond structure')}`),
    set: await made('PUT', 'materials/create-set', { name: 'My set' }),
    method: await made('POST', 'methods', method('Own')),
    team: await made('POST', 'accounts', { name: 'team' }),
    account: server.accountIds.ada,
  }
}

function withIds(text: string): string {
  return KNOWN.reduce((filled, name) => filled.replaceAll(`{${name}}`, known[name]), text)
}

interface Told {
  readonly code: number | string
  readonly message: string
}

/** What the answer tells: the refusal, or its warnings, whatever form it has. */
async function toldOf({
  method: verb,
  path,
  body,
  headers = {},
  as = 'ada',
}: MistakenRequest): Promise<readonly Told[]> {
  const isText = typeof body === 'string'
  const response = await fetch(new URL(withIds(path), `${server.origin}/api/2018-10-01/`), {
    method: verb,
    headers: {
      ...server.credentials[as],
      ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withIds(value)])),
    },
    ...(body === undefined ? {} : { body: withIds(isText ? body : JSON.stringify(body)) }),
  })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(554)
  expect([500, 503], text).not.toContain(response.status)
  const list = response.headers.get('x-warning-list')
  if (list !== null) return JSON.parse(list)
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('ndjson')) return linesOf(text).flatMap(ofReport)
  const answer = JSON.parse(text)
  if (type.includes('vnd.api+json')) return ofOptimade(answer)
  return response.status < 300 ? [...(answer.warnings ?? []), ...ofStructures(answer.data)] : [answer]
}

function linesOf(text: string): readonly JsonObject[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come.
function ofReport({ error, warnings = [] }: any): readonly Told[] {
  return error === undefined ? warnings : [error, ...warnings]
}

/** Of an analysis, a conversion, or a form with files. */
// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come.
function ofStructures({ files = [], warnings = [], consistencyChecks = [], sites }: any): readonly Told[] {
  const checks = sites === undefined ? [] : consistencyChecks
  return [
    ...files.flatMap(ofReport),
    ...warnings,
    ...checks.map(({ name, message }: { name: string; message: string }) => ({ code: name, message })),
  ]
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come.
function ofOptimade({ errors = [], meta }: any): readonly Told[] {
  const refused = errors.map(({ code = '', detail }: { code?: string; detail: string }) => ({
    code: Number(code.replace('_quarry_', '')),
    message: detail,
  }))
  const warned = (meta.warnings ?? []).map(({ type, detail }: { type: string; detail: string }) => ({
    code: type,
    message: detail,
  }))
  return [...refused, ...warned]
}

test('there are hundreds of mistakes, and none twice', () => {
  const requests = ALL.flatMap(({ mistakes }) => mistakes.map(({ request }) => JSON.stringify(request)))
  expect(requests.length).toBeGreaterThan(600)
  expect(requests.filter((request, index) => requests.indexOf(request) !== index)).toEqual([])
})

for (const { who, mistakes } of ALL) {
  describe(`somebody ${who}`, () => {
    test.each(mistakes.map((mistake) => [mistake.meant, mistake] as const))('is told: %s', async (_, mistake) => {
      const told = await toldOf(mistake.request)
      expect(told.map(({ code }) => code)).toContain(mistake.code)
      const messages = told.filter(({ code }) => code === mistake.code).map(({ message }) => message)
      expect(messages.join('\n')).toContain(mistake.says)
    })
  })
}
