import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { readConfig } from '../../src/app/config.ts'
import { openServices, type Services } from '../../src/app/open-services.ts'
import { tendBulkChanges } from '../../src/app/tend-bulk-changes.ts'
import { operatorSession } from '../../src/cli/console/operator-session.ts'
import type { Log } from '../../src/kernel/log.ts'
import { EVERYTHING } from '../../src/query/ast/filter.ts'
import { methodKind } from '../../src/records/kinds/plain-kinds.ts'
import { changeMany } from '../../src/records/use-cases/begin-task.ts'
import { readTask } from '../../src/records/use-cases/bulk-tasks.ts'
import { tasksOf } from '../../src/records/use-cases/noted-tasks.ts'
import { insertEach } from '../../src/records/use-cases/write-record.ts'
import { logToLines } from '../support/log-lines.ts'

const SOON = { firstMs: 0, againMs: 20, pauseMs: 1, turnMs: 1_000 }
const WHEN_NOTED = { ...SOON, firstMs: 1e6, againMs: 1e6 }
const MANY = 1_200

let directory: string
const ends: (() => Promise<void>)[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-bulk-'))
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  rmSync(directory, { recursive: true })
})

async function open(log?: Log): Promise<Services> {
  const terms = { data: directory, symmetry: 'off', passwordMemoryKib: '1024', workerThreads: '1' } as const
  const services = await openServices(readConfig(terms, {}, null))
  ends.push(() => services.close())
  return log === undefined ? services : { ...services, log }
}

/** Begins a change of many methods of a user; gives how it stands. */
async function begin(services: Services, name: string) {
  const { records: deps } = services
  await createUser(services.accounts, { name, password: 'correct horse battery' })
  const session = await operatorSession(services.accounts, name)
  const rows = Array.from({ length: MANY }, (_, index) => {
    const _id = `${name}-${index}`
    const text = JSON.stringify({
      _id,
      name: _id,
      type: 'pseudopotential',
      subtype: 'us',
      owner: { _id: session.account.id },
    })
    return { collection: 'methods', id: _id, isPublic: false, text, before: null, after: null }
  })
  await insertEach(deps, { accountId: session.account.id, by: undefined }, rows as never)
  const request = { meant: { filter: EVERYTHING }, change: { rank: 1 }, dryRun: false }
  const answer = await changeMany({ deps, kind: methodKind, session }, request)
  if (!('task' in answer)) throw new Error('it was done at once')
  return async () => (await readTask(deps, session.account.id, answer.task._id))?.told
}

const tend = (services: Services, times = SOON) => ends.push(tendBulkChanges(services, times))

it('a change is carried out as soon as it is asked for, and the log tells of its end', async () => {
  const { log, lines } = logToLines()
  const services = await open(log)
  tend(services, WHEN_NOTED)
  const told = await begin(services, 'ada')
  await expect.poll(told).toMatchObject({ state: 'done', done: MANY, count: MANY })
  await expect.poll(() => lines.filter(({ event }) => event === 'bulk-change.ended')).toHaveLength(1)
})

it('what a process has left under way is gone on with by the next one', async () => {
  const services = await open()
  const told = await begin(services, 'ada')
  tend(services)
  await expect.poll(told).toMatchObject({ state: 'done', count: MANY })
})

it('changes of several accounts go on in turns', async () => {
  const services = await open()
  const [ada, bob] = [await begin(services, 'ada'), await begin(services, 'bob')]
  const order: string[] = []
  const apply = services.records.store.apply.bind(services.records.store)
  services.records.store.apply = (changes, by, once) => {
    const account = changes[0]?.accountId ?? ''
    if (changes[0]?.collection === 'methods') order.push(account)
    return apply(changes, by, once)
  }
  tend(services)
  tasksOf(services.records.store).note()
  await expect.poll(ada).toMatchObject({ state: 'done' })
  await expect.poll(bob).toMatchObject({ state: 'done' })
  expect(order).toHaveLength(6)
  expect(order.slice(0, 2)).not.toEqual([order[0], order[0]])
})

it('a process leaves it to the one whose turn it is, and takes over when that turn is over', async () => {
  const services = await open()
  const told = await begin(services, 'ada')
  await services.store.writeMark('bulk-changes', `other ${Date.now() + 500}`)
  tend(services)
  await expect.poll(told).toMatchObject({ state: 'done' })
})

it('a process keeps its turn while a portion lasts longer than that', async () => {
  const services = await open()
  const told = await begin(services, 'ada')
  const { store } = services.records
  let goOn: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  store.read = ((read) => async (collection, scope, id) => {
    if (collection === 'methods') await held
    return read(collection, scope, id)
  })(store.read.bind(store))
  const mark = async () => (await services.store.readMark('bulk-changes'))?.split(' ') ?? []
  const until = async () => Number((await mark())[1] ?? 0)
  tend(services, { ...SOON, turnMs: 200 })
  await expect.poll(until).toBeGreaterThan(0)
  const [holder, first] = await mark()
  await expect.poll(until).toBeGreaterThan(Number(first) + 600)
  expect((await mark())[0]).toBe(holder)
  goOn()
  await expect.poll(told).toMatchObject({ state: 'done', count: MANY })
})

it('a portion that fails is tried again, and a fault that stays ends the change', async () => {
  const { log, lines } = logToLines()
  const services = await open(log)
  const told = await begin(services, 'ada')
  services.records.store.read = ((read) => async (collection, scope, id) => {
    if (collection === 'methods') throw new Error('a fault')
    return read(collection, scope, id)
  })(services.records.store.read.bind(services.records.store))
  tend(services)
  await expect.poll(told).toMatchObject({ state: 'failed', done: 0, undo: null })
  expect(lines.filter(({ event }) => event === 'bulk-change.stopped')).toHaveLength(5)
})
