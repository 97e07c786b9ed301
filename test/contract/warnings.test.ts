import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { endServer, postgresUnderTest } from '../support/postgres-under-test.ts'
import { sqliteUnderTest } from '../support/sqlite-under-test.ts'
import { STORE } from '../support/storage.ts'
import { triesOf } from '../support/study.ts'
import { warningsAreTrue } from '../support/true-warnings.ts'

const SEED = 20_240_131
const isOnPostgres = STORE === 'postgres'
afterAll(endServer)

describe(`warnings of random filters, by the store in ${STORE}`, () => {
  it('say nothing that the records do not say', async () => {
    const runs = triesOf('warnings')
    const told = new Map<number, number>()
    const onTold = (code: number) => told.set(code, (told.get(code) ?? 0) + 1)
    const property = warningsAreTrue(isOnPostgres ? postgresUnderTest : sqliteUnderTest, onTold)
    await fc.assert(property, { numRuns: isOnPostgres ? Math.ceil(runs / 15) : runs, seed: SEED })
    expect([...told.keys()].sort()).toEqual(
      expect.arrayContaining(isOnPostgres ? [20001, 20002] : [20001, 20002, 20005, 20009]),
    )
  })
})
