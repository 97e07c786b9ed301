import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { copyRecord } from '../../src/records/copy-record.ts'
import { createRecord } from '../../src/records/create-record.ts'
import type { RecordDeps } from '../../src/records/deps.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { updateRecord } from '../../src/records/update-record.ts'
import type { Crystal } from '../../src/structure/formats/crystal.ts'
import { DEFAULT_TOLERANCE_ANGSTROM, type SymmetryService } from '../../src/structure/symmetry/symmetry-report.ts'
import { openSymmetryService } from '../../src/structure/symmetry/symmetry-service.ts'
import { documentOf, openRecordRoom, type RecordRoom, SILICON, silicon } from './support/record-room.ts'

let room: RecordRoom
const opened: SymmetryService[] = []
beforeAll(async () => {
  room = await openRecordRoom()
})
afterAll(async () => {
  for (const service of opened) await service.close()
  await room.close()
})

/** A server with a symmetry service that says how often it was asked. */
function serverWith(timeLimitMs = 10_000): { deps: RecordDeps; asked: () => number } {
  const service = openSymmetryService({ timeLimitMs, tolerance: DEFAULT_TOLERANCE_ANGSTROM })
  opened.push(service)
  let asked = 0
  const analyze = (crystal: Crystal) => {
    asked += 1
    return service.analyze(crystal)
  }
  return { deps: { ...room.deps, symmetry: { ...service, analyze } }, asked: () => asked }
}

const patch = async (deps: RecordDeps, id: string, changes: JsonObject) =>
  documentOf(await updateRecord(deps, materialKind, room.ada, id, { $set: changes }))

/** What a material tells of its symmetry. */
const told = ({ spaceGroup, derivedProperties, consistencyChecks, lattice }: Record<string, Json>) => ({
  spaceGroup,
  property: (derivedProperties as readonly JsonObject[]).filter(({ name }) => name === 'symmetry'),
  findings: (consistencyChecks as readonly JsonObject[]).filter(({ key }) => key === 'spaceGroup'),
  type: (lattice as JsonObject).type,
})

describe('an update that leaves basis and lattice as they are', () => {
  test('keeps the symmetry without asking for it again', async () => {
    const { deps, asked } = serverWith()
    const before = await createRecord(deps, materialKind, room.ada, silicon())
    const after = await patch(deps, before.id, { name: 'Renamed', tags: ['x'] })
    expect(asked()).toBe(1)
    expect(told(after)).toEqual(told(documentOf(before)))
    expect(told(after)).toMatchObject({ spaceGroup: { number: 227 }, findings: [], property: [{ name: 'symmetry' }] })
  })

  test('keeps the symmetry where the server computes none', async () => {
    const before = await createRecord(serverWith().deps, materialKind, room.ada, silicon())
    const after = await patch(room.deps, before.id, { name: 'Renamed' })
    expect(told(after)).toEqual(told(documentOf(before)))
  })

  test('keeps the symmetry that the server found, whatever properties the client sends', async () => {
    const before = await createRecord(serverWith().deps, materialKind, room.ada, silicon())
    const after = await patch(room.deps, before.id, { name: 'Renamed', derivedProperties: [] })
    expect(told(after)).toEqual(told(documentOf(before)))
  })

  test('does not wait once more for a crystal that took too long', async () => {
    const { deps, asked } = serverWith(1)
    const before = await createRecord(deps, materialKind, room.ada, supercell(8))
    expect(told(documentOf(before)).findings).toMatchObject([{ message: expect.stringContaining('took longer') }])
    const after = await patch(deps, before.id, { name: 'Renamed' })
    expect(asked()).toBe(1)
    expect(told(after)).toEqual(told(documentOf(before)))
  })

  test('finds the symmetry that was not found only because it was switched off', async () => {
    const before = await createRecord(room.deps, materialKind, room.ada, silicon())
    expect(told(documentOf(before)).findings).toMatchObject([{ message: expect.stringContaining('switched off') }])
    const after = await patch(serverWith().deps, before.id, { name: 'Renamed' })
    expect(told(after)).toMatchObject({ spaceGroup: { number: 227 }, findings: [] })
  })
})

describe('an update that changes the structure', () => {
  test('finds its symmetry', async () => {
    const { deps } = serverWith()
    const before = await createRecord(deps, materialKind, room.ada, silicon())
    const lattice = { ...(SILICON.lattice as JsonObject), c: 4.5 }
    const after = await patch(deps, before.id, { lattice })
    expect(told(after).spaceGroup).not.toEqual(told(documentOf(before)).spaceGroup)
  })

  test('leaves no symmetry of what was there before where the server computes none', async () => {
    const before = await createRecord(serverWith().deps, materialKind, room.ada, silicon())
    const lattice = { ...(SILICON.lattice as JsonObject), c: 4.5 }
    const after = await patch(room.deps, before.id, { lattice })
    expect(told(after)).toMatchObject({ spaceGroup: undefined, property: [], findings: [{ severity: 'info' }] })
  })
})

test('a copy has the symmetry of its original without asking for it again', async () => {
  const { deps, asked } = serverWith()
  const original = await createRecord(deps, materialKind, room.ada, silicon())
  const copy = await copyRecord(deps, materialKind, room.ada, original.id)
  expect(asked()).toBe(1)
  expect(told(documentOf(copy))).toEqual(told(documentOf(original)))
})

/** Simple cubic polonium, so many cells along each direction: every one of its translations has to be found. */
function supercell(cells: number): JsonObject {
  const places = Array.from({ length: cells ** 3 }, (_, id) => ({
    id,
    value: [id % cells, Math.floor(id / cells) % cells, Math.floor(id / cells ** 2)].map((step) => step / cells),
  }))
  const [a, right] = [3.35 * cells, 90]
  return {
    basis: { elements: places.map(({ id }) => ({ id, value: 'Po' })), coordinates: places, units: 'crystal' },
    lattice: { a, b: a, c: a, alpha: right, beta: right, gamma: right },
  }
}
