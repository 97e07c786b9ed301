import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isOf } from '../../src/kernel/errors.ts'
import { STORE_ERRORS } from '../../src/store/errors.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-store.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { giveToServer, type PostgresProcess, programs, startPostgresIn } from '../support/postgres-process.ts'
import { CAN_MOUNT, mountSmallDisk } from '../support/small-disk.ts'

const MOST_CONNECTIONS = 24
const PATIENT = { timeout: 30_000, interval: 100 }
const OUT_OF_REACH = { code: 50306, data: { retryAfterSeconds: 1 } }
const NOT_WRITTEN = { code: 50303, data: { retryAfterSeconds: 1 } }
const CHILD = fileURLToPath(new URL('./postgres-writing-child.ts', import.meta.url))

/** What comes of it, where it does not fail. */
const orNull = <T>(result: Promise<T>): Promise<T | null> =>
  result.then(
    (found) => found,
    () => null,
  )

/** Over a server of its own, which waits for its disk. */
describe.skipIf(programs() === null)('a store whose PostgreSQL server (skipped where none is installed)', () => {
  let server: PostgresProcess
  let sql: Sql
  let url: string
  let last = 0
  const opened: Store[] = []

  beforeAll(async () => {
    const settings = ['jit=off', `max_connections=${MOST_CONNECTIONS}`]
    server = await startPostgresIn(mkdtempSync(join(tmpdir(), 'quarry-pg-')), { settings, isKept: false })
    sql = connect({ url: server.url, connections: 2, statementTimeoutMs: 0 })
  })
  afterAll(async () => {
    await sql.end()
    await server.stop()
  })
  beforeEach(() => create())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await sql.unsafe(`DROP DATABASE faults_${last} WITH (FORCE)`)
  })

  async function create(where = ''): Promise<void> {
    last += 1
    await sql.unsafe(`CREATE DATABASE faults_${last} ${where}`)
    url = server.url.replace('/postgres', `/faults_${last}`)
  }
  async function open(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
    const store = await openPostgresStore({ url, ...options })
    opened.push(store)
    return store
  }

  const ALICE = accountScope('alice')
  const write = (store: Store, id: string, accountId = 'alice') =>
    store.records.apply([insertion('c', id, { name: id }, { accountId })])
  const find = async (store: Store) =>
    documentsOf(await store.records.find(planOf('c', {}, { limit: 500 }, ALICE))).map(({ name }) => String(name))
  const backends = async () => {
    const rows = await sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE datname = ${`faults_${last}`}`
    return rows.map(({ pid }) => pid)
  }
  const all = (signal: NodeJS.Signals, pids: readonly number[]) => {
    for (const pid of pids) process.kill(pid, signal)
  }

  /** Writes one after the other until it is enough, each again until it is told what became of it; says what is there, in order. */
  async function writeOn(store: Store, writer: string, isEnough: () => boolean, told: string[]): Promise<string[]> {
    const mine: string[] = []
    for (let at = 0; !isEnough(); at += 1) {
      const id = `${writer}-${at}`
      let isUnknown = false
      for (;;) {
        const outcome = await write(store, id).then(
          ([result]) => result?.outcome,
          (error: unknown) => error,
        )
        // Of what was told not to be kept, nothing is there.
        if (outcome === 'done' || (outcome === 'exists' && isUnknown)) break
        if (isOf(STORE_ERRORS.outcomeUnknown, outcome)) isUnknown = true
        else expect(outcome).toMatchObject(NOT_WRITTEN)
      }
      mine.push(id)
      told.push(id)
    }
    return mine
  }

  async function expectAllOnce(written: readonly (readonly string[])[]): Promise<void> {
    const store = await open()
    const found = await find(store)
    for (const [writer, ids] of written.entries()) {
      expect(found.filter((name) => name.startsWith(`${writer}-`))).toEqual(ids)
    }
    expect(found).toHaveLength(written.flat().length)
    expect(await store.check(() => {})).toEqual([])
  }

  it.each([
    ['one of its processes is killed', async () => all('SIGKILL', (await backends()).slice(0, 1))],
    [
      'is killed, and started again',
      async () => {
        all('SIGKILL', [server.pid])
        await server.startAgain()
      },
    ],
  ])('%s, loses nothing and doubles nothing', async (_what, kill) => {
    const stores = [await open(), await open()]
    const told: string[] = []
    let isOver = false
    const writing = Array.from({ length: 6 }, (_, writer) =>
      writeOn(stores[writer % 2] as Store, `${writer}`, () => isOver, told),
    )
    for (const enough of [20, 60]) {
      await expect.poll(() => told.length, PATIENT).toBeGreaterThan(enough)
      await kill()
    }
    const before = told.length
    await expect.poll(() => told.length, PATIENT).toBeGreaterThan(before + 20)
    isOver = true
    await expectAllOnce(await Promise.all(writing))
  })

  it('stands still is not waited for longer than a query or a write may take, and is there again when it goes on', async () => {
    const store = await open({ timeBudgetMs: 300, writeTimeoutMs: 300 })
    await write(store, 'first')
    const pids = [server.pid, ...(await backends())]
    all('SIGSTOP', pids)
    try {
      await expect(find(store)).rejects.toMatchObject(OUT_OF_REACH)
      await expect(write(store, 'lost')).rejects.toMatchObject(NOT_WRITTEN)
      await expect(store.ping()).rejects.toMatchObject(OUT_OF_REACH)
      await expect(find(store)).rejects.toMatchObject(OUT_OF_REACH)
    } finally {
      all('SIGCONT', pids)
    }
    await expect.poll(() => orNull(find(store)), PATIENT).toEqual(['first'])
    await expect.poll(() => orNull(write(store, 'second')), PATIENT).toMatchObject([{ outcome: 'done' }])
    expect(await find(store)).toEqual(['first', 'second'])
  })

  it('waits for a lock of somebody else is given up by the writer in time', async () => {
    const store = await open({ writeTimeoutMs: 300 })
    await write(store, 'first')
    const holding = connect({ url, connections: 1, statementTimeoutMs: 0 })
    await holding.begin(async (transaction) => {
      await transaction`SELECT 1 FROM home WHERE home = 'alice' FOR UPDATE`
      await expect(write(store, 'second')).rejects.toMatchObject(NOT_WRITTEN)
      expect(await write(store, 'other', 'bob')).toMatchObject([{ outcome: 'done' }])
      expect(await find(store)).toEqual(['first'])
    })
    await holding.end()
    expect(await write(store, 'second')).toMatchObject([{ outcome: 'done' }])
    expect(await find(store)).toEqual(['first', 'second'])
  })

  it('takes no more connections is asked again when it does', async () => {
    const store = await open()
    await write(store, 'first')
    const hogs: Sql[] = []
    const hog = async () => {
      const one = connect({ url: server.url, connections: 1, statementTimeoutMs: 0 })
      hogs.push(one)
      return one`SELECT 1`.then(
        () => true,
        () => false,
      )
    }
    const takeAll = async () => {
      while (await hog()) expect(hogs.length).toBeLessThan(2 * MOST_CONNECTIONS)
    }
    try {
      await takeAll()
      all('SIGTERM', await backends())
      await expect.poll(backends).toEqual([])
      await takeAll()
      await expect(find(store)).rejects.toMatchObject(OUT_OF_REACH)
      await expect(write(store, 'second')).rejects.toMatchObject(NOT_WRITTEN)
    } finally {
      await Promise.all(hogs.map((one) => one.end({ timeout: 1 })))
    }
    await expect.poll(() => orNull(write(store, 'second')), PATIENT).toMatchObject([{ outcome: 'done' }])
    expect(await find(store)).toEqual(['first', 'second'])
  })

  it.skipIf(!CAN_MOUNT)(
    'has a full disk (which takes root to mount) says so, and takes writes when there is room',
    async () => {
      const disk = mountSmallDisk(48)
      try {
        giveToServer(disk.directory)
        await sql.unsafe(`CREATE TABLESPACE small LOCATION '${disk.directory}'`)
        await sql.unsafe(`DROP DATABASE faults_${last}`)
        await create('TABLESPACE small')
        const store = await open()
        await write(store, 'first')
        disk.fill(64 * 1024)
        const incompressible = randomBytes(600_000).toString('base64')
        const large = (id: string) =>
          store.records.apply([insertion('c', id, { name: id, text: incompressible }, { accountId: 'alice' })])
        await expect(large('large')).rejects.toMatchObject({ code: 50701 })
        expect(await find(store)).toEqual(['first'])
        disk.empty()
        expect(await large('large')).toMatchObject([{ outcome: 'done' }])
        expect(await find(store)).toEqual(['first', 'large'])
        await Promise.all(opened.splice(0).map((one) => one.close()))
        await sql.unsafe(`DROP DATABASE faults_${last} WITH (FORCE)`)
        await sql.unsafe('DROP TABLESPACE small')
        await create()
      } finally {
        disk.remove()
      }
    },
  )

  it('has clients whose clocks jump keeps their order all the same', async () => {
    const year = 365 * 86_400_000
    let now = Date.now()
    const stores = [await open({ clock: () => now }), await open({ clock: () => now - year })]
    const ids = Array.from({ length: 40 }, (_, at) => `${at}`)
    for (const [at, id] of ids.entries()) {
      now += at % 3 === 0 ? year : -year / 2
      await write(stores[at % 2] as Store, id)
      expect((await find(stores[(at + 1) % 2] as Store)).at(-1)).toBe(id)
    }
    for (const store of stores) expect(await find(store)).toEqual(ids)
    expect(await (stores[0] as Store).check(() => {})).toEqual([])
  })

  it('has two processes that make segments of one home has each record in one of them', async () => {
    const segmentSizes = { tailRows: 5, mergedTogether: 3, takenOver: 16 }
    const stores = [await open({ segmentSizes }), await open({ segmentSizes })]
    const told: string[] = []
    const written = await Promise.all(
      Array.from({ length: 8 }, (_, writer) =>
        writeOn(stores[writer % 2] as Store, `${writer}`, () => told.length > 250, told),
      ),
    )
    const own = connect({ url, connections: 1, statementTimeoutMs: 0 })
    const [made] = await own<{ count: number }[]>`SELECT count(*)::integer AS count FROM segment WHERE home = 'alice'`
    await own.end()
    expect(made?.count).toBeGreaterThan(0)
    await expectAllOnce(written)
  })

  it('has a client that sleeps while it writes is not kept from others by it, and has all of it when it wakes up', async () => {
    const store = await open()
    await write(store, 'first')
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, url, 'alice', '1000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const told: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => told.push(line))
    try {
      await expect.poll(() => told.length, PATIENT).toBeGreaterThan(5)
      await expect.poll(() => sleepsInTransaction(child), { timeout: 30_000, interval: 1 }).toBe(true)
      expect(await write(store, 'beside')).toMatchObject([{ outcome: 'done' }])
      const before = told.length
      child.kill('SIGCONT')
      await expect.poll(() => told.length, PATIENT).toBeGreaterThan(before + 5)
    } finally {
      child.kill('SIGKILL')
    }
    const found = await find(store)
    const own = found.filter((name) => name.startsWith('child-'))
    expect(own).toEqual(own.map((_, at) => `child-${at}`))
    expect(own.length - told.length).toBeGreaterThanOrEqual(0)
    expect(own.length - told.length).toBeLessThanOrEqual(1)
    expect(found).toHaveLength(own.length + 2)
  })

  /** Stops it; lets it go on unless it holds a lock. */
  async function sleepsInTransaction(child: ChildProcess): Promise<boolean> {
    child.kill('SIGSTOP')
    const holding = await sql`
      SELECT 1 FROM pg_stat_activity WHERE datname = ${`faults_${last}`} AND state = 'idle in transaction'`
    if (holding.length > 0) return true
    child.kill('SIGCONT')
    return false
  }
})
