import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../../src/store/port/record-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { documentsOf, insertion, OPERATOR, planOf } from '../support/plans.ts'

type Store = Awaited<ReturnType<typeof openSqliteStore>>

describe('changes with more text than is copied in one go', () => {
  let dataDirectory: string
  let store: Store
  const open = async () => {
    store = await openSqliteStore({ dataDirectory })
  }
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-large-'))
    await open()
  })
  afterEach(async () => {
    await store.close()
    await rm(dataDirectory, { recursive: true, force: true })
  })

  /** No beginning of it is the beginning of what follows a part. */
  const textOf = (length: number) => '0123456789'.repeat(length / 10 + 1).slice(0, length)
  /** Some larger, some smaller than a part. */
  const LENGTHS = [10, 700_000, 700_000, 3_000_000, 10, 10, 1_500_000, 1, 2 ** 20, 2 ** 21]
  const large = (prefix: string): Change[] =>
    LENGTHS.map((length, n) => insertion('c', `${prefix}${n}`, { name: `${prefix}${n}`, text: textOf(length) }))
  const names = async () => {
    const page = await store.records.find(planOf('c', {}, { limit: 100, fields: { name: 1 } }))
    return documentsOf(page).map(({ name }) => name)
  }
  const isWhole = async (id: string, length: number) =>
    (JSON.parse((await store.records.read('c', OPERATOR, id))?.text ?? '{}') as { readonly text?: string }).text ===
    textOf(length)

  it('are made in their order, others in between, each with its outcome', async () => {
    const results = await Promise.all([
      store.records.apply(large('a')),
      store.records.apply([insertion('c', 'small', { name: 'small' })]),
      store.records.apply(large('b')),
    ])
    expect(results.map((outcomes) => outcomes.map(({ outcome }) => outcome))).toEqual([
      LENGTHS.map(() => 'done'),
      ['done'],
      LENGTHS.map(() => 'done'),
    ])
    const found = await names()
    for (const prefix of ['a', 'b']) {
      const own = found.filter((name) => String(name).startsWith(prefix))
      expect(own).toEqual(LENGTHS.map((_, n) => `${prefix}${n}`))
      const whole = LENGTHS.map((length, n) => isWhole(`${prefix}${n}`, length))
      expect(await Promise.all(whole)).toEqual(LENGTHS.map(() => true))
    }
  })

  it('are made each by itself in bulk, in their order, each with its outcome', async () => {
    await store.records.apply([insertion('c', 'a3', { name: 'before' })])
    const results = await store.records.applyEach(large('a'))
    expect(results.map(({ outcome }) => outcome)).toEqual(LENGTHS.map((_, n) => (n === 3 ? 'exists' : 'done')))
    expect(await names()).toEqual(['before', ...LENGTHS.flatMap((_, n) => (n === 3 ? [] : [`a${n}`]))])
    expect(await Promise.all(LENGTHS.map((length, n) => isWhole(`a${n}`, length)))).toEqual(
      LENGTHS.map((_, n) => n !== 3),
    )
  })

  it('are made all or none', async () => {
    await store.records.apply([insertion('c', 'a6', { name: 'first' })])
    const outcomes = (await store.records.apply(large('a'))).map(({ outcome }) => outcome)
    expect(outcomes[6]).toBe('exists')
    expect(await names()).toEqual(['first'])
  })

  it('are made to their end by a store that is closing', async () => {
    const made = store.records.apply(large('a'))
    await store.close()
    expect((await made).every(({ outcome }) => outcome === 'done')).toBe(true)
    await open()
    expect(await names()).toHaveLength(LENGTHS.length)
  })
})
