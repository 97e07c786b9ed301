import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANSWERS_KEPT_MS, MOST_ANSWERS } from '../../src/store/port/answers.ts'
import type { Store } from '../../src/store/port/store.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

const NOW = 1_700_000_000_000

let dataDirectory: string
let store: Store
let file: Database.Database
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-answers-'))
  store = await openSqliteStore({ dataDirectory })
  file = new Database(join(dataDirectory, DATABASE_FILE))
})
afterEach(async () => {
  file.close()
  await store.close()
  await rm(dataDirectory, { recursive: true, force: true })
})

const keep = (accountId: string, key: string, at = NOW) =>
  store.answers.keep({ accountId, key, asked: 'asked', answer: 'answer', record: null, at })
/** The keys of the answers that lie in the file, whether or not they are found. */
const kept = (accountId: string) =>
  file.prepare<[string], string>('SELECT key FROM answer WHERE account = ? ORDER BY place').pluck().all(accountId)

test('answers of an account that are older than a day go with the next one', async () => {
  await keep('ada', 'first')
  await keep('ada', 'second', NOW + 1)
  await keep('bob', 'of bob')
  await keep('ada', 'third', NOW + ANSWERS_KEPT_MS)
  expect([kept('ada'), kept('bob')]).toEqual([['second', 'third'], ['of bob']])
})

test('an account keeps so many answers, the newest', async () => {
  for (const key of ['first', 'second', 'third']) await keep('ada', key)
  file.prepare("UPDATE answer SET place = place + ? WHERE key <> 'first'").run(MOST_ANSWERS - 4)
  await keep('ada', 'the last there may be')
  expect(kept('ada')).toEqual(['first', 'second', 'third', 'the last there may be'])
  await keep('ada', 'one more')
  expect(kept('ada')).toEqual(['second', 'third', 'the last there may be', 'one more'])
})
