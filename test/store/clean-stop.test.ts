import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { logToLines } from '../support/log-lines.ts'
import { insertion, planOf } from '../support/plans.ts'

const CHILD = fileURLToPath(new URL('./writing-child.ts', import.meta.url))

describe('a store that is closed', () => {
  let directory: string
  let dataDirectory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'quarry-stop-'))
    dataDirectory = join(directory, 'data')
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const open = (options = {}) => openSqliteStore({ dataDirectory, ...options })
  const documents = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => insertion('c', `${from + i}`, { i: from + i, text: 'x'.repeat(500) }))

  /** How many documents are in the database file by itself, as somebody has it who copies that file alone. */
  async function countInFileAlone(): Promise<number> {
    const copy = join(directory, 'copy')
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy)
    copyFileSync(join(dataDirectory, DATABASE_FILE), join(copy, DATABASE_FILE))
    const store = await openSqliteStore({ dataDirectory: copy })
    try {
      expect(await store.check(() => {})).toEqual([])
      return await store.records.count(planOf('c'))
    } finally {
      await store.close()
    }
  }

  const logBytes = () => statSync(join(dataDirectory, `${DATABASE_FILE}-wal`), { throwIfNoEntry: false })?.size ?? 0

  it('leaves everything in the database file, and nothing in its log', async () => {
    const store = await open()
    await store.records.applyEach(documents(0, 2000))
    expect(logBytes()).toBeGreaterThan(1_000_000)
    await store.close()
    expect(logBytes()).toBe(0)
    expect(await countInFileAlone()).toBe(2000)
  })

  it('does so as well when it is the last of several, none of which wrote but the first', async () => {
    const [writer, one, other] = [await open(), await open(), await open()]
    await writer.records.applyEach(documents(0, 300))
    await one.records.count(planOf('c'))
    for (const store of [writer, one, other]) await store.close()
    expect(logBytes()).toBe(0)
    expect(await countInFileAlone()).toBe(300)
  })

  it('does so for what a process left behind that was killed', async () => {
    const bystander = await open()
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(logBytes()).toBeGreaterThan(0)
    const count = await bystander.records.count(planOf('c'))
    await bystander.close()
    expect(logBytes()).toBe(0)
    // What it had written to the log and not yet told others of, when it was killed, is there as well.
    expect(await countInFileAlone()).toBeGreaterThanOrEqual(count)
  })

  it('closes beside somebody who reads an old state, tells so and loses nothing', async () => {
    const { log, lines } = logToLines()
    const store = await open({ log })
    await store.records.applyEach(documents(0, 10))
    const reader = new Database(join(dataDirectory, DATABASE_FILE), { readonly: true })
    reader.exec('BEGIN; SELECT count(*) FROM record')
    await store.records.applyEach(documents(10, 10))
    await store.close()
    expect(lines).toMatchObject([{ event: 'store.log-not-settled', reason: 'another process reads or writes' }])
    expect(logBytes()).toBeGreaterThan(0)
    reader.close()
    await (await open()).close()
    expect(logBytes()).toBe(0)
    expect(await countInFileAlone()).toBe(20)
  })

  it('writes nothing when it was opened for reading only', async () => {
    await (await open()).close()
    const before = statSync(join(dataDirectory, DATABASE_FILE)).mtimeMs
    await (await open({ readOnly: true })).close()
    expect(statSync(join(dataDirectory, DATABASE_FILE)).mtimeMs).toBe(before)
  })
})
