import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'

const SCOPE = { kind: 'public' } as const
/** More turns than it takes for a state to be kept from one to the next. */
const MANY_TURNS = 250

let directory: string
let store: Store
let other: Store
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-state-'))
  store = await openSqliteStore({ dataDirectory: directory })
  other = await openSqliteStore({ dataDirectory: directory })
  await write(store, 'known')
})
afterEach(async () => {
  await store.close()
  await other.close()
  rmSync(directory, { recursive: true })
})

const write = (by: Store, id: string) =>
  by.records.apply([
    { action: 'insert', collection: 'materials', id, accountId: 'a', isPublic: true, text: `{"_id":"${id}"}` },
  ])
const has = async (id: string) => (await store.records.read('materials', SCOPE, id)) !== null

async function readForTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    expect(await has('known')).toBe(true)
    await nextTurn()
  }
}

describe.each([
  ['in the first turn', 0],
  ['after a few turns', 3],
  ['after many quiet turns', MANY_TURNS],
])('what is read %s', (_when, turns) => {
  test('holds what this store has just written', async () => {
    await readForTurns(turns)
    expect(await has('new')).toBe(false)
    await write(store, 'new')
    expect(await has('new')).toBe(true)
  })

  test('holds what another process has just written', async () => {
    await readForTurns(turns)
    expect(await has('new')).toBe(false)
    await write(other, 'new')
    expect(await has('new')).toBe(true)
  })

  test('holds the marks and accounts of another process', async () => {
    await readForTurns(turns)
    await other.writeMark('colour', 'blue')
    expect(await store.readMark('colour')).toBe('blue')
    await readForTurns(turns)
    const account = {
      id: 'lab',
      name: 'lab',
      slug: 'lab',
      type: 'personal',
      email: null,
      createdAt: 0,
      title: null,
      description: null,
    } as const
    const user = { id: 'ann', name: 'ann', slug: 'ann', email: null, passwordHash: '', createdAt: 0, disabledAt: null }
    await other.accounts.insertUser({ ...user, defaultAccountId: 'lab' }, account)
    expect(await store.accounts.findUserByLogin('ann')).not.toBeNull()
  })

  test('has another change counter once anybody has written', async () => {
    await readForTurns(turns)
    const counters = [await store.records.readChangeCounter(SCOPE)]
    await write(other, 'one')
    counters.push(await store.records.readChangeCounter(SCOPE))
    await write(store, 'two')
    counters.push(await store.records.readChangeCounter(SCOPE))
    expect(new Set(counters).size).toBe(3)
  })
})

test('a change counter is never newer than what is read with it, however long a turn is', async () => {
  for (let round = 0; round < 20; round++) {
    const written = write(other, `round-${round}`)
    const unseen = new Set<number>()
    for (let turn = 0; turn < 30; turn++) {
      for (let read = 0; read < 130; read++) {
        const counter = await store.records.readChangeCounter(SCOPE)
        if (!(await has(`round-${round}`))) unseen.add(counter)
      }
      await nextTurn()
    }
    await written
    expect(await has(`round-${round}`)).toBe(true)
    expect(unseen).not.toContain(await store.records.readChangeCounter(SCOPE))
  }
})
