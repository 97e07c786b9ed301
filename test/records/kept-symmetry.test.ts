import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { copyRecord, createRecord } from '../../src/records/use-cases/create-record.ts'
import { updateRecord } from '../../src/records/use-cases/update-record.ts'
import type { RecordDeps } from '../../src/records/work/deps.ts'
import { documentOf, openRecordRoom, type RecordRoom, SILICON, silicon } from './support/record-room.ts'
import { slowCrystal } from './support/slow-crystal.ts'

let room: RecordRoom
/** A server that finds symmetry, one that finds it with another tolerance, which it tells, and one that has it switched off. */
let one: RecordDeps
let other: RecordDeps
let off: RecordDeps
beforeAll(async () => {
  room = await openRecordRoom()
  one = room.depsWith({})
  other = room.depsWith({ symmetry: { tolerance: 0.02 } })
  off = room.deps
})
afterAll(() => room.close())

const patch = async (deps: RecordDeps, id: string, changes: JsonObject) =>
  documentOf(await updateRecord(room.materials(room.ada, deps), id, { $set: changes }))

/** What a material tells of its symmetry. */
const told = ({ spaceGroup, derivedProperties, consistencyChecks, lattice }: Record<string, Json>) => ({
  spaceGroup,
  property: (derivedProperties as readonly JsonObject[]).filter(({ name }) => name === 'symmetry'),
  findings: (consistencyChecks as readonly JsonObject[]).filter(({ key }) => key === 'spaceGroup'),
  type: (lattice as JsonObject).type,
})

describe('an update that leaves basis and lattice as they are', () => {
  test('keeps the symmetry without looking for it again', async () => {
    const before = await createRecord(room.materials(room.ada, one), silicon())
    const after = await patch(other, before.id, { name: 'Renamed', tags: ['x'] })
    expect(told(after)).toEqual(told(documentOf(before)))
    expect(told(after)).toMatchObject({
      spaceGroup: { number: 227 },
      findings: [],
      property: [{ name: 'symmetry', tolerance: { value: 0.01 } }],
    })
  })

  test('keeps the symmetry where the server computes none', async () => {
    const before = await createRecord(room.materials(room.ada, one), silicon())
    const after = await patch(off, before.id, { name: 'Renamed' })
    expect(told(after)).toEqual(told(documentOf(before)))
  })

  test('keeps the symmetry that the server found, whatever properties the client sends', async () => {
    const before = await createRecord(room.materials(room.ada, one), silicon())
    const after = await patch(off, before.id, { name: 'Renamed', derivedProperties: [] })
    expect(told(after)).toEqual(told(documentOf(before)))
  })

  test('does not wait once more for a crystal that took too long', async () => {
    const hasty = room.depsWith({ symmetry: { timeLimitMs: 1 } })
    const before = await createRecord(room.materials(room.ada, hasty), slowCrystal())
    expect(told(documentOf(before)).findings).toMatchObject([{ message: expect.stringContaining('took longer') }])
    const after = await patch(hasty, before.id, { name: 'Renamed' })
    expect(told(after)).toEqual(told(documentOf(before)))
  })

  test('finds the symmetry that was not found only because it was switched off', async () => {
    const before = await createRecord(room.materials(room.ada, off), silicon())
    expect(told(documentOf(before)).findings).toMatchObject([{ message: expect.stringContaining('switched off') }])
    const after = await patch(one, before.id, { name: 'Renamed' })
    expect(told(after)).toMatchObject({ spaceGroup: { number: 227 }, findings: [] })
  })
})

describe('an update that changes the structure', () => {
  test('finds its symmetry', async () => {
    const before = await createRecord(room.materials(room.ada, one), silicon())
    const lattice = { ...(SILICON.lattice as JsonObject), c: 4.5 }
    const after = await patch(one, before.id, { lattice })
    expect(told(after).spaceGroup).not.toEqual(told(documentOf(before)).spaceGroup)
  })

  test('leaves no symmetry of what was there before where the server computes none', async () => {
    const before = await createRecord(room.materials(room.ada, one), silicon())
    const lattice = { ...(SILICON.lattice as JsonObject), c: 4.5 }
    const after = await patch(off, before.id, { lattice })
    expect(told(after)).toMatchObject({ spaceGroup: undefined, property: [], findings: [{ severity: 'info' }] })
  })
})

test('a copy has the symmetry of its original without looking for it again', async () => {
  const original = await createRecord(room.materials(room.ada, one), silicon())
  const copy = await copyRecord(room.materials(room.ada, other), original.id)
  expect(told(documentOf(copy))).toEqual(told(documentOf(original)))
})
