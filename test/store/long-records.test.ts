import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { accountScope, insertion } from '../support/plans.ts'

/** Reads of one user that may wait at a time. */
const PLACES = 64

it('long records of one account leave others their places', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-long-records-'))
  const store = await openSqliteStore({ dataDirectory, tends: false, readerThreads: 1 })
  try {
    const long = { name: 'a'.repeat(300_000) }
    for (const accountId of ['alice', 'bob'])
      await store.records.apply([insertion('c', accountId, long, { accountId })])
    const read = (who: string) => store.records.read('c', accountScope(who), who)
    const ofAlice = Array.from({ length: PLACES }, () => read('alice'))
    const tooMany = read('alice')
    const ofBob = read('bob')
    await expect(tooMany).rejects.toMatchObject({ code: expect.any(Number) })
    expect(await ofBob).not.toBeNull()
    for (const each of ofAlice) expect(await each).not.toBeNull()
  } finally {
    await store.close()
    rmSync(dataDirectory, { recursive: true })
  }
})
