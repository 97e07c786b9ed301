import { afterAll, beforeAll, expect, test } from 'vitest'
import { methodKind } from '../../src/records/kinds/plain-kinds.ts'
import { changeTogether } from '../../src/records/use-cases/bulk-change.ts'
import { select } from '../../src/records/use-cases/bulk-selection.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { getRecord } from '../../src/records/use-cases/read-records.ts'
import { undoChange } from '../../src/records/use-cases/undo.ts'
import { updateRecord } from '../../src/records/use-cases/update-record.ts'
import type { RecordDeps } from '../../src/records/work/deps.ts'
import type { RecordStore } from '../../src/store/port/record-store.ts'
import { documentOf, openRecordRoom, type RecordRoom } from './support/record-room.ts'
import { refusalOf } from './support/refusal.ts'

let room: RecordRoom
beforeAll(async () => {
  room = await openRecordRoom()
})
afterAll(() => room.close())

async function makeMethods(count: number): Promise<readonly string[]> {
  const methods = Array.from({ length: count }, () => ({ type: 'dft', subtype: 'gga', name: 'one', tags: ['a'] }))
  return Promise.all(methods.map(async (method) => (await createRecord(room.methods(room.ada), method)).id))
}

const read = async (id: string) => documentOf(await getRecord(room.methods(room.ada), id))
const change = (id: string, update: object) => updateRecord(room.methods(room.ada), id, { ...update })

/** Does something once, right before the store is given changes. */
function depsWithAnother(meanwhile: () => Promise<unknown>): {
  readonly deps: RecordDeps
  readonly tries: () => number
} {
  let tries = 0
  const store: RecordStore = Object.create(room.deps.store)
  store.apply = async (...given) => {
    tries += 1
    if (tries === 1) await meanwhile()
    return room.deps.store.apply(...given)
  }
  return { deps: { ...room.deps, store }, tries: () => tries }
}

test('a change holds as many characters as it may, and what is more is refused', async () => {
  const ids = await makeMethods(3)
  const lengths = await Promise.all(ids.map(async (id) => (await getRecord(room.methods(room.ada), id)).text.length))
  const all = lengths.reduce((sum, length) => sum + length, 0)
  expect((await select(room.methods(room.ada), { ids }, all)).records).toHaveLength(3)
  const refusal = await refusalOf(() => select(room.methods(room.ada), { ids }, all - 1))
  expect([refusal.code, refusal.data.limit]).toEqual([42204, all - 1])
})

test('what somebody changes while many are changed is not lost, and the others are not changed without it', async () => {
  const [one, other] = (await makeMethods(2)) as [string, string]
  const { deps, tries } = depsWithAnother(() => change(other, { $addToSet: { tags: 'theirs' } }))
  const request = { meant: { ids: [one, other] }, change: { $addToSet: { tags: 'ours' } }, dryRun: false }
  expect(await changeTogether({ ...room.methods(room.ada), deps }, request)).toMatchObject({
    outcome: { matched: 2, changed: 2 },
  })
  expect(tries()).toBe(2)
  expect([(await read(one)).tags, (await read(other)).tags]).toEqual([
    ['a', 'ours'],
    ['a', 'theirs', 'ours'],
  ])
})

test('what somebody changes while a change is undone stays, and the rest is undone', async () => {
  const [one, other] = (await makeMethods(2)) as [string, string]
  const request = { meant: { ids: [one, other] }, change: { rank: 1 }, dryRun: false }
  const { undo } = (await changeTogether(room.methods(room.ada), request)).outcome
  const { deps, tries } = depsWithAnother(() => change(other, { rank: 2 }))
  expect((await undoChange({ deps, session: room.ada }, [methodKind], undo ?? '')).outcome).toEqual({
    collection: 'methods',
    undone: 1,
    skipped: [{ _id: other, reason: 'changed' }],
  })
  expect(tries()).toBe(2)
  expect([(await read(one)).rank, (await read(other)).rank]).toEqual([undefined, 2])
})
