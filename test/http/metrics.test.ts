import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredMetrics } from '../../scripts/docs/metrics-page.ts'
import type { HttpSettings } from '../../src/http/settings.ts'
import { IS_ON_POSTGRES, type LiveServer, startServer } from './support/live-server.ts'
import { rawRequest } from './support/raw-request.ts'
import { material } from './support/records.ts'

/** What only the embedded store tells: of its file, its threads, and all that it has. */
const OF_THE_FILE =
  /^quarry_(database_bytes|wal_bytes|disk_free_bytes|storage_writable|segments|tail_records|long_reads_total|reader.*)$/

const open: LiveServer[] = []
async function serve(metrics: HttpSettings['metrics']): Promise<LiveServer> {
  const server = await startServer({ http: { metrics } })
  open.push(server)
  return server
}
afterAll(() => Promise.all(open.map((server) => server.close())))

/** Reads the text format; a line that is neither a comment nor a sample fails. */
async function readMetrics({ origin }: LiveServer): Promise<Map<string, number>> {
  const response = await fetch(`${origin}/metrics`)
  expect(response.status).toBe(200)
  const samples = new Map<string, number>()
  for (const line of (await response.text()).trimEnd().split('\n')) {
    if (line === '' || /^# (HELP \w+ \S.*|TYPE \w+ (counter|gauge|histogram))$/.test(line)) continue
    const [, name = '', value = ''] = /^(\w+(?:\{(?:\w+="[^"\\\n]*",?)+\})?) (\S+)$/.exec(line) ?? []
    expect([line, Number.isFinite(Number(value)) && name !== '']).toEqual([line, true])
    expect([name, samples.has(name)]).toEqual([name, false])
    samples.set(name, Number(value))
  }
  return samples
}

const LIST = 'method="GET",route="/api/2018-10-01/materials"'

describe('the metrics', () => {
  let server: LiveServer
  beforeAll(async () => {
    server = await serve('loopback')
  })

  test('count requests by route and class of status, aliases with their route', async () => {
    await server.call('GET', '/api/2018-10-01/materials?limit=1')
    await server.call('GET', '/2018-10-01/materials?limit=2')
    await server.call('GET', 'materials?limit=0')
    await server.call('GET', 'materials', { as: 'guest' })
    await server.call('GET', 'materials/nothing-there')
    const samples = await readMetrics(server)
    expect(samples.get(`quarry_http_requests_total{${LIST},status="2xx"}`)).toBe(2)
    expect(samples.get(`quarry_http_requests_total{${LIST},status="4xx"}`)).toBe(2)
    expect(
      samples.get('quarry_http_requests_total{method="GET",route="/api/2018-10-01/materials/:id",status="4xx"}'),
    ).toBe(1)
  })

  test('have a histogram of durations that agrees with the counts', async () => {
    const samples = await readMetrics(server)
    const bounds = ['0.001', '0.005', '0.025', '0.1', '0.5', '2.5', '+Inf']
    const buckets = bounds.map((le) => samples.get(`quarry_http_request_duration_seconds_bucket{${LIST},le="${le}"}`))
    expect(buckets).toEqual([...buckets].sort((a = 0, b = 0) => a - b))
    expect(buckets.at(-1)).toBe(4)
    expect(samples.get(`quarry_http_request_duration_seconds_count{${LIST}}`)).toBe(4)
    expect(samples.get(`quarry_http_request_duration_seconds_sum{${LIST}}`)).toBeGreaterThan(0)
  })

  test('count what no route takes under one name, whatever the client makes up', async () => {
    const before = await readMetrics(server)
    for (const path of ['/a', '/b', '/api/v9/c']) await server.call('GET', path)
    await server.call('PUT', 'materials')
    const after = await readMetrics(server)
    const name = 'quarry_http_requests_total{method="any",route="none",status="4xx"}'
    expect((after.get(name) ?? 0) - (before.get(name) ?? 0)).toBe(4)
    expect([...after.keys()].filter((key) => key.includes('v9'))).toEqual([])
  })

  test('count answers that are remembered', async () => {
    for (let time = 0; time < 4; time++) await server.call('GET', 'methods?limit=3')
    const samples = await readMetrics(server)
    const regular = samples.get('quarry_http_requests_total{method="GET",route="/api/2018-10-01/methods",status="2xx"}')
    const remembered = samples.get('quarry_http_requests_total{method="GET",route="fast-lane",status="2xx"}')
    expect((regular ?? 0) + (remembered ?? 0)).toBe(4)
  })

  test('tell of the process', async () => {
    const samples = await readMetrics(server)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(samples.get('process_cpu_user_seconds_total')).toBeGreaterThan(0)
    expect(samples.get('process_start_time_seconds')).toBeCloseTo(Date.now() / 1000 - process.uptime(), -1)
    expect(samples.get('nodejs_eventloop_utilization')).toBeLessThanOrEqual(1)
  })

  test('tell of the delay of the event loop from the second reading on', async () => {
    await readMetrics(server)
    const longest = async () => (await readMetrics(server)).get('nodejs_eventloop_lag_max_seconds')
    await expect.poll(longest).toBeGreaterThan(0)
  })

  test('are text of Prometheus that nothing keeps and no other page reads', async () => {
    const response = await fetch(`${server.origin}/metrics`)
    await response.text()
    const { headers } = response
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'are refused when %s says that a proxy asks',
    async (name) => {
      const { status, body } = await server.call('GET', '/metrics', { as: 'guest', headers: { [name]: '192.0.2.7' } })
      expect([status, body.code]).toEqual([403, 40330])
      expect(body.data.hint).toContain('QUARRY_METRICS=public')
    },
  )

  test('have every metric of the reference, under the kind that it has there', async () => {
    for (let time = 0; time < 3; time++) await server.call('GET', 'materials?limit=4')
    const text = await (await fetch(`${server.origin}/metrics`)).text()
    const kinds = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => [name, kind] as const)
    const specs = (await declaredMetrics()).map(({ spec }) => [spec.name, spec.kind] as const)
    const own = kinds.filter(([name]) => name.startsWith('quarry_'))
    expect(own.filter(([name, kind]) => !specs.some((spec) => spec[0] === name && spec[1] === kind))).toEqual([])
    // Of these there is nothing to tell yet: no pool runs here.
    const absent = /^quarry_(pool_.*|events_total)$/
    const isAbsent = (name: string) => absent.test(name) || (IS_ON_POSTGRES && OF_THE_FILE.test(name))
    const found = kinds.map(([name]) => name)
    const unread = specs.map(([name]) => name).filter((name) => !found.includes(name) && !isAbsent(name))
    expect(unread, `declared, and read nowhere: ${unread.join(', ')}`).toEqual([])
  })

  test('count refusals by their code, also those that no route has seen', async () => {
    const before = await readMetrics(server)
    const grown = async (code: number) => {
      const name = `quarry_http_refusals_total{code="${code}"}`
      return ((await readMetrics(server)).get(name) ?? 0) - (before.get(name) ?? 0)
    }
    const { body } = await server.call('GET', 'materials/nothing-there')
    await server.call('GET', '/nowhere')
    await rawRequest(server.port, 'FOO\r\n\r\n')
    expect([await grown(body.code), await grown(40401), await grown(40030)]).toEqual([1, 1, 1])
  })

  test('tell how pages were found, what was remembered and what was written', async () => {
    const before = await readMetrics(server)
    await server.call('POST', 'materials', { body: material('counted') })
    for (let time = 0; time < 3; time++) await server.call('GET', 'materials?query={"name":"counted"}')
    const after = await readMetrics(server)
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    const pages = [...after.keys()].filter((name) => name.startsWith('quarry_pages_total{'))
    expect(pages.reduce((sum, name) => sum + grown(name), 0)).toBeGreaterThan(0)
    expect(grown('quarry_answer_cache_total{outcome="found"}')).toBeGreaterThan(0)
    expect(grown('quarry_writes_total')).toBeGreaterThan(0)
    expect(after.get('quarry_writer_waiting')).toBe(0)
    const sizes = ['quarry_database_bytes', 'quarry_disk_free_bytes'].map((name) => (after.get(name) ?? 0) > 10_000)
    expect(sizes).toEqual(IS_ON_POSTGRES ? [false, false] : [true, true])
  })

  test('take no parameters', async () => {
    expect((await server.call('GET', '/metrics?name=x')).body.code).toBe(40032)
  })
})

test('metrics that are public are for everybody', async () => {
  const { origin } = await serve('public')
  const response = await fetch(`${origin}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.7' } })
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('process_')])
})

test('metrics that are off are nowhere, and the server serves', async () => {
  const server = await serve('off')
  expect((await server.call('GET', '/metrics')).body.code).toBe(40401)
  expect((await server.call('GET', 'materials')).status).toBe(200)
})
