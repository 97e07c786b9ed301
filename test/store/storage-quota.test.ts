import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { Actor } from '../../src/store/port/audit.ts'
import type { Change, StorageLimits } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { insertion } from '../support/plans.ts'

let dataDirectory: string
let store: Store

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-usage-'))
})
afterEach(async () => {
  await store.close()
  await rm(dataDirectory, { recursive: true, force: true })
})

async function open(limits: Partial<StorageLimits> = {}): Promise<void> {
  store = await openSqliteStore({ dataDirectory, limits: { records: 0, bytes: 0, ...limits } })
}

/** A document whose text is so many bytes long. */
const sized = (bytes: number) => ({ x: 'å'.repeat((bytes - 8) / 2) })
const insert = (id: string, document: JsonObject = {}, accountId = 'ada') => insertion('c', id, document, { accountId })
const addressed = (id: string, expectedVersion: number, accountId = 'ada') => ({
  collection: 'c',
  id,
  accountId,
  expectedVersion,
})
const replace = (id: string, expectedVersion: number, document: object, accountId?: string): Change => ({
  action: 'replace',
  ...addressed(id, expectedVersion, accountId),
  isPublic: false,
  text: JSON.stringify(document),
})
const remove = (id: string, version: number): Change => ({ action: 'remove', ...addressed(id, version) })
const purge = (id: string, version: number): Change => ({
  action: 'purge',
  ...addressed(id, version),
})
const ADA: Actor = { via: 'http', user: 'u', account: 'ada', address: null, request: null }
const applied = (changes: readonly Change[]) => store.records.apply(changes, ADA)
const FULL = { code: 42912, message: expect.stringContaining('would have more') }

function inFile<T>(work: (connection: Database.Database) => T): T {
  const connection = new Database(join(dataDirectory, DATABASE_FILE))
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}

const told = () => inFile((file) => file.prepare('SELECT * FROM usage WHERE records > 0 ORDER BY owner').all())
const counted = () =>
  inFile((file) =>
    file
      .prepare(
        `SELECT owner, count(*) AS records, sum(length(CAST(doc AS BLOB))) AS bytes
         FROM (SELECT owner, doc FROM record UNION ALL SELECT owner, doc FROM removed) GROUP BY owner ORDER BY owner`,
      )
      .all(),
  )

describe('what an account has stored', () => {
  it('is known after every kind of change', async () => {
    await open()
    await store.records.applyEach([
      insert('a', sized(100)),
      insert('b', { b: 'ü' }),
      insert('c', {}, 'bob'),
      insert('d'),
    ])
    await store.records.apply([replace('a', 1, sized(300))])
    expect(told()).toEqual(counted())
    await store.records.apply([remove('b', 1), remove('d', 1)])
    expect(told()).toEqual(counted())
    await store.records.apply([
      { action: 'restore', isPublic: true, text: '{"longer":"than before"}', ...addressed('b', 1) },
    ])
    await store.records.apply([purge('d', 1)])
    await store.records.apply([{ action: 'erase', ...addressed('c', 1, 'bob') }])
    expect(told()).toEqual(counted())
    expect(counted()).toHaveLength(1)
  })
})

/** A document with files of such sizes. */
const withFiles = (...sizes: readonly unknown[]) => ({
  files: sizes.map((size, n) => ({ name: `${n}`, size, sha256: 'ab'.repeat(32) })) as JsonObject[],
})

describe('the files of what an account has stored', () => {
  const bytes = () => (told() as readonly { bytes: number }[]).map((usage) => usage.bytes)
  const texts = () => (counted() as readonly { bytes: number }[]).map((usage) => usage.bytes)

  it('count after every kind of change, also where all that is known was counted when an older file was opened', async () => {
    await open()
    const files = () => bytes().map((all, n) => all - (texts()[n] ?? 0))
    await store.records.apply([insert('a', withFiles(1000, 1000)), insert('b', withFiles(7)), insert('c')])
    expect(files()).toEqual([2007])
    await store.records.apply([replace('a', 1, withFiles(1000, 50)), replace('c', 1, withFiles(100))])
    expect(files()).toEqual([1157])
    await store.records.apply([remove('b', 1), replace('c', 2, {})])
    expect(files()).toEqual([1057])
    await store.close()
    const now = told()
    inFile((file) => {
      for (const table of ['record', 'removed'])
        for (const event of ['come', 'go', 'change']) file.exec(`DROP TRIGGER ${table}_files_${event}`)
      for (const column of ['title', 'description']) file.exec(`ALTER TABLE account DROP COLUMN ${column}`)
      file.exec('UPDATE usage SET bytes = bytes - 1057; DELETE FROM migration WHERE version >= 2')
      file.pragma('user_version = 1')
    })
    await open()
    expect(told()).toEqual(now)
    await store.records.apply([purge('b', 1)])
    expect(files()).toEqual([1050])
    await store.records.apply([{ action: 'erase', ...addressed('a', 2) }])
    expect(files()).toEqual([0])
  })

  it('are told by whole numbers in a list of objects, and by nothing else', async () => {
    await open()
    const odd = { ...withFiles('5', -5, 0.5, null, 3), sha256: '"sha256":' }
    await store.records.apply([insert('a', odd), insert('b', { files: { 0: { size: 9, sha256: '' } } })])
    await store.records.apply([
      insert('c', { files: '{"size":9,"sha256":""}' }),
      insert('d', { x: { ...withFiles(9) } }),
    ])
    expect(bytes()).toEqual([(texts()[0] ?? 0) + 3])
    await store.records.apply([insert('e', withFiles(2 ** 53 - 1, 2 ** 53 - 1), 'bob')])
    expect(bytes()[1]).toBe((texts()[1] ?? 0) + 2 ** 53 - 1)
  })
})

describe('an account that has as much as it may have', () => {
  it('gets no more records, until some are purged; others do', async () => {
    await open({ records: 2 })
    const results = await store.records.applyEach([insert('a'), insert('b'), insert('c'), insert('d', {}, 'bob')], ADA)
    expect(results).toMatchObject([
      { outcome: 'done' },
      { outcome: 'done' },
      { outcome: 'full', quota: 'records', limit: 2 },
      { outcome: 'done' },
    ])
    await expect(applied([insert('c')])).rejects.toMatchObject(FULL)
    await applied([replace('a', 1, sized(5000)), remove('b', 1)])
    await expect(applied([insert('c')])).rejects.toMatchObject(FULL)
    await applied([purge('b', 1)])
    expect(await applied([insert('c')])).toMatchObject([{ outcome: 'done' }])
  })

  it('gets no more bytes, by whichever change; what grows no record is made', async () => {
    await open({ bytes: 1000 })
    await applied([insert('a', sized(400)), insert('b', sized(600))])
    await expect(applied([insert('c')])).rejects.toMatchObject({ data: { quota: 'bytes', limit: 1000 } })
    await expect(applied([replace('a', 1, sized(402))])).rejects.toMatchObject(FULL)
    await applied([replace('a', 1, sized(300))])
    // Of somebody else's record it tells nothing: not even how large it is.
    expect(await applied([replace('a', 2, sized(402), 'bob')])).toEqual([{ outcome: 'missing' }])
    await applied([insert('c', sized(100))])
    expect(told()).toEqual([{ owner: expect.any(Number), records: 3, bytes: 1000 }])
  })

  it('gets no more files, and takes them away from its records', async () => {
    await open({ bytes: 1000 })
    await expect(applied([insert('a', withFiles(1000))])).rejects.toMatchObject(FULL)
    await applied([insert('a', withFiles(700))])
    await expect(applied([replace('a', 1, withFiles(700, 300))])).rejects.toMatchObject(FULL)
    await applied([replace('a', 1, withFiles(20)), insert('b', withFiles(600))])
    expect(told()).toMatchObject([{ records: 2 }])
  })

  it('makes its records smaller when less may be had than there is, and gets nothing more', async () => {
    await open()
    await applied([insert('a', sized(400)), insert('b', sized(600))])
    await store.close()
    await open({ records: 1, bytes: 500 })
    expect(await applied([replace('a', 1, sized(398))])).toMatchObject([{ outcome: 'done' }])
    expect(await applied([replace('a', 2, sized(398))])).toMatchObject([{ outcome: 'done' }])
    await expect(applied([replace('a', 3, sized(400))])).rejects.toMatchObject({ data: { quota: 'bytes', limit: 500 } })
    await expect(applied([insert('c')])).rejects.toMatchObject({ data: { quota: 'records', limit: 1 } })
    expect(told()).toMatchObject([{ records: 2, bytes: 998 }])
  })

  it('gets what nobody has asked for: what follows from other changes, a first default, what the program does by itself', async () => {
    await open({ records: 1, bytes: 100 })
    await applied([insert('a')])
    await applied([{ ...insert('bank'), follows: true }])
    await applied([{ ...insert('default'), isDefault: true } as Change])
    await store.records.apply([replace('a', 1, sized(400)), insert('sample')])
    expect(told()).toMatchObject([{ records: 4 }])
  })
})
