import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shortEffort, TooLongHere } from '../../src/store/segments/effort.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../src/store/segments/segment-sizes.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { restoreBackup } from '../../src/store/sqlite/restore-backup.ts'
import { SCHEMA_VERSION } from '../../src/store/sqlite/schema/migrate.ts'
import { plainSqlite } from '../support/plain-sqlite.ts'
import { documentsOf, insertion, OPERATOR, planOf } from '../support/plans.ts'

describe('the embedded store', () => {
  let dataDirectory: string
  let file: string

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-sqlite-'))
    file = join(dataDirectory, DATABASE_FILE)
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  async function withStore<T>(use: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<T>, options = {}) {
    const store = await openSqliteStore({ dataDirectory, ...options })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }

  function alter(script: string): void {
    const connection = new Database(file)
    connection.exec(script)
    connection.close()
  }

  describe('opening', () => {
    it('makes the data directory and a file that only its owner can read', async () => {
      await withStore(() => Promise.resolve(), { dataDirectory: join(dataDirectory, 'deep', 'er') })
      const { mode } = await stat(join(dataDirectory, 'deep', 'er', DATABASE_FILE))
      expect(mode & 0o777).toBe(0o600)
    })

    it('notes which migrations made the schema, and runs none twice', async () => {
      await withStore(() => Promise.resolve())
      await withStore(() => Promise.resolve())
      const connection = new Database(file, { readonly: true })
      const versions = connection.prepare('SELECT version FROM migration').pluck().all()
      expect(versions).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1))
      connection.close()
    })

    it('refuses a file of a newer version, names both versions and changes nothing', async () => {
      await withStore(() => Promise.resolve())
      alter('PRAGMA user_version = 99')
      await expect(openSqliteStore({ dataDirectory })).rejects.toMatchObject({
        code: 50010,
        message: expect.stringContaining(`version 99; this version of Quarry knows versions up to ${SCHEMA_VERSION}`),
      })
      await expect(openSqliteStore({ dataDirectory, readOnly: true })).rejects.toMatchObject({ code: 50010 })
    })

    it('refuses the SQLite database of another program', async () => {
      alter('CREATE TABLE theirs (x)')
      await expect(openSqliteStore({ dataDirectory })).rejects.toMatchObject({ code: 50011 })
    })

    it('refuses a file that is no database', async () => {
      await writeFile(
        file,
        'This is a text, and long enough to be taken for a database header of a hundred bytes.'.repeat(5),
      )
      await expect(openSqliteStore({ dataDirectory })).rejects.toMatchObject({ code: 50022 })
    })

    it.each([false, true])('refuses an empty file, which is no new database (reading only: %s)', async (readOnly) => {
      await writeFile(file, '')
      await writeFile(`${file}-wal`, 'what may be left of the data')
      await expect(openSqliteStore({ dataDirectory, readOnly })).rejects.toMatchObject({
        code: 50016,
        message: expect.stringContaining('empty (0 bytes)'),
        data: { hint: expect.stringContaining('quarry restore') },
      })
      expect((await stat(file)).size).toBe(0)
      expect((await stat(`${file}-wal`)).size).toBeGreaterThan(0)
    })

    it('makes one database when several processes begin at once', async () => {
      const stores = await Promise.all(Array.from({ length: 3 }, () => openSqliteStore({ dataDirectory })))
      await Promise.all(stores.map((store, i) => store.records.apply([insertion('c', `${i}`, { i })])))
      expect(await stores[0]?.records.count(planOf('c'))).toBe(3)
      for (const store of stores) await store.close()
      expect(await readdir(dataDirectory)).toEqual([DATABASE_FILE])
    })

    it('refuses a data directory that is a file', async () => {
      await writeFile(join(dataDirectory, 'x'), '')
      await expect(openSqliteStore({ dataDirectory: join(dataDirectory, 'x') })).rejects.toMatchObject({ code: 50012 })
    })
  })

  describe('opened for reading only', () => {
    it('reads, and refuses writes', async () => {
      await withStore((store) => store.records.apply([insertion('c', 'a', { name: 'a' })]))
      await withStore(
        async (store) => {
          expect(await store.records.count(planOf('c'))).toBe(1)
          await expect(store.records.apply([insertion('c', 'b', {})])).rejects.toMatchObject({ code: 50305 })
        },
        { readOnly: true },
      )
    })

    it('does not make a database', async () => {
      await expect(openSqliteStore({ dataDirectory, readOnly: true })).rejects.toMatchObject({ code: 50012 })
    })
  })

  it('sees at once what another process wrote, and writes beside it', async () => {
    await withStore(async (one) => {
      await one.records.apply([insertion('c', 'a', { name: 'a', tags: ['x'] })])
      const counter = await one.records.readChangeCounter(OPERATOR)
      await withStore(async (other) => {
        await other.records.apply([insertion('c', 'b', { name: 'b', brandNew: { field: [1] } })])
        await one.records.apply([insertion('c', 'd', { name: 'd', another: true })])
        await other.records.apply([insertion('e', 'x', { name: 'x', tags: 'y' })])
      })
      expect(documentsOf(await one.records.find(planOf('c', { 'brandNew.field': 1 })))).toHaveLength(1)
      expect(await one.records.count(planOf('e'))).toBe(1)
      expect(await one.records.readChangeCounter(OPERATOR)).toBeGreaterThanOrEqual(counter + 3)
      expect(await one.check(() => {})).toEqual([])
    })
  })

  it('refuses a write that another process blocks for too long, and keeps nothing of it', async () => {
    await withStore(
      async (store) => {
        await store.records.apply([insertion('c', 'a', { name: 'a' })])
        const blocker = new Database(file)
        blocker.exec('BEGIN IMMEDIATE')
        await expect(store.records.apply([insertion('c', 'b', { name: 'b' })])).rejects.toMatchObject({
          code: 50303,
          message: expect.stringContaining('another process'),
        })
        blocker.exec('ROLLBACK')
        blocker.close()
        await store.records.apply([insertion('c', 'd', { name: 'd' })])
        expect(documentsOf(await store.records.find(planOf('c')))).toEqual([{ name: 'a' }, { name: 'd' }])
      },
      { patienceMs: 1000 },
    )
  })

  it('makes damaged segments anew from the documents, with all that is counted, and tells how far it is', async () => {
    const documents = Array.from({ length: 2700 }, (_, i) => ({ name: `n${i}`, v: [i % 3, i % 5] }))
    const options = { segmentSizes: { tailRows: 500, mergedTogether: 8, takenOver: 1000 }, tends: false }
    await withStore(async (store) => {
      for (let at = 0; at < documents.length; at += 600) {
        await store.records.applyEach(documents.slice(at, at + 600).map((each) => insertion('c', each.name, each)))
      }
    }, options)
    alter(`
      PRAGMA foreign_keys = OFF;
      DELETE FROM chunk WHERE segment = 1 AND number = 0;
      UPDATE chunk SET bytes = zeroblob(10) WHERE segment = 2;
      UPDATE segment SET catalog = '' WHERE number = 3;
      DELETE FROM segment WHERE number = 4;
      DELETE FROM tail;
      DELETE FROM home;
      UPDATE collection SET records = 9;
    `)
    await withStore(async (store) => {
      const findings = await store.check(() => {})
      for (const part of ['Segment 1 ', 'Segment 2 ', 'Segment 3 ', 'row of chunk', 'Home 1 ', 'count of records']) {
        expect(findings).toContainEqual(expect.stringContaining(part))
      }
      const reports: number[][] = []
      await store.reindex((done, total) => reports.push([done, total]))
      expect(reports).toEqual([
        [0, 2700],
        [1000, 2700],
        [2000, 2700],
      ])
      expect(await store.check(() => {})).toEqual([])
      for (const name of ['n7', 'n700', 'n1300', 'n1900', 'n2699']) {
        expect(documentsOf(await store.records.find(planOf('c', { name })))).toEqual([
          documents.find((each) => each.name === name),
        ])
      }
    }, options)
  })

  it('refuses a file of before the first release, and says what to do', async () => {
    await withStore((store) => store.records.applyEach([insertion('c', 'a', {})]))
    const before = new Database(file)
    before.pragma('user_version = 18')
    before.exec('UPDATE migration SET version = version + 17')
    before.close()
    await expect(withStore(async () => {})).rejects.toMatchObject({ code: 50029 })
  })

  describe('long work', () => {
    it('answers a query that exceeds its time budget with what would help', async () => {
      await withStore(
        async (store) => {
          const records = Array.from({ length: 1500 }, (_, i) =>
            insertion('c', `${i}`, { i, text: 'word '.repeat(200), deep: [{ x: i }, { x: [i, null] }] }),
          )
          await store.records.applyEach(records)
          const scan = planOf('c', { text: { $not: { $regex: 'word$' } } }, { sort: { deep: 1 } })
          await expect(store.records.find(scan)).rejects.toMatchObject({
            code: 50301,
            data: { hint: expect.stringContaining('Narrow') },
          })
          expect(await store.records.read('c', OPERATOR, '7')).not.toBeNull()
        },
        { timeBudgetMs: 1 },
      )
    })

    it('is refused by the request thread after a few hundred documents, and done by a reader thread', async () => {
      const records = Array.from({ length: 1000 }, (_, i) =>
        insertion('c', `${i}`, { i, text: `word ${i} `.repeat(100) }),
      )
      const scan = planOf('c', { text: { $regex: 'last$' } }, { sort: { 'no.such': -1 } })
      const here = plainSqlite(DEFAULT_SEGMENT_SIZES)
      here.applyEach(records)
      expect(() => here.find(scan, shortEffort())).toThrow(TooLongHere)
      expect(() => here.count(scan, shortEffort())).toThrow(TooLongHere)
      here.close()
      await withStore(async (store) => {
        await store.records.applyEach(records)
        const page = await store.records.find(scan)
        expect([page.count, page.report.thread, page.report.byDocument]).toEqual([0, 'reader', 1000])
        expect(await store.records.count(scan)).toBe(0)
      })
    })
  })

  describe('long texts', () => {
    it('are not matched on the request thread', async () => {
      const here = plainSqlite(DEFAULT_SEGMENT_SIZES)
      here.applyEach([insertion('c', 'long', { text: 'a'.repeat(100_000) }), insertion('c', 'short', { text: 'b' })])
      expect(() => here.find(planOf('c', { text: { $regex: '(a|aa)+$' } }), shortEffort())).toThrow(TooLongHere)
      expect(here.find(planOf('c', { text: 'b' }), shortEffort()).count).toBe(1)
      here.close()
    })
  })

  describe('backups', () => {
    it('are one state of the database, while others write', async () => {
      const backup = join(dataDirectory, 'backup.db')
      await withStore(async (store) => {
        await store.records.applyEach(
          Array.from({ length: 500 }, (_, i) => insertion('c', `${i}`, { i, pad: 'x'.repeat(2000) })),
        )
        let writing = true
        const writer = (async () => {
          for (let i = 0; writing; i += 1) {
            await store.records.apply(['a', 'b'].map((half) => insertion('pairs', `${i}${half}`, { half })))
          }
        })()
        const progress: number[] = []
        await store.backup(backup, (done, total) => progress.push(done / total))
        writing = false
        await writer
        expect(progress.length).toBeGreaterThan(0)
      })
      const elsewhere = join(dataDirectory, 'restored')
      await restoreBackup(backup, elsewhere)
      await withStore(
        async (store) => {
          expect(await store.records.count(planOf('c'))).toBe(500)
          expect(await store.records.count(planOf('pairs', { half: 'a' }))).toBe(
            await store.records.count(planOf('pairs', { half: 'b' })),
          )
          expect(await store.check(() => {})).toEqual([])
        },
        { dataDirectory: elsewhere },
      )
    })

    it('tell why they could not be written, and leave nothing behind', async () => {
      await withStore(async (store) => {
        await expect(store.backup(join(dataDirectory, 'no', 'such', 'b.db'), () => {})).rejects.toMatchObject({
          code: 50015,
        })
      })
    })

    it('replace a database only when forced, and never one that is open', async () => {
      const backup = join(dataDirectory, 'backup.db')
      await withStore(async (store) => {
        await store.records.apply([insertion('c', 'a', { name: 'kept' })])
        await store.backup(backup, () => {})
        await store.records.apply([insertion('c', 'b', { name: 'later' })])
        await expect(restoreBackup(backup, dataDirectory)).rejects.toMatchObject({ code: 50014 })
        await expect(restoreBackup(backup, dataDirectory, { force: true })).rejects.toMatchObject({
          code: 50014,
          message: expect.stringContaining('in use'),
        })
        expect(await store.records.count(planOf('c'))).toBe(2)
      })
      await restoreBackup(backup, dataDirectory, { force: true })
      await withStore(async (store) => {
        expect(documentsOf(await store.records.find(planOf('c')))).toEqual([{ name: 'kept' }])
      })
    })

    it('are refused when they are damaged, foreign or not there', async () => {
      const backup = join(dataDirectory, 'backup.db')
      await expect(restoreBackup(backup, dataDirectory)).rejects.toMatchObject({ code: 50013 })
      await writeFile(backup, 'not a database, although the file is long enough to have the header of one'.repeat(20))
      await expect(restoreBackup(backup, dataDirectory)).rejects.toMatchObject({ code: 50013 })
      const foreign = new Database(join(dataDirectory, 'foreign.db'))
      foreign.exec('CREATE TABLE theirs (x)')
      foreign.close()
      await expect(restoreBackup(join(dataDirectory, 'foreign.db'), dataDirectory)).rejects.toMatchObject({
        code: 50011,
      })
    })
  })
})
