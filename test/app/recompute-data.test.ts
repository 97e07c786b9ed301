import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { readConfig } from '../../src/app/config.ts'
import { openServices, type Services } from '../../src/app/open-services.ts'
import { recomputeData } from '../../src/app/recompute-data.ts'
import { tendSymmetry } from '../../src/app/tend-symmetry.ts'
import { operatorSession } from '../../src/cli/console/operator-session.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { countRecomputed } from '../../src/records/use-cases/recompute.ts'
import { material } from '../http/support/records.ts'

let directory: string
const opened: Services[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-recompute-'))
})
afterEach(async () => {
  for (const services of opened.splice(0)) await services.close()
  rmSync(directory, { recursive: true })
})

async function open(symmetry: 'on' | 'off' = 'on'): Promise<Services> {
  const config = readConfig({ data: directory, symmetry, passwordMemoryKib: '1024', workerThreads: '1' }, {}, null)
  const services = await openServices(config)
  opened.push(services)
  return services
}

/** Stores materials without their symmetry. */
async function fill(count: number): Promise<void> {
  const services = await open('off')
  await createUser(services.accounts, { name: 'ada', password: 'correct horse battery' })
  const session = await operatorSession(services.accounts, 'ada')
  for (let n = 0; n < count; n++) {
    await createRecord(
      { deps: services.records, kind: materialKind, session },
      material(`crystal ${n}`, {}, 3.8 + n / 100) as never,
    )
  }
}

const withSymmetry = (services: Services) =>
  countRecomputed(services.records, 'materials', { 'spaceGroup.number': 227 })

describe('recomputing all data', () => {
  const about = { kinds: [materialKind], keepsSymmetry: false }

  it('tells how far it is, and goes on where it was interrupted', async () => {
    await fill(130)
    const first = await open()
    const told: number[] = []
    for await (const { seen, total } of recomputeData(first, about)) {
      told.push(seen)
      expect(total).toBe(130)
      if (seen >= 100) break
    }
    expect(told).toEqual([0, 100])
    expect(await withSymmetry(first)).toBe(100)
    const again: { seen: number; changed: number }[] = []
    for await (const { seen, changed } of recomputeData(await open(), about)) again.push({ seen, changed })
    expect(again[0]).toEqual({ seen: 100, changed: 100 })
    expect(again.at(-1)).toEqual({ seen: 130, changed: 130 })
    expect(await withSymmetry(first)).toBe(130)
  })

  it('is in the audit, record by record, as what whoever runs it has done', async () => {
    await fill(3)
    const services = await open()
    for await (const _step of recomputeData(services, about));
    const rows = await services.store.audit.read({ action: 'record.recomputed', limit: 10 })
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(row).toMatchObject({ kind: 'materials', version: 2, via: 'command', address: `os:${userInfo().username}` })
    }
    // What is as it was is not written, and is no deed.
    for await (const _step of recomputeData(services, about));
    expect(await services.store.audit.read({ action: 'record.recomputed', limit: 10 })).toHaveLength(3)
  })

  it('begins anew when something else is asked for, and when it was done', async () => {
    await fill(101)
    const services = await open()
    for await (const { seen } of recomputeData(services, about)) if (seen > 0) break
    const begun = async (keepsSymmetry: boolean) => {
      for await (const { seen } of recomputeData(services, { ...about, keepsSymmetry })) return seen
      return null
    }
    expect(await begun(true)).toBe(0)
    for await (const _ of recomputeData(services, about));
    expect(await begun(false)).toBe(0)
  })
})

describe('a server that tends symmetry', () => {
  const soon = { firstMs: 1, againMs: 20 }

  it('finds in the background what is missing, once for all processes over the data', async () => {
    await fill(60)
    const servers = [await open(), await open()]
    const config = { symmetry: 'on', symmetryTimeMs: 2000 } as const
    const ends = servers.map((services) => tendSymmetry(services, config, soon))
    await expect.poll(() => withSymmetry(servers[0] as Services), { timeout: 50_000 }).toBe(60)
    await Promise.all(ends.map((end) => end()))
    const done = servers.map(({ records }) => records.work.metrics.done)
    expect(Math.min(...done)).toBe(0)
  })

  it('does nothing where symmetry is switched off', async () => {
    await fill(1)
    const services = await open('off')
    const end = tendSymmetry(services, { symmetry: 'off', symmetryTimeMs: 2000 }, soon)
    await end()
    expect(services.records.work.metrics.done).toBe(0)
  })
})
