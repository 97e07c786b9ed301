import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodKind } from '../../src/records/kinds/plain-kinds.ts'
import { changeTogether } from '../../src/records/use-cases/bulk-change.ts'
import { insertTask, type TaskTold, type TaskWork } from '../../src/records/use-cases/bulk-tasks.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { getRecord } from '../../src/records/use-cases/read-records.ts'
import { undoChange } from '../../src/records/use-cases/undo.ts'
import { listBulkChanges, undoEntriesOf, undoEntry } from '../../src/records/use-cases/undo-entries.ts'
import { commit, stepOf } from '../../src/records/use-cases/write-record.ts'
import { openRecordRoom, type RecordRoom } from './support/record-room.ts'
import { refusalOf } from './support/refusal.ts'

const TASK: TaskTold = {
  _id: '',
  collection: 'methods',
  action: 'update',
  state: 'done',
  matched: 1_500_000,
  done: 1_500_000,
  count: 1_500_000,
  unchanged: 0,
  refused: 0,
  at: '',
  began: null,
  ended: null,
  by: {},
  undo: null,
}
const NOBODY = { via: 'server', address: null, request: null, user: null, account: null } as const
const WORK: TaskWork = {
  change: null,
  strict: false,
  by: NOBODY,
  parts: 0,
  next: 0,
  isCancelled: false,
  undone: 0,
  refusals: [],
  warnings: [],
  error: null,
}

const DAY_MS = 24 * 3_600_000

let room: RecordRoom
beforeAll(async () => {
  room = await openRecordRoom()
})
afterAll(() => room.close())

async function makeMethod(session = room.ada): Promise<string> {
  return (await createRecord(room.methods(session), { type: 'dft', subtype: 'gga', name: 'one' })).id
}

/** Changes a record by itself with a change of many; gives by what it can be undone. */
async function change(id: string, rank: number, session = room.ada): Promise<string> {
  const request = { meant: { ids: [id] }, change: { rank }, dryRun: false }
  return (await changeTogether(room.methods(session), request)).outcome.undo ?? ''
}

const listed = async (session = room.ada) => (await listBulkChanges({ deps: room.deps, session })).map(({ _id }) => _id)
const kept = (session = room.ada) => undoEntriesOf(room.deps).count(session.account.id)
const undo = (id: string, session = room.ada) =>
  undoChange({ deps: room.deps, session }, [methodKind], id).then(({ outcome }) => outcome)

describe('what can be undone', () => {
  test('can be for 30 days: then it is in no list, is refused, and goes with the next change', async () => {
    const id = await makeMethod()
    const [first, second] = [await change(id, 1), await change(id, 2)]
    room.wait(DAY_MS)
    const third = await change(id, 3)
    room.wait(29 * DAY_MS)
    expect(await listed()).toEqual([third, second, first])
    room.wait(1)
    expect(await listed()).toEqual([third])
    expect((await refusalOf(() => undo(second))).code).toBe(40414)
    expect(await kept()).toBe(3)
    const fourth = await change(id, 4)
    expect([await listed(), await kept()]).toEqual([[fourth, third], 2])
    expect(await undo(fourth)).toMatchObject({ undone: 1 })
  })

  test('is the last hundred changes of an account, whatever others change', async () => {
    const [own, theirs] = [await makeMethod(), await makeMethod(room.bob)]
    const other = await change(theirs, 1, room.bob)
    const made: string[] = []
    for (let rank = 0; rank < 102; rank++) made.push(await change(own, rank))
    const newest = made.slice(-100).reverse()
    expect([await listed(), await kept()]).toEqual([newest, 100])
    expect((await refusalOf(() => undo(made[1] as string))).code).toBe(40414)
    expect([await listed(room.bob), await kept(room.bob)]).toEqual([[other], 1])
  })

  test('is of two million records in all: the oldest changes go, but for those under way', async () => {
    const add = async (_id: string, state: TaskTold['state']) => {
      const at = new Date(room.deps.clock()).toISOString()
      const task = insertTask(room.bob.account.id, { ...TASK, _id, at, state }, WORK)
      await commit(room.deps, { steps: [], beside: [task], by: undefined })
    }
    await add('running', 'running')
    await add('first', 'done')
    expect((await listed(room.bob)).slice(0, 2)).toEqual(['first', 'running'])
    await add('second', 'done')
    expect(await listed(room.bob)).toEqual(['second', 'running'])
  })

  test('is what changed something, and not what was only tried', async () => {
    const id = await makeMethod(room.bob)
    const before = await listed(room.bob)
    const request = { meant: { ids: [id] }, change: { rank: 1 }, dryRun: true }
    expect(await changeTogether(room.methods(room.bob), request)).toMatchObject({ outcome: { changed: 1, undo: null } })
    expect(
      await changeTogether(room.methods(room.bob), { ...request, change: { name: 'one' }, dryRun: false }),
    ).toEqual({ outcome: { matched: 1, changed: 0, others: 0, missing: 0, undo: null }, warnings: [] })
    expect(await listed(room.bob)).toEqual(before)
  })

  test('does not fail a change that is on disk when old entries cannot be taken away: the log is told', async () => {
    const id = await makeMethod()
    const told: string[] = []
    const find = () => Promise.reject(new Error('the store is busy'))
    const store = new Proxy(room.deps.store, {
      get: (target, name) => (name === 'find' ? find : Reflect.get(target, name).bind(target)),
    })
    const log = { ...room.deps.log, tell: ({ name }: { name: string }) => void told.push(name) }
    const step = stepOf({
      action: 'insert',
      collection: 'methods',
      id: 'beside-an-entry',
      accountId: room.ada.account.id,
      isPublic: false,
      text: '{"_id":"beside-an-entry"}',
    })
    const entry = undoEntry(room.methods(room.ada), 'an-entry', { isRemoval: false, records: [[id, 1]] })
    const { isDone } = await commit({ ...room.deps, store, log }, { steps: [step], beside: [entry], by: undefined })
    expect([isDone, told]).toEqual([true, ['record.afterwards-failed']])
    expect(await getRecord(room.methods(room.ada), 'beside-an-entry')).toMatchObject({ version: 1 })
  })
})
