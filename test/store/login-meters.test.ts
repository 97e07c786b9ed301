import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { MeterUse } from '../../src/store/port/account-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

const WINDOW_MS = 600_000

let directory: string
let store: Store
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-meters-'))
  store = await openSqliteStore({ dataDirectory: directory })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

function keysOfMeters(): readonly string[] {
  const connection = new Database(join(directory, DATABASE_FILE), { readonly: true })
  const keys = connection.prepare<[], string>('SELECT key FROM login_meter ORDER BY empty_at').pluck().all()
  connection.close()
  return keys
}

it('keeps a bounded number of meters, those that take longest to empty', async () => {
  const uses = Array.from({ length: 60_000 }, (_, n): MeterUse => ({ key: `${n}`, share: n + 1, windowMs: WINDOW_MS }))
  expect(await store.accounts.countOn(uses, 1000)).toBe(0)
  const keys = keysOfMeters()
  expect(keys).toHaveLength(50_000)
  expect(keys[0]).toBe('10000')
})

it('forgets meters that are empty with the next attempt', async () => {
  await store.accounts.countOn([{ key: 'one', share: 5000, windowMs: WINDOW_MS }], 1000)
  await store.accounts.countOn([{ key: 'other', share: 5000, windowMs: WINDOW_MS }], 7000)
  expect(keysOfMeters()).toEqual(['other'])
})
