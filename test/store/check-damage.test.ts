import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkFile } from '../../src/store/sqlite/care/check/check-file.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { PAGE, pagesOf, patch, zeroPage } from '../support/damage.ts'
import { insertion } from '../support/plans.ts'

const RECORDS = 400

describe('quarry check', () => {
  let directory: string
  let stopped: string
  let killed: string
  let file: string

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'quarry-damage-'))
    stopped = join(directory, 'stopped.db')
    killed = join(directory, 'killed.db')
    const dataDirectory = join(directory, 'data')
    // So that there are segments, and a tail of what is changed later.
    const segmentSizes = { tailRows: 100, mergedTogether: 8, takenOver: 100 }
    const store = await openSqliteStore({ dataDirectory, segmentSizes, tends: false })
    const documents = Array.from({ length: RECORDS }, (_, i) => ({ name: `n${i}`, i, text: 'word '.repeat(100) }))
    documents.push({ name: 'long', i: RECORDS, text: 'long '.repeat(10_000) })
    await store.records.applyEach(documents.map((each) => insertion('c', each.name, each)))
    await store.records.apply([insertion('c', 'gone', { name: 'gone' })])
    await store.records.apply([
      { action: 'remove', collection: 'c', id: 'gone', accountId: 'owner', expectedVersion: 1 },
    ])
    const change = { collection: 'c', accountId: 'owner', expectedVersion: 1, isPublic: false } as const
    for (let i = 0; i < 5; i++) {
      await store.records.apply([{ action: 'replace', id: `n${i}`, ...change, text: '{"name":"new"}' }])
    }
    for (const suffix of ['', '-wal', '-shm']) {
      copyFileSync(join(dataDirectory, DATABASE_FILE) + suffix, killed + suffix)
    }
    await store.close()
    copyFileSync(join(dataDirectory, DATABASE_FILE), stopped)
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  beforeEach(() => {
    file = join(directory, 'copy.db')
  })
  afterEach(() => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { recursive: true, force: true })
  })

  const takeStopped = () => copyFileSync(stopped, file)
  const takeKilled = () => {
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(killed + suffix, file + suffix)
  }
  const findings = () => checkFile(file).findings

  it('finds nothing where nothing is wrong, whether the server stopped or was killed', () => {
    takeStopped()
    expect(checkFile(file)).toEqual({ findings: [], remarks: [] })
    takeKilled()
    expect(checkFile(file)).toEqual({ findings: [], remarks: [] })
  })

  describe('names the records that are on a damaged page, and reads on behind it', () => {
    it.each([1, 5, 40])('page %i of the records', (at) => {
      takeStopped()
      const pages = pagesOf(file, 'record')
      const damaged = pages.at(at) as number
      patch(file, (bytes) => {
        bytes.fill(0, (damaged - 1) * PAGE, damaged * PAGE)
        const changed = bytes.indexOf('"n399"', ((pages.at(-1) as number) - 1) * PAGE)
        bytes.write('"n398"', changed)
      })
      const lost = findings().flatMap(
        (line) => /^Record (n\d+) of c cannot be read: a page of it is damaged\.$/.exec(line)?.[1] ?? [],
      )
      expect(lost.length).toBeGreaterThan(2)
      expect(lost.length).toBeLessThan(12)
      const numbers = lost.map((id) => Number(id.slice(1)))
      expect(Math.max(...numbers) - Math.min(...numbers)).toBe(lost.length - 1)
      expect(findings()).toContainEqual(expect.stringMatching(`^Page ${damaged}, of the table record, is damaged: `))
      expect(findings()).toContainEqual(expect.stringMatching(/^Record n39\d: it is not what was written\.$/))
    })

    it('the last pages, when the file has been cut', () => {
      takeStopped()
      const last = Math.max(...pagesOf(file, 'record'))
      truncateSync(file, (last - 1) * PAGE)
      expect(findings()).toContainEqual(
        expect.stringMatching(/^The file has been cut: \d+ of its \d+ pages are missing\.$/),
      )
      expect(findings()).toContainEqual(expect.stringMatching(/^Record \w+ of c cannot be read/))
    })

    it('a page on which a long text goes on', () => {
      takeStopped()
      zeroPage(file, pagesOf(file, 'record', 'overflow').at(3))
      expect(findings()).toContain('Record long of c cannot be read: a page of it is damaged.')
    })

    it('numbers, where the index of identifiers is damaged as well', () => {
      takeStopped()
      zeroPage(file, pagesOf(file, 'record').at(5))
      zeroPage(file, pagesOf(file, 'record_id').at(0))
      expect(findings()).toContainEqual(
        expect.stringMatching(/^Records with numbers \d+ to \d+ cannot be read: a page of it is damaged\.$/),
      )
    })

    it('none, where the table has no beginning', () => {
      takeStopped()
      zeroPage(file, pagesOf(file, 'record', 'internal').at(0))
      expect(findings().filter((line) => line.startsWith('Record '))).not.toEqual([])
    })
  })

  it.each([
    ['segment', /^Page \d+, of the table segment, is damaged/],
    ['chunk', /^Page \d+, of the table chunk, is damaged/],
    ['tail', /^Page \d+, of the table tail, is damaged/],
    ['home', /^Page \d+, of the table home, is damaged/],
    ['segment_home', /^Page \d+, of the index segment_home, is damaged/],
    ['revision', /^Page \d+, of the table revision, is damaged/],
    ['record_id', /^Page \d+, of the index record_id, is damaged/],
    ['user', /^Page \d+, of the table user, is damaged/],
    ['sqlite_schema', /^The list of tables cannot be read: a page of it is damaged/],
  ])('names the table or index that a damaged page belongs to: %s', (name, finding) => {
    takeStopped()
    zeroPage(file, pagesOf(file, name)[0] ?? 1)
    expect(findings()).toContainEqual(expect.stringMatching(finding))
  })

  it('names the segment of which a byte is not what was written', () => {
    takeStopped()
    const page = pagesOf(file, 'chunk').at(0) as number
    patch(file, (bytes) => bytes.writeUInt8(bytes.readUInt8(page * PAGE - 1) ^ 1, page * PAGE - 1))
    expect(findings()).toEqual([
      expect.stringMatching(
        /^Segment 1 of c cannot be read: Chunk -?\d+ of segment 1 is damaged in the storage: it is not what was written\.$/,
      ),
    ])
  })

  it('names tables and indexes that are not there, or not as they were made', () => {
    takeStopped()
    const connection = new Database(file)
    connection.exec('DROP TABLE mark; DROP INDEX record_scope; ALTER TABLE revision RENAME COLUMN note TO remark')
    connection.close()
    expect(findings()).toEqual(
      expect.arrayContaining([
        'The table mark is missing.',
        'The index record_scope is missing.',
        'The table revision is not as Quarry made it.',
      ]),
    )
  })

  it.each([
    ['the size of a page', 16, 0x1234],
    ['the version of the format', 18, 0x0903],
    ['the bytes kept free', 20, 0x0840],
    ['the text encoding', 58, 0x0002],
  ])('notices a damaged field of the header: %s', (_, at, value) => {
    takeStopped()
    patch(file, (bytes) => bytes.writeUInt16BE(value, at))
    expect(findings()).not.toEqual([])
  })

  it('names a version that is not the one that the migrations have made', () => {
    takeStopped()
    patch(file, (bytes) => bytes.writeUInt32BE(99, 60))
    expect(findings()).toContainEqual(
      expect.stringMatching(/^The header of the file says schema version 99, its migrations \d+\.$/),
    )
  })

  describe('reads the write-ahead log', () => {
    const frameAt = (frame: number) => 32 + (frame - 1) * (PAGE + 24)

    it.each([
      [
        'in the middle',
        (log: Buffer) => log.writeUInt8((log.readUInt8(frameAt(20) + 700) + 1) % 256, frameAt(20) + 700),
      ],
      ['at the end', (log: Buffer) => log.writeUInt8((log.readUInt8(log.length - 9) + 1) % 256, log.length - 9)],
      ['in its header', (log: Buffer) => log.writeUInt8((log.readUInt8(17) + 1) % 256, 17)],
      ['all of it', (log: Buffer) => log.fill('x')],
    ])('and names a byte that is not what was written: %s', (_, change) => {
      takeKilled()
      patch(`${file}-wal`, change)
      expect(findings()[0]).toMatch(/^The write-ahead log \S+-wal is damaged: .*What was written last is lost\.$/)
    })

    it('and finds out that it was cut, or is gone', () => {
      takeKilled()
      truncateSync(`${file}-wal`, frameAt(30))
      expect(findings()[0]).toMatch(/is damaged: its end is missing, so that frames \d+ to \d+ do not count/)
      takeKilled()
      rmSync(`${file}-wal`)
      expect(findings()[0]).toMatch(/is damaged: it is missing, with \d+ frames that are nowhere else/)
    })

    it.each([
      ['is gone', () => rmSync(`${file}-wal`)],
      ['was cut', () => truncateSync(`${file}-wal`, frameAt(30))],
      [
        'has a damaged byte',
        () => patch(`${file}-wal`, (log) => log.writeUInt8(log.readUInt8(log.length - 9) ^ 1, log.length - 9)),
      ],
    ])('and leaves what tells that it %s to be found again, changing nothing', (_, damage) => {
      takeKilled()
      damage()
      const [index, database] = [readFileSync(`${file}-shm`), readFileSync(file)]
      const found = findings()
      expect(found).toEqual([expect.stringMatching(/^The write-ahead log \S+-wal is damaged/)])
      expect(checkFile(file).remarks).toEqual([expect.stringContaining('check the copy')])
      expect(findings()).toEqual(found)
      expect(readFileSync(`${file}-shm`).equals(index)).toBe(true)
      expect(readFileSync(file).equals(database)).toBe(true)
    })

    it('and takes a write that was interrupted for no damage', () => {
      takeKilled()
      rmSync(`${file}-shm`)
      const log = readFileSync(`${file}-wal`)
      truncateSync(`${file}-wal`, log.length - 100)
      expect(findings()).toEqual([])
    })

    it('and does without the shared index when that is damaged', () => {
      takeKilled()
      writeFileSync(`${file}-shm`, 'x'.repeat(32_768))
      expect(findings()).toEqual([])
    })
  })

  it.each([
    ['nothing', () => {}, /cannot be read: there is no such file/],
    ['an empty file', () => writeFileSync(file, ''), /is empty \(0 bytes\): its content was lost/],
    ['a directory', () => mkdirSync(file), /cannot be read: it is a directory/],
    [
      'a text',
      () => writeFileSync(file, 'A text. '.repeat(2000)),
      /is no SQLite database, .*: it begins with "A text. A text. "/,
    ],
    ['a few bytes', () => writeFileSync(file, 'SQLite format 3\u0000'), /is no SQLite database/],
    [
      'the database of somebody else',
      () => new Database(file).exec('CREATE TABLE theirs (x)').close(),
      /not one of Quarry/,
    ],
  ])('says so when there is %s', (_, make, finding) => {
    make()
    expect(findings()[0]).toMatch(finding)
  })

  it('counts what it does not list', () => {
    takeStopped()
    const connection = new Database(file)
    connection.exec("UPDATE record SET doc = '{}'")
    connection.close()
    expect(findings()).toHaveLength(101)
    expect(findings().at(-1)).toMatch(/^There are \d{3} more findings\.$/)
  })
})
