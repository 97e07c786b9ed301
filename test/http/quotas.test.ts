import { describe, expect, test } from 'vitest'
import { Quotas } from '../../src/http/bounds/quotas.ts'
import { startServer } from './support/live-server.ts'

/** Quotas with a clock that a test moves on, in seconds. */
function withClock(limits: { requests: number; cpu: number }) {
  let time = 0
  const quotas = new Quotas(limits, () => time)
  return {
    quotas,
    pass: (seconds: number) => {
      time += seconds * 1000
    },
  }
}

describe('a minute', () => {
  test('begins with the first request of a user, and has so many requests', () => {
    const { quotas, pass } = withClock({ requests: 3, cpu: 0 })
    expect([1, 2, 3, 4].map(() => quotas.count('ada'))).toEqual([true, true, true, false])
    expect(quotas.count('bob')).toBe(true)
    pass(40)
    expect(quotas.refusalOf('ada')).toMatchObject({
      code: 42932,
      data: { quota: 'requests', limit: 3, retryAfterSeconds: 20 },
    })
    pass(20)
    expect(quotas.count('ada')).toBe(true)
    expect(quotas.refused).toEqual({ requests: 1, cpu: 0 })
  })

  test('has so much processor time, and what was had beyond it is paid in the next ones', () => {
    const { quotas, pass } = withClock({ requests: 0, cpu: 1000 })
    expect(quotas.count('ada')).toBe(true)
    quotas.spend('ada', 2500)
    expect(quotas.count('ada')).toBe(false)
    expect(quotas.refusalOf('ada')).toMatchObject({ data: { quota: 'cpu', limit: 1000, retryAfterSeconds: 120 } })
    pass(60)
    expect(quotas.count('ada')).toBe(false)
    pass(60)
    expect(quotas.count('ada')).toBe(true)
    expect(quotas.headersFor('ada')).toEqual([
      'ratelimit-limit',
      '1000',
      'ratelimit-remaining',
      '500',
      'ratelimit-reset',
      '60',
    ])
  })

  test('ends on the moment, and a quota of processor time when all of it was had', () => {
    const { quotas, pass } = withClock({ requests: 1, cpu: 1000 })
    expect([quotas.count('ada'), quotas.count('ada')]).toEqual([true, false])
    pass(59.999)
    expect(quotas.count('ada')).toBe(false)
    pass(0.001)
    quotas.spend('ada', 1000)
    expect(quotas.refusalOf('ada')).toMatchObject({ data: { quota: 'cpu', retryAfterSeconds: 60 } })
  })
})

describe('of more users than are kept', () => {
  const come = (quotas: Quotas, users: number, name: string) => {
    for (let n = 0; n < users; n++) quotas.count(`${name}${n}`)
  }

  test('those are forgotten whose minute is over, and not those who still owe', () => {
    const { quotas, pass } = withClock({ requests: 0, cpu: 1000 })
    quotas.spend('owes', 5000)
    come(quotas, 9_999, 'early')
    expect(quotas.known).toBe(10_000)
    pass(59)
    come(quotas, 1, 'late')
    expect(quotas.known).toBe(10_001)
    pass(1)
    come(quotas, 1, 'later')
    expect(quotas.known).toBe(3)
    expect([quotas.count('owes'), quotas.count('early0')]).toEqual([false, true])
    pass(300)
    come(quotas, 10_000, 'last')
    expect(quotas.known).toBe(10_000)
  })
})

test('headers tell of the quota that is nearest to its end', () => {
  const { quotas } = withClock({ requests: 10, cpu: 1000 })
  quotas.count('ada')
  expect(quotas.headersFor('ada').slice(0, 4)).toEqual(['ratelimit-limit', '10', 'ratelimit-remaining', '9'])
  quotas.spend('ada', 400)
  expect(quotas.headersFor('ada').slice(0, 4)).toEqual(['ratelimit-limit', '1000', 'ratelimit-remaining', '600'])
})

test('a server without quotas says nothing of them', async () => {
  const server = await startServer()
  try {
    const { headers } = await server.call('GET', 'materials?limit=1')
    expect(headers.get('ratelimit-limit')).toBeNull()
  } finally {
    await server.close()
  }
})

test('a user beyond the quota of requests is told when to come again, on both ways, and others are not', async () => {
  const server = await startServer({ http: { quotaRequests: 6, metrics: 'loopback' } })
  try {
    const left: (string | null)[] = []
    const get = async () => {
      const { status, body, headers } = await server.call('GET', 'materials?limit=1')
      left.push(headers.get('ratelimit-remaining'))
      return { status, code: body.code, wait: headers.get('retry-after'), limit: headers.get('ratelimit-limit') }
    }
    const answers = []
    for (let n = 0; n < 8; n++) answers.push(await get())
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
    expect(left).toEqual(['5', '4', '3', '2', '1', '0', '0', '0'])
    const { code, wait, limit } = answers[7] ?? {}
    expect([code, limit]).toEqual([42932, '6'])
    expect(Number(wait)).toBeGreaterThan(50)
    expect((await server.call('GET', 'materials?limit=1', { as: 'bob' })).status).toBe(200)
    const metrics = await (await fetch(`${server.origin}/metrics`)).text()
    expect(metrics).toMatch(/^quarry_http_quota_refused_total\{quota="requests"\} 2$/m)
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
  } finally {
    await server.close()
  }
})

test('what long queries and structures take counts for the quota of processor time', async () => {
  const server = await startServer({ http: { quotaCpuMs: 100_000 } })
  try {
    const before = await server.call('GET', 'materials?limit=1')
    const content = '2\nLattice="4 0 0 0 4 0 0 0 4"\nCs 0 0 0\nCl 2 2 2\n'
    const analyzed = await server.call('POST', 'structures/analyze', { body: { content, format: 'xyz' } })
    expect(analyzed.status).toBe(200)
    const after = await server.call('GET', 'materials?limit=1')
    const left = ({ headers }: typeof before) => Number(headers.get('ratelimit-remaining'))
    expect(after.headers.get('ratelimit-limit')).toBe('100000')
    expect(left(after)).toBeLessThan(left(before))
    server.services.spending.note('somebody else', 100_000)
    expect((await server.call('GET', 'materials?limit=1')).status).toBe(200)
    const { user } = (await server.call('GET', 'users/me')).body.data
    server.services.spending.note(user.entity._id, 200_000)
    expect((await server.call('GET', 'materials?limit=1')).body).toMatchObject({ code: 42932, data: { quota: 'cpu' } })
  } finally {
    await server.close()
  }
})
