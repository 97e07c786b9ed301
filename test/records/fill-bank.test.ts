import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Session } from '../../src/accounts/session.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { planQuery } from '../../src/query/plan.ts'
import { addressOf } from '../../src/records/ids.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { methodKind } from '../../src/records/kinds/plain-kinds.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { fillBank } from '../../src/records/work/bank-changes.ts'
import { material } from '../http/support/records.ts'
import { openRecordRoom, type RecordRoom } from './support/record-room.ts'

let room: RecordRoom
beforeEach(async () => {
  room = await openRecordRoom()
})
afterEach(() => room.close())

const create = async (session: Session, a: number, isPublic: boolean) => {
  await createRecord(room.materials(session), material(`a = ${a}`, { isPublic }, a) as never)
}

/** The entries of the bank: lattice constant and how many share it. */
async function bank(): Promise<unknown> {
  const request = { filter: parseFilter({}), sort: [], fields: null, skip: 0, limit: 500 }
  const { documents } = await room.deps.store.find(planQuery(request, 'bank-materials', { kind: 'public' }))
  return JSON.parse(documents.toString()).map((entry: { lattice: { a: number }; sharedCount: number }) => [
    entry.lattice.a,
    entry.sharedCount,
  ])
}

/** Makes the store one from before there was a bank. */
async function emptyBank(): Promise<void> {
  const request = { filter: parseFilter({}), sort: [], fields: null, skip: 0, limit: 500 }
  const { documents } = await room.deps.store.find(planQuery(request, 'bank-materials', { kind: 'public' }))
  for (const { _id } of JSON.parse(documents.toString())) {
    const entry = await room.deps.store.read('bank-materials', { kind: 'public' }, _id)
    if (entry !== null) await room.deps.store.apply([{ action: 'erase', ...addressOf('bank-materials', entry) }])
  }
}

test('the bank of an older store gets what public records share, counted, and nothing of private ones', async () => {
  await create(room.ada, 4.1, true)
  await create(room.bob, 4.1, true)
  await create(room.ada, 4.2, true)
  await create(room.ada, 4.3, false)
  await emptyBank()
  expect(await bank()).toEqual([])
  expect(await fillBank(room.deps, materialKind)).toBe(2)
  expect(await bank()).toEqual([
    [4.1, 2],
    [4.2, 1],
  ])
  expect(await fillBank(room.deps, materialKind)).toBe(0)
})

test('an entry that counts too few is counted anew, and keeps its place', async () => {
  await create(room.ada, 4.1, true)
  await emptyBank()
  await create(room.bob, 4.1, true)
  expect(await bank()).toEqual([[4.1, 1]])
  expect(await fillBank(room.deps, materialKind)).toBe(1)
  expect(await bank()).toEqual([[4.1, 2]])
})

test('a kind without a bank has nothing to fill', async () => {
  expect(await fillBank(room.deps, methodKind)).toBe(0)
})
