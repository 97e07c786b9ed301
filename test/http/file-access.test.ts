import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { MAKERS } from './support/records.ts'

const CONTENT = 'free  energy   TOTEN'
const ETAG = 'W/"none"'

/** Who asks; the members of an organization in its account. */
const READERS = [
  'ada',
  'readOnly',
  'bob',
  'adaInLab',
  'bobInLab',
  'readOnlyOfOther',
  'guest',
  'disabled',
  'mixed',
] as const
type Reader = (typeof READERS)[number]

const RECORDS = ['private', 'public', 'private of the lab', 'public of the lab'] as const
type Which = (typeof RECORDS)[number]

const STRANGERS: readonly Reader[] = ['guest', 'disabled', 'mixed', 'readOnlyOfOther']
/** Who sees a private record; what is public, all who have a session. */
const SEEN_BY: Readonly<Record<Which, readonly Reader[]>> = {
  private: ['ada', 'readOnly'],
  public: READERS.filter((reader) => !STRANGERS.includes(reader)),
  'private of the lab': ['adaInLab', 'bobInLab'],
  'public of the lab': READERS.filter((reader) => !STRANGERS.includes(reader)),
}

interface Way {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly status: number
  /** What its body is; a HEAD has none. */
  readonly body?: RegExp
}

const WAYS: readonly Way[] = [
  { method: 'GET', path: 'files', status: 200, body: /"run\/OUTCAR"/ },
  { method: 'HEAD', path: 'files', status: 200 },
  { method: 'GET', path: 'files/run%2FOUTCAR', status: 200, body: /^free {2}energy {3}TOTEN$/ },
  { method: 'HEAD', path: 'files/run%2FOUTCAR', status: 200 },
  { method: 'GET', path: 'files/run%2FOUTCAR', headers: { range: 'bytes=6-11' }, status: 206, body: /^energy$/ },
  { method: 'HEAD', path: 'files/run%2FOUTCAR', headers: { range: 'bytes=6-11' }, status: 206 },
  { method: 'GET', path: 'files/run%2FOUTCAR', headers: { 'if-none-match': ETAG }, status: 304 },
  { method: 'GET', path: 'files.zip', status: 200, body: /^PK/ },
  { method: 'HEAD', path: 'files.zip', status: 200 },
]

const COLLECTIONS = Object.keys(MAKERS)

let server: LiveServer
let lab = ''
let etag = ''
const ids = new Map<string, string>()
const place = (collection: string, which: Which) => `${collection}/${ids.get(`${collection} ${which}`)}`

function headersOf(reader: Reader): Record<string, string> {
  const { credentials } = server
  if (reader === 'adaInLab') return { ...credentials.ada, 'x-account-id': lab }
  if (reader === 'bobInLab') return { ...credentials.bob, 'x-account-id': lab }
  // Who is no member of it.
  if (reader === 'readOnlyOfOther') return { ...credentials.readOnly, 'x-account-id': server.accountIds.bob }
  return credentials[reader as Actor]
}

beforeAll(async () => {
  server = await startServer()
  const made = await server.call('POST', 'accounts', { body: { name: 'lab', email: 'lab@example.org' } })
  lab = made.body.data._id
  await server.call('PUT', `accounts/${lab}/members/bob`, {})
  for (const collection of COLLECTIONS) for (const which of RECORDS) await prepare(collection, which)
})
afterAll(() => server.close())

async function prepare(collection: string, which: Which): Promise<void> {
  const headers = which.endsWith('lab') ? { 'x-account-id': lab } : {}
  const body = MAKERS[collection]?.(which, { isPublic: which.startsWith('public') })
  const { body: made } = await server.call('POST', collection, { body, headers })
  ids.set(`${collection} ${which}`, made.data._id)
  const put = await server.call('PUT', `${place(collection, which)}/files/run%2FOUTCAR`, { body: CONTENT, headers })
  expect([put.status, put.body.message]).toEqual([200, undefined])
  etag = `"${put.body.data.sha256}"`
}

describe.each(COLLECTIONS)('a file of %s', (collection) => {
  test.each(RECORDS)(
    'that are %s is read by whoever sees the record, in every way, and by nobody else',
    async (which) => {
      for (const reader of READERS) {
        const isSeen = SEEN_BY[which].includes(reader)
        const refused = STRANGERS.includes(reader) ? 401 : 404
        const record = await server.call('GET', place(collection, which), { as: 'guest', headers: headersOf(reader) })
        expect(record.status, reader).toBe(isSeen ? 200 : refused)
        for (const { method, path, headers = {}, status, body = /^$/ } of WAYS) {
          const sent = Object.fromEntries(
            Object.entries(headers).map(([name, text]) => [name, text === ETAG ? etag : text]),
          )
          const told = `${method} ${path} ${JSON.stringify(headers)} as ${reader}`
          const answer = await fetch(`${server.origin}${API_PREFIX}/${place(collection, which)}/${path}`, {
            method,
            headers: { ...headersOf(reader), ...sent },
          })
          const text = await answer.text()
          expect(answer.status, told).toBe(isSeen ? status : refused)
          if (isSeen) expect(text, told).toMatch(body)
          else expect([text.includes('energy'), answer.headers.get('etag')], told).toEqual([false, null])
        }
      }
    },
  )
})

test('a link to a file holds for as long as who has got it sees the record', async () => {
  const { body } = await server.call('POST', 'materials', { body: MAKERS['materials']?.('shown', { isPublic: true }) })
  const record = `materials/${body.data._id}`
  await server.call('PUT', `${record}/files/a.txt`, { body: CONTENT })
  const { data } = (await server.call('GET', `${record}/files`, { as: 'bob' })).body
  const status = async () => (await fetch(data[0].signedUrl)).status
  expect(await status()).toBe(200)
  await server.call('PATCH', record, { body: { isPublic: false } })
  expect(await status()).toBe(404)
})
