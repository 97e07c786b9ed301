import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { PAGE, pagesOf, patch } from '../support/damage.ts'
import { logToLines } from '../support/log-lines.ts'
import { insertion, planOf } from '../support/plans.ts'
import { CAN_MOUNT, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'

const MIB = 2 ** 20
const NO_ROOM = { code: 50701, data: { hint: expect.stringMatching(/Room has to be made on the disk/) } }
const NOT_READY = { code: 50308 }

const documents = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => insertion('c', `n${from + i}`, { i: from + i, text: 'x'.repeat(2000) }))
/** Why a store says that it is not ready; null when it is. */
const complaintOf = (store: Store) =>
  store.ping().then(
    () => null,
    (error: Error) => error.message,
  )
const removal = (id: string) =>
  ({ action: 'remove', collection: 'c', id, accountId: 'owner', expectedVersion: 1 }) as const

describe.skipIf(!CAN_MOUNT)('a store on a small disk (which takes root to mount)', () => {
  let disk: SmallDisk
  let store: Store
  let lines: ReturnType<typeof logToLines>['lines']
  beforeEach(() => {
    disk = mountSmallDisk(24)
  })
  afterEach(async () => {
    await store.close()
    disk.remove()
  })

  async function open(leastFreeBytes: number): Promise<void> {
    const told = logToLines()
    lines = told.lines
    store = await openSqliteStore({ dataDirectory: join(disk.directory, 'data'), leastFreeBytes, log: told.log })
  }
  const eventsOf = () => lines.map(({ event }) => event)
  const writable = () => store.metrics().find(([{ name }]) => name === 'quarry_storage_writable')?.[1]
  const untilReady = () => expect.poll(() => store.ping()).toBeUndefined()

  it('takes no more than leaves the room that is to be kept free, and more when there is room again', async () => {
    await open(8 * MIB)
    await store.records.applyEach(documents(0, 50))
    await expect(store.ping()).resolves.toBeUndefined()
    expect(writable()).toBe(1)

    disk.fill(4 * MIB)
    await expect.poll(() => complaintOf(store)).toBe('The disk of the server has less room left than it keeps free.')
    await expect(store.ping()).rejects.toMatchObject(NOT_READY)
    await expect(store.records.applyEach(documents(50, 1))).rejects.toMatchObject(NO_ROOM)
    expect(writable()).toBe(0)
    expect(await store.records.count(planOf('c'))).toBe(50)
    expect(await store.records.apply([removal('n7')])).toMatchObject([{ outcome: 'done' }])
    await expect(store.writeMark('seen', 'today')).resolves.toBeUndefined()

    disk.empty()
    await untilReady()
    expect(await store.records.applyEach(documents(50, 1))).toMatchObject([{ outcome: 'done' }])
    expect(eventsOf()).toEqual(['store.space-low', 'store.space-back'])
    expect(writable()).toBe(1)
  })

  it('keeps all that it acknowledged when the disk is full to its last byte, and goes on when there is room', async () => {
    await open(0)
    disk.fill(MIB)
    const stored: string[] = []
    const filling = async () => {
      for (let from = 0; from < 20_000; from += 20) {
        await store.records.applyEach(documents(from, 20))
        for (let i = from; i < from + 20; i++) stored.push(`n${i}`)
      }
    }
    await expect(filling()).rejects.toMatchObject(NO_ROOM)
    expect(stored.length).toBeGreaterThan(0)
    expect(await complaintOf(store)).toBe('The disk of the server is full.')
    expect(eventsOf()).toEqual(['store.write-failed'])
    expect(await store.records.count(planOf('c'))).toBe(stored.length)
    for (const id of stored) expect(await store.records.read('c', planOf('c').scope, id), id).not.toBeNull()

    disk.empty()
    await untilReady()
    await store.records.applyEach(documents(20_000, 20))
    expect(await store.records.count(planOf('c'))).toBe(stored.length + 20)
    expect(await store.check(() => {})).toEqual([])
  })
})

describe('a store whose file', () => {
  let dataDirectory: string
  let store: Store
  beforeEach(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-health-'))
    const made = await openSqliteStore({ dataDirectory })
    await made.records.applyEach(documents(0, 600))
    await made.close()
  })
  afterEach(async () => {
    await store.close()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  const file = () => join(dataDirectory, DATABASE_FILE)

  it.each([
    ['is gone', () => {}, 'The file of the database is gone.'],
    ['has been replaced', () => writeFileSync(file(), 'another'), 'Another file has taken the place of the database.'],
  ])('%s takes no writes that nobody would find, and says why', async (_, replace, why) => {
    store = await openSqliteStore({ dataDirectory })
    await store.ping()
    renameSync(file(), `${file()}.away`)
    replace()
    await expect.poll(() => complaintOf(store)).toBe(why)
    await expect(store.records.applyEach(documents(600, 1))).rejects.toMatchObject({ code: 50303 })
    await expect(store.records.applyEach(documents(600, 1))).rejects.toThrow(`${why} Nothing was written.`)
    rmSync(file(), { force: true })
    renameSync(`${file()}.away`, file())
    await expect.poll(() => store.ping()).toBeUndefined()
    expect(await store.records.applyEach(documents(600, 1))).toMatchObject([{ outcome: 'done' }])
  })

  it.each([
    ['reading', () => store.records.find(planOf('c', { text: { $regex: 'y' } })).then(() => undefined)],
    ['writing', () => store.records.applyEach(documents(600, 400)).then(() => undefined)],
  ])('turns out to be damaged while %s is written to no more, and says so', async (_, meet) => {
    const told = logToLines()
    const pages = ['record', 'body'].flatMap((name) => pagesOf(file(), name))
    patch(file(), (bytes) => {
      for (const page of pages) bytes.fill(0, (page - 1) * PAGE, page * PAGE)
    })
    store = await openSqliteStore({ dataDirectory, log: told.log })
    await store.ping()
    await expect(meet()).rejects.toMatchObject({ code: 50022, data: { hint: expect.stringContaining('quarry check') } })
    await expect(store.records.applyEach(documents(9000, 1))).rejects.toMatchObject({ code: 50022 })
    await expect(store.ping()).rejects.toThrow('The database is damaged: nothing is written to it.')
    expect(told.lines.map(({ event }) => event)).toEqual(['store.damage-met'])
    expect(existsSync(file())).toBe(true)
  })

  it('is on a disk with less room than is to be kept free is read, and room can be made in it', async () => {
    store = await openSqliteStore({ dataDirectory, leastFreeBytes: Number.MAX_SAFE_INTEGER })
    await expect(store.records.applyEach(documents(600, 1))).rejects.toMatchObject(NO_ROOM)
    await expect(store.ping()).rejects.toMatchObject(NOT_READY)
    expect(await store.records.apply([removal('n7')])).toMatchObject([{ outcome: 'done' }])
    expect(await store.records.count(planOf('c'))).toBe(599)
  })
})
