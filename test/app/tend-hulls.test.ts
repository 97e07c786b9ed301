import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Session } from '../../src/accounts/session.ts'
import { createUser } from '../../src/accounts/users.ts'
import { readConfig } from '../../src/app/config.ts'
import { openServices, type Services } from '../../src/app/open-services.ts'
import { tendHulls } from '../../src/app/tend-hulls.ts'
import { operatorSession } from '../../src/cli/console/operator-session.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { propertyKind } from '../../src/records/kinds/property/property-kind.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { countRecomputed } from '../../src/records/use-cases/recompute.ts'
import { compound } from '../http/support/compounds.ts'
import { logToLines } from '../support/log-lines.ts'

const SOON = { firstMs: 0, againMs: 20, quietMs: 10, mostMs: 100 }
const LATER = { ...SOON, firstMs: 1e6, againMs: 1e6 }

let directory: string
const ends: (() => Promise<void>)[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-hulls-'))
})
afterEach(async () => {
  await endAll()
  rmSync(directory, { recursive: true })
})

async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

async function open(): Promise<Services> {
  const config = readConfig(
    { data: directory, symmetry: 'off', passwordMemoryKib: '1024', workerThreads: '1' },
    {},
    null,
  )
  const services = await openServices(config)
  ends.push(() => services.close())
  return services
}

function tend(services: Services, times = SOON): void {
  ends.push(tendHulls(services, times))
}

async function adaIn(services: Services): Promise<Session> {
  await createUser(services.accounts, { name: 'ada', password: 'correct horse battery' })
  return operatorSession(services.accounts, 'ada')
}

async function add(services: Services, session: Session, composition: Record<string, number>, value: number) {
  const { records: deps } = services
  const { id } = await createRecord({ deps, kind: materialKind, session }, compound(composition) as never)
  await createRecord(
    { deps, kind: propertyKind, session },
    { data: { name: 'total_energy', value, units: 'eV' }, exabyteId: id, group: 'vasp:dft:gga:pbe' },
  )
  return id
}

const withHulls = (services: Services, value: object = { $exists: true }) =>
  countRecomputed(services.records, 'materials', { 'properties.energy_above_hull.value': value as never })

it('what was written before a server ended, or by others, is settled after its start', async () => {
  const first = await open()
  const session = await adaIn(first)
  for (const [element, energy] of Object.entries({ Na: -1, Cl: -2 }))
    await add(first, session, { [element]: 1 }, energy)
  await add(first, session, { Na: 1, Cl: 1 }, -7)
  expect(await withHulls(first)).toBe(0)
  await endAll()
  const second = await open()
  const { log, lines } = logToLines()
  tend({ ...second, log })
  await expect.poll(() => withHulls(second)).toBe(3)
  const mark = () => second.store.readMark(`hulls ${session.account.id}`)
  await expect.poll(mark).not.toBeNull()
  await expect.poll(() => lines).toContainEqual(expect.objectContaining({ event: 'hulls.settled', count: 3 }))
  await endAll()
  const third = await open()
  tend(third)
  tend(third)
  await add(third, await operatorSession(third.accounts, 'ada'), { Na: 3, Cl: 1 }, -30)
  await expect.poll(() => withHulls(third, { $gt: 0 })).toBe(1)
})

it('what changes is settled soon after it has changed, without a look at all', async () => {
  const services = await open()
  const session = await adaIn(services)
  tend(services, LATER)
  await add(services, session, { Li: 1 }, -1)
  await expect.poll(() => withHulls(services, { $gte: 0 })).toBe(1)
  await add(services, session, { F: 1 }, -1)
  await add(services, session, { Li: 1, F: 1 }, -9)
  await expect.poll(() => withHulls(services, { $gte: 0 })).toBe(3)
})

it('what another process had its turn at, and is gone, is settled when its turn is over', async () => {
  const services = await open()
  await add(services, await adaIn(services), { Li: 1 }, -1)
  await services.store.writeMark('hulls', `gone ${Date.now() + 1_000}`)
  tend(services, { ...LATER, firstMs: 0 })
  await expect.poll(() => withHulls(services, { $gte: 0 })).toBe(1)
})
