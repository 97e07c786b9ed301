import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STATION_CHANNEL, STATIONS, type Station, type StationEntered } from '../../src/http/passage.ts'
import { IS_ON_POSTGRES, type LiveServer, startServer } from './support/live-server.ts'
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
const FRAMEWORK: readonly Station[] = ['route', 'authenticate', 'handle']

describe('the stations of a request', () => {
  test('of a list that nobody has asked before are those of the fast lane', async () => {
    const { status, stations } = await stationsOf(() => server.call('GET', list(3)))
    expect(status).toBe(200)
    expect(stations).toEqual(['arrive', 'turn', 'identify', 'recall', 'parse', 'run', 'present', 'send'])
  })

  test('of an answer that is remembered are the fewest', async () => {
    await server.call('GET', list(4))
    const { stations } = await stationsOf(() => server.call('GET', list(4)))
    expect(stations).toEqual(['arrive', 'turn', 'identify', 'recall', 'send'])
  })

  test('of a list that was asked before a write begin behind its reading', async () => {
    await server.call('GET', list(5))
    await server.call('POST', 'materials', { body: material('of stations') })
    const { stations } = await stationsOf(() => server.call('GET', list(5)))
    expect(stations).toEqual(['arrive', 'turn', 'identify', 'recall', 'run', 'present', 'send'])
  })

  test('of a query that is refused are gone through by the framework, which says why', async () => {
    const { status, stations } = await stationsOf(() => server.call('GET', 'materials?query={"$no":1}'))
    expect(status).toBe(400)
    expect(stations.slice(0, 5)).toEqual(['arrive', 'turn', 'identify', 'recall', 'parse'])
    // The lane has waited for the refusal where it has to wait for the store.
    expect(stations.slice(5)).toEqual([...FRAMEWORK, ...(IS_ON_POSTGRES ? [] : ['parse']), 'send'])
  })

  test('of a list that counts are those of the framework, unless the lane waits for the store anyway', async () => {
    const { stations } = await stationsOf(() => server.call('GET', `${list(6)}&count=true`))
    const found = IS_ON_POSTGRES ? ['identify', 'recall', 'parse'] : FRAMEWORK
    expect(stations.slice(-6)).toEqual([...found, 'run', 'present', 'send'])
  })

  test('of a write are those of the framework', async () => {
    const body = material('a write')
    const { stations } = await stationsOf(() => server.call('POST', 'materials', { body }))
    const [route, authenticate, handle] = FRAMEWORK
    expect(stations).toEqual(['arrive', 'turn', 'identify', route, authenticate, 'admit', handle, 'send'])
  })

  test('are told of in ARCHITECTURE.md, in their order', () => {
    const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
    const table = text.slice(text.indexOf('| station |'), text.indexOf('## Rooms'))
    const told = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, station]) => station)
    expect(told).toEqual([...STATIONS])
  })
})

test('a list in the fast lane is counted and told with its route', async () => {
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
