import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ChangeFeed, eventStream, LOOK_MS } from '../../src/http/response/change-feed.ts'
import { type Scope, scopeName } from '../../src/query/plan.ts'
import type { RecordStore } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { accountScope, insertion, PUBLIC } from '../support/plans.ts'
import { newStorage, type Storage } from '../support/storage.ts'

const SOON = { timeout: 20_000, interval: 10 }
const [ADA, BOB] = [accountScope('ada'), accountScope('bob')]

let storage: Storage
let store: Store
let feed: ChangeFeed
/** The scopes of which it was asked since `ask` was called last how far they are. */
let asked: string[]
/** Whether the store is out of reach. */
let fails: boolean

/** The store, with a list of what it is asked. */
function counted(records: RecordStore): Pick<RecordStore, 'readChangeCounter' | 'readCollectionMarks'> {
  return {
    readChangeCounter(scope: Scope) {
      asked.push(scopeName(scope))
      return fails ? Promise.reject(new Error('out of reach')) : records.readChangeCounter(scope)
    },
    readCollectionMarks: (scope) => records.readCollectionMarks(scope),
  }
}

const write = (collection: string, id: string, accountId = 'ada') =>
  store.records.apply([insertion(collection, id, {}, { accountId })])

/** Lets it be time for a look; gives whom it was asked for. */
async function look(): Promise<readonly string[]> {
  asked = []
  vi.advanceTimersByTime(LOOK_MS)
  // A second look is none while the first one lasts.
  await new Promise((resolve) => setImmediate(resolve))
  return asked
}

/** Listens; gives what was heard, and what ends it. */
async function listen(scope: Scope): Promise<{ heard: (readonly string[])[]; end: () => void }> {
  const heard: (readonly string[])[] = []
  return { heard, end: await feed.listen(scope, (collections) => heard.push(collections)) }
}

describe('the feed of changes', () => {
  beforeEach(async () => {
    storage = await newStorage()
    store = await storage.open()
    asked = []
    fails = false
    feed = new ChangeFeed(counted(store.records))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(async () => {
    feed.close()
    vi.useRealTimers()
    await store.close()
    await storage.remove()
  })

  test('asks for those who listen, once for all who look at the same, and for nobody else', async () => {
    const [one, other, third] = [await listen(ADA), await listen(ADA), await listen(BOB)]
    await expect.poll(look, SOON).toEqual([scopeName(ADA), scopeName(BOB)])
    third.end()
    await expect.poll(look, SOON).toEqual([scopeName(ADA)])
    one.end()
    await expect.poll(look, SOON).toEqual([scopeName(ADA)])
    await write('c', 'x')
    await expect.poll(async () => (await look()) && other.heard, SOON).toEqual([['c']])
    expect(one.heard).toEqual([])
    other.end()
    expect(await look()).toEqual([])
  })

  test('has no timer when nobody listens, and one again when somebody does', async () => {
    expect(vi.getTimerCount()).toBe(0)
    const [one, other] = [await listen(ADA), await listen(PUBLIC)]
    expect(vi.getTimerCount()).toBe(1)
    one.end()
    expect(vi.getTimerCount()).toBe(1)
    other.end()
    expect(vi.getTimerCount()).toBe(0)
    const { heard } = await listen(ADA)
    await write('c', 'x')
    await expect.poll(async () => (await look()) && heard, SOON).toEqual([['c']])
    feed.close()
    expect([vi.getTimerCount(), await look()]).toEqual([0, []])
  })

  test('tells of a change once', async () => {
    const { heard } = await listen(ADA)
    await write('c', 'x')
    await expect.poll(async () => (await look()) && heard, SOON).toEqual([['c']])
    await write('d', 'x')
    await expect.poll(async () => (await look()) && heard.length, SOON).toBe(2)
    expect(heard).toEqual([['c'], ['d']])
    await look()
    await look()
    expect(heard).toHaveLength(2)
  })

  test('looks again when the store was out of reach, and tells what has changed meanwhile', async () => {
    const { heard } = await listen(ADA)
    fails = true
    await expect.poll(look, SOON).toEqual([scopeName(ADA)])
    await write('c', 'x')
    fails = false
    await expect.poll(async () => (await look()) && heard, SOON).toEqual([['c']])
  })

  test('asks for nobody who could not begin to listen', async () => {
    fails = true
    await expect(listen(ADA)).rejects.toThrow('out of reach')
    expect([vi.getTimerCount(), await look()]).toEqual([0, []])
    fails = false
    const { heard } = await listen(ADA)
    await write('c', 'x')
    await expect.poll(async () => (await look()) && heard, SOON).toEqual([['c']])
  })
})

test.each(['its client goes', 'it is read no more'])('a stream listens no more when %s', async (how) => {
  const gone = new AbortController()
  let listeners = 0
  const stream = eventStream({
    async listen() {
      listeners += 1
      return () => {
        listeners -= 1
      }
    },
    mayGoOn: async () => true,
    isTold: () => true,
    signal: gone.signal,
  })
  expect((await stream.next()).value).toContain('event: ready')
  expect(listeners).toBe(1)
  if (how === 'its client goes') {
    gone.abort()
    expect((await stream.next()).done).toBe(true)
  } else await stream.return(undefined)
  expect(listeners).toBe(0)
})
