import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STATION_CHANNEL, STATIONS, type Station, type StationEntered } from '../../src/http/exchange/context.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

const NOW = Date.now()
let server: LiveServer

beforeAll(async () => {
  // Sessions that were looked up hold for a second, which a busy machine may take for one request.
  server = await startServer({ clock: () => NOW })
  // The client is known from here on, and has what every account has from the start.
  await server.call('GET', 'materials?limit=1')
})
afterAll(() => server.close())

/** The stations that one request enters, in their order, with what came of it. */
async function stationsOf(ask: () => Promise<{ readonly status: number }>) {
  const entered: StationEntered[] = []
  const note = (message: unknown): void => void entered.push(message as StationEntered)
  subscribe(STATION_CHANNEL.name, note)
  try {
    const { status } = await ask()
    const times = entered.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(new Set(entered.map(({ request }) => request)).size).toBe(1)
    return { status, stations: entered.map(({ station }) => station) }
  } finally {
    unsubscribe(STATION_CHANNEL.name, note)
  }
}

const list = (n: number) => `materials?query=${encodeURIComponent(`{"nSites":{"$lt":${n}}}`)}`
/** What every request enters before and after its handler. */
const before: readonly Station[] = ['arrive', 'turn', 'route', 'authenticate', 'admit', 'body', 'handle']
const through = (...own: readonly Station[]) => [...before, ...own, 'send']

describe('the stations of a request', () => {
  test.each<[string, string, readonly Station[], number]>([
    ['of a list that nobody has asked before', list(3), ['recall', 'parse', 'run', 'present'], 200],
    ['of a list that counts', `${list(6)}&count=true`, ['recall', 'parse', 'run', 'present'], 200],
    ['of a query that is refused', 'materials?query={"$no":1}', ['recall', 'parse'], 400],
  ])('%s', async (_what, target, own, expected) => {
    const { status, stations } = await stationsOf(() => server.call('GET', target))
    expect(status).toBe(expected)
    expect(stations).toEqual(through(...own))
  })

  test('of an answer that is cached are the fewest', async () => {
    await server.call('GET', list(4))
    const { stations } = await stationsOf(() => server.call('GET', list(4)))
    expect(stations).toEqual(through('recall'))
  })

  test('of a list that was asked before a write begin behind its reading', async () => {
    await server.call('GET', list(5))
    await server.call('POST', 'materials', { body: material('of stations') })
    const { stations } = await stationsOf(() => server.call('GET', list(5)))
    expect(stations).toEqual(through('recall', 'run', 'present'))
  })

  test('of a write are those of every request', async () => {
    const body = material('a write')
    const { stations } = await stationsOf(() => server.call('POST', 'materials', { body }))
    expect(stations).toEqual(through())
  })

  test('of a wrong address end where it is looked for', async () => {
    const { stations } = await stationsOf(() => server.call('GET', '/nowhere'))
    expect(stations).toEqual(['arrive', 'turn', 'route', 'send'])
  })

  test('are told of in ARCHITECTURE.md, in their order', () => {
    const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
    const table = text.slice(text.indexOf('| station |'), text.indexOf('## Rooms'))
    const told = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, station]) => station)
    expect(told).toEqual([...STATIONS])
  })
})

test('a list is counted and told with its route', async () => {
  const before = await countOf('/api/2018-10-01/materials')
  await server.call('GET', list(7))
  await server.call('GET', list(7))
  expect((await countOf('/api/2018-10-01/materials')) - before).toBe(2)
})

async function countOf(route: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  const name = `quarry_http_requests_total{method="GET",route="${route}",status="2xx"} `
  const line = text.split('\n').find((one) => one.startsWith(name))
  return line === undefined ? 0 : Number(line.slice(name.length))
}
