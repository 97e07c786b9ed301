import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { openServices, type Services } from '../../src/app/open-services.ts'
import { practise, warmUp } from '../../src/app/warm-up.ts'
import { HTTP_EVENTS } from '../../src/http/events.ts'
import { STORE_METRICS } from '../../src/store/metrics.ts'
import { logToLines } from '../support/log-lines.ts'
import { PUBLIC, planOf } from '../support/plans.ts'

let data: string
let services: Services
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'quarry-warm-'))
  services = await openServices(readConfig({ data, logLevel: 'silent' }, {}, null), { via: 'server' })
})
afterEach(async () => {
  await services.close()
  rmSync(data, { recursive: true, force: true })
})

describe('a server that has just started', () => {
  it('has done once what first requests would wait for, and has written nothing', async () => {
    await warmUp(services, 2)
    expect(services.records.work.metrics).toMatchObject({ threads: 2, done: 2 })
    expect(await services.store.metrics()).toContainEqual([STORE_METRICS.readerThreads, expect.toSatisfy(isSome)])
    for (const scope of [PUBLIC, { kind: 'operator' }] as const)
      expect(await services.store.records.count(planOf('materials', {}, {}, scope))).toBe(0)
  })

  it('tells where that fails, and answers all the same', async () => {
    const { log, lines } = logToLines()
    const kinds: Services['kinds'] = []
    await warmUp({ ...services, kinds, log }, 1)
    expect(lines).toEqual([expect.objectContaining({ event: HTTP_EVENTS.notWarmedUp.name, level: 'warn' })])
    await services.ping()
  })
})

function isSome(threads: number): boolean {
  return threads > 0
}

describe('a server in the quiet after its start', () => {
  it('practises creations, writes nothing, and ends when it is told to', async () => {
    const end = practise(services, { firstMs: 1, againMs: 1 })
    await expect.poll(() => services.records.work.metrics.done, { timeout: 20_000 }).toBeGreaterThan(5)
    await end()
    expect(services.records.work.metrics).toMatchObject({ busy: 0, waiting: 0 })
    expect(await services.store.records.count(planOf('materials', {}, {}, { kind: 'operator' }))).toBe(0)
  })

  it('leaves the threads to whoever makes records', async () => {
    const sites = Array.from(
      { length: 150 },
      (_, n) => `${(n * 0.618034) % 1} ${(n * 0.754877) % 1} ${(n * 0.56984) % 1}`,
    )
    const text = `many\n1\n40 0 0\n0 41 0\n0 0 42\nSi\n${sites.length}\nDirect\n${sites.join('\n')}\n`
    const made = services.records.work.run('analyze', 'ada', { file: { text, format: 'poscar' } })
    const end = practise(services, { firstMs: 1, againMs: 1 })
    await made
    expect(services.records.work.metrics.done).toBe(1)
    await end()
  })

  it('tells once where that fails', async () => {
    const { log, lines } = logToLines()
    const kinds: Services['kinds'] = []
    const end = practise({ ...services, kinds, log }, { firstMs: 1, againMs: 1 })
    await expect.poll(() => lines).toEqual([expect.objectContaining({ event: HTTP_EVENTS.notWarmedUp.name })])
    await end()
  })
})
