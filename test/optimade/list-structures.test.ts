import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { readListingQuery } from '../../src/optimade/entry-query.ts'
import { listStructures } from '../../src/optimade/structures.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { loadSamples } from '../../src/records/samples/load-samples.ts'
import { STORE_ERRORS } from '../../src/store/errors.ts'
import type { RecordStore } from '../../src/store/port/record-store.ts'
import { openRecordRoom, type RecordRoom } from '../records/support/record-room.ts'

let room: RecordRoom
beforeAll(async () => {
  room = await openRecordRoom()
  await loadSamples(room.deps)
})
afterAll(() => room.close())

const query = readListingQuery(new Map([['page_limit', '3']]), DEFAULT_QUERY_BOUNDS)

/** The store, in which counting fails. */
const uncounted = (error: Error): RecordStore =>
  new Proxy(room.deps.store, {
    get: (store, key) => (key === 'count' ? () => Promise.reject(error) : Reflect.get(store, key).bind(store)),
  })

describe('a page of structures', () => {
  test('comes without a count when counting takes too long', async () => {
    const counted = await listStructures(room.deps.store, query)
    // As it comes from a reader thread: with a copy of the row of the catalogue.
    const store = uncounted(new AppError({ ...STORE_ERRORS.timeBudget }, 'The query takes too long.'))
    expect(await listStructures(store, query)).toEqual({ ...counted, matching: null, available: null })
    expect(counted).toMatchObject({ hasMore: true, matching: expect.any(Number), available: counted.matching })
  })

  test('does not come when counting fails for another reason', async () => {
    await expect(listStructures(uncounted(new Error('broken')), query)).rejects.toThrow('broken')
  })
})
