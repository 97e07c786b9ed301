import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { accountScope, insertion, OPERATOR, planOf } from '../support/plans.ts'

const OWNER = accountScope('owner')
const DAMAGED = { code: 50020, message: expect.stringContaining('damaged') }

describe('the checksum of a row', () => {
  let dataDirectory: string
  let store: Store
  beforeEach(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-checksums-'))
    store = await openSqliteStore({ dataDirectory })
    await store.records.apply([insertion('c', 'a', { name: 'a1' }), insertion('c', 'b', { name: 'b' })])
    await store.records.apply([insertion('c', 'gone', { name: 'gone' }), insertion('d', 'a', { name: 'other' })])
    await store.records.apply([replacement('a', 1, { name: 'a2' })])
    await store.records.apply([
      { action: 'remove', collection: 'c', id: 'gone', accountId: 'owner', expectedVersion: 1, note: 'bye' },
    ])
  })
  afterEach(async () => {
    await store.close()
    rmSync(dataDirectory, { recursive: true, force: true })
  })

  const replacement = (id: string, expectedVersion: number, document: object) =>
    ({
      action: 'replace',
      collection: 'c',
      id,
      accountId: 'owner',
      expectedVersion,
      isPublic: false,
      text: JSON.stringify(document),
    }) as const

  function alter(script: string): void {
    const connection = new Database(join(dataDirectory, DATABASE_FILE))
    connection.pragma('foreign_keys = OFF')
    connection.exec(script)
    connection.close()
  }

  async function exportedLines(): Promise<string[]> {
    const lines: string[] = []
    for await (const chunk of store.records.stream(planOf('c'))) lines.push(...String(chunk).trimEnd().split('\n'))
    return lines
  }

  it('is right for whatever text a record, its note and its id have', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', 'α\u0000β', 'Å', '\n'))
    let count = 0
    const property = fc.asyncProperty(text, fc.option(text, { nil: undefined }), async (content, note) => {
      const id = `id ${count++} ${content.slice(0, 5)}`
      const change = { ...insertion('c', id, { content }), ...(note === undefined ? {} : { note }) }
      await store.records.apply([change])
      expect((await store.records.read('c', OWNER, id))?.text).toBe(JSON.stringify({ content }))
    })
    await fc.assert(property, { numRuns: 100 })
    expect(await store.check(() => {})).toEqual([])
  })

  it.each([
    ['its text', `UPDATE record SET doc = '{"name":"a3"}' WHERE id = 'a' AND version = 2`],
    ['its version', `UPDATE record SET version = 7 WHERE id = 'a' AND version = 2`],
    ['its note', `UPDATE record SET note = 'x' WHERE id = 'a' AND version = 2`],
    ['its checksum', `UPDATE record SET checksum = checksum + 1 WHERE id = 'a' AND version = 2`],
    [
      'its place',
      `UPDATE record SET id = 'x' WHERE id = 'b'; UPDATE record SET id = 'b' WHERE id = 'a' AND collection = 1; UPDATE record SET id = 'a' WHERE id = 'x'`,
    ],
  ])('tells that %s has changed: it is found by check and neither served nor copied', async (_, script) => {
    alter(script)
    const findings = await store.check(() => {})
    expect(findings).toContainEqual(expect.stringMatching(/^Record a: it is not what was written\.$/))
    await expect(store.records.read('c', OPERATOR, 'a')).rejects.toMatchObject(DAMAGED)
    await expect(store.records.read('c', accountScope('owner'), 'a')).rejects.toMatchObject(DAMAGED)
    await expect(async () => {
      for await (const _chunk of store.records.stream(planOf('c')));
    }).rejects.toMatchObject(DAMAGED)
    await expect(store.records.apply([replacement('a', 2, {})])).rejects.toMatchObject(DAMAGED)
  })

  it.each([
    ['who it belongs to', `UPDATE record SET scope = 0 WHERE id = 'a' AND version = 2`],
    ['its number', `UPDATE record SET n = 99 WHERE id = 'a' AND version = 2`],
  ])(
    'tells that %s has changed: no segment and no home knows it there, so that it is found by check and not served',
    async (_, script) => {
      alter(script)
      const findings = await store.check(() => {})
      expect(findings).toContainEqual(expect.stringMatching(/^Record a: it is not what was written\.$/))
      expect(findings).toContainEqual(expect.stringMatching(/^1 records of c are in no segment\.$/))
      const read = await store.records.read('c', OPERATOR, 'a').catch((error: unknown) => error)
      expect([null, expect.objectContaining(DAMAGED)]).toContainEqual(read)
      const exported = await exportedLines().catch((error: unknown) => error)
      expect([['{"name":"b"}'], expect.objectContaining(DAMAGED)]).toContainEqual(exported)
      const [replaced] = await store.records.apply([replacement('a', 2, {})]).catch(() => [{ outcome: 'refused' }])
      expect(['missing', 'refused']).toContain(replaced?.outcome)
    },
  )

  it('guards earlier versions', async () => {
    alter(`UPDATE revision SET doc = '{"name":"a0"}'`)
    expect(await store.check(() => {})).toEqual(['Version 1 of record number 1: it is not what was written.'])
    await expect(store.records.readRevision('c', OWNER, 'a', 1)).rejects.toMatchObject(DAMAGED)
    expect(await store.records.readRevision('c', OWNER, 'a', 2)).toBe('{"name":"a2"}')
  })

  it.each([
    `UPDATE removed SET doc = '{"name":"gon"}'`,
    `UPDATE removed SET is_public = 1`,
    `UPDATE removed SET removal = 'hi'`,
  ])('guards removed records: %s', async (script) => {
    alter(script)
    expect(await store.check(() => {})).toEqual(['Removed record gone: it is not what was written.'])
    await expect(store.records.readRemoved('c', OWNER, 'gone')).rejects.toMatchObject(DAMAGED)
    const restoring = store.records.apply([
      {
        action: 'restore',
        collection: 'c',
        id: 'gone',
        accountId: 'owner',
        expectedVersion: 1,
        isPublic: false,
        text: '{}',
      },
    ])
    await expect(restoring).rejects.toMatchObject(DAMAGED)
  })
})
