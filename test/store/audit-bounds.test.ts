import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

const DAY_MS = 86_400_000
const NOTE = { action: 'store.backed-up', kind: 'store', object: null } as const

let dataDirectory: string
let now: number
let store: Store | undefined
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-audit-'))
  now = Date.UTC(2026, 0, 15)
})
afterEach(async () => {
  await store?.close()
  await rm(dataDirectory, { recursive: true, force: true })
})

const open = async (audit: { days: number; rows: number }) => {
  store = await openSqliteStore({ dataDirectory, audit, clock: () => now })
  return store.audit
}

test('the audit keeps rows for as many days as it is told to', async () => {
  const audit = await open({ days: 30, rows: 1000 })
  await audit.note(NOTE)
  now += 29 * DAY_MS
  await Promise.all(Array.from({ length: 600 }, () => audit.note(NOTE)))
  expect(await audit.read({ limit: 10_000 })).toHaveLength(601)
  now += 2 * DAY_MS
  await Promise.all(Array.from({ length: 500 }, () => audit.note(NOTE)))
  const rows = await audit.read({ limit: 10_000 })
  expect(rows).toHaveLength(1100)
  expect(rows.every(({ at }) => at > now - 30 * DAY_MS)).toBe(true)
})

test('the audit has no more rows than it is told to, but for those between two looks', async () => {
  const audit = await open({ days: 30, rows: 1000 })
  await Promise.all(Array.from({ length: 4000 }, (_, n) => audit.note({ ...NOTE, object: String(n) })))
  const rows = await audit.read({ limit: 10_000 })
  expect(rows.length).toBeGreaterThanOrEqual(1000)
  expect(rows.length).toBeLessThanOrEqual(1500)
  expect(rows.at(-1)?.object).toBe('3999')
})

test('what is too much for one look goes with the next ones', async () => {
  const audit = await open({ days: 30, rows: 1_000_000 })
  await Promise.all(Array.from({ length: 3000 }, () => audit.note(NOTE)))
  now += 31 * DAY_MS
  for (let look = 0; look < 4; look++) await Promise.all(Array.from({ length: 500 }, () => audit.note(NOTE)))
  expect(await audit.read({ limit: 10_000 })).toHaveLength(2000)
})
