import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { pagesOf, patch, zeroPage } from '../support/damage.ts'
import { insertion, planOf } from '../support/plans.ts'

describe('a server that starts', () => {
  let directory: string
  let dataDirectory: string
  let file: string
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'quarry-look-'))
    dataDirectory = join(directory, 'data')
    file = join(dataDirectory, DATABASE_FILE)
    const store = await openSqliteStore({ dataDirectory })
    const documents = Array.from({ length: 600 }, (_, i) => insertion('c', `n${i}`, { i, text: 'word '.repeat(50) }))
    await store.records.applyEach(documents)
    const killed = join(directory, 'killed')
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(file + suffix, killed + suffix)
    await store.close()
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const start = () => openSqliteStore({ dataDirectory, verifies: true })

  function alter(script: string): void {
    const connection = new Database(file)
    connection.exec(script)
    connection.close()
  }

  function takeKilled(): void {
    for (const suffix of ['', '-wal', '-shm']) copyFileSync(join(directory, 'killed') + suffix, file + suffix)
  }

  async function refusal(): Promise<string> {
    const before = readFileSync(file)
    const error = await start().then(
      (store) => store.close(),
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ code: 50022, data: { hint: expect.stringContaining('quarry restore') } })
    expect(readFileSync(file).equals(before)).toBe(true)
    return (error as Error).message
  }

  it('starts where nothing is wrong, after a clean stop and after none', async () => {
    await (await start()).close()
    takeKilled()
    const store = await start()
    expect(await store.records.count(planOf('c'))).toBe(600)
    await store.close()
  })

  it.each([
    [
      'a text',
      `UPDATE record SET doc = replace(doc, 'word', 'wore') WHERE id = 'n77'`,
      /Record n77: it is not what was written/,
    ],
    ['a scope', `UPDATE record SET scope = 0 WHERE id = 'n598'`, /Record n598: it is not what was written/],
    ['a table', 'DROP TABLE tail', /The table tail is missing/],
    ['an index', 'DROP INDEX record_scope', /The index record_scope is missing/],
  ])('refuses %s that is not as it was written', async (_, script, finding) => {
    alter(script)
    expect(await refusal()).toMatch(finding)
  })

  it.each(['record', 'segment', 'chunk', 'home', 'user', 'record_id', 'token'])(
    'refuses a damaged page of %s',
    async (name) => {
      zeroPage(file, pagesOf(file, name)[0])
      expect(await refusal()).toMatch(
        /is damaged; nothing was written to it:\nPage \d+, of the (table|index) \w+, is damaged/,
      )
    },
  )

  it('refuses a file that has been cut, and one whose list of tables cannot be read', async () => {
    truncateSync(file, statSync(file).size - 8192)
    expect(await refusal()).toMatch(/The file has been cut: 2 of its \d+ pages are missing/)
  })

  it('refuses a first page that is damaged', async () => {
    patch(file, (bytes) => bytes.fill(0, 100, 4096))
    expect(await refusal()).toMatch(/damaged/)
  })

  it('refuses a log that is damaged, and leaves it to be looked at', async () => {
    takeKilled()
    patch(`${file}-wal`, (log) => log.writeUInt8((log.readUInt8(9000) + 1) % 256, 9000))
    const before = readFileSync(`${file}-wal`)
    expect(await refusal()).toMatch(/The write-ahead log \S+ is damaged: frame 3 is not what was written/)
    expect(readFileSync(`${file}-wal`).equals(before)).toBe(true)
  })

  it('refuses the log to commands as well, which would end it where it is damaged', async () => {
    takeKilled()
    patch(`${file}-wal`, (log) => log.writeUInt8((log.readUInt8(9000) + 1) % 256, 9000))
    await expect(openSqliteStore({ dataDirectory })).rejects.toMatchObject({ code: 50022 })
  })
})
