import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { RECORD_ERRORS } from '../../src/records/errors.ts'
import type { ImportReport } from '../../src/records/import/import-item.ts'
import { importRecords } from '../../src/records/import/import-records.ts'
import { readImportItems } from '../../src/records/import/read-import-items.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { sameMaterials } from '../../src/records/use-cases/same-materials.ts'
import type { RecordDeps } from '../../src/records/work/deps.ts'
import { openRecordRoom, type RecordRoom, silicon } from './support/record-room.ts'

let room: RecordRoom
beforeAll(async () => {
  room = await openRecordRoom()
})
afterAll(() => room.close())

/** Silicon with its atoms somewhere else. */
function shifted(by: number): JsonObject {
  const basis = silicon().basis as JsonObject
  const coordinates = [0, 0.25].map((x, id) => ({ id: id + 1, value: [x + by, x + by, x] }))
  return silicon({ basis: { ...basis, coordinates } })
}

/** The room, where crystals cannot be laid upon each other for the reason given. */
function withoutMatching(refusal: AppError): RecordDeps {
  const { deps } = room
  const work = new Proxy(deps.work, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'run') return typeof value === 'function' ? value.bind(target) : value
      return (task: string, ...rest: unknown[]) =>
        task === 'match' ? Promise.reject(refusal) : Reflect.apply(target.run, target, [task, ...rest])
    },
  })
  return { ...deps, work }
}

async function importOf(deps: RecordDeps, records: readonly JsonObject[]): Promise<readonly ImportReport[]> {
  const lines = async function* () {
    yield Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))
  }
  const reports: ImportReport[] = []
  for await (const report of importRecords(deps, room.ada, readImportItems(lines()), { skipSame: true })) {
    reports.push(report)
  }
  return reports
}

/** Germanium in a cell that is larger by a share. */
function germanium(share: number, x = 0): JsonObject {
  const { basis, lattice } = silicon() as { basis: JsonObject; lattice: JsonObject }
  const elements = [1, 2].map((id) => ({ id, value: 'Ge' }))
  const coordinates = [0, 0.25].map((at, index) => ({ id: index + 1, value: [at + x, at + x, at + x] }))
  const larger = (edge: string): number => Number(lattice[edge]) * (1 + share)
  const [a, b, c] = [larger('a'), larger('b'), larger('c')]
  return silicon({
    name: `Ge ${share} ${x}`,
    basis: { ...basis, elements, coordinates },
    lattice: { ...lattice, a, b, c },
  })
}

test('a crystal is found behind more than ten that are as near by their fingerprints, whose cells are larger', async () => {
  for (let more = 0; more < 14; more++) await createRecord(room.materials(room.ada), germanium(0.0011 + more * 1e-5))
  const { _id } = JSON.parse((await createRecord(room.materials(room.ada), germanium(0))).text) as { _id: string }
  const created = await createRecord(room.materials(room.ada), germanium(0, 0.1))
  expect(created.sameAs.map((same) => same._id)).toContain(_id)
  const { same } = await sameMaterials(room.materials(room.ada), JSON.parse(created.text)._id, 100)
  expect(same.map((one) => one._id)).toContain(_id)
})

const tooMuch = new AppError(RECORD_ERRORS.tooMuchWork, 'It took too long.')
const unfinished = (path: string) => [expect.objectContaining({ code: 20025, path })]

test('a crystal that takes too long to be laid upon others is stored, and its writer is told that it may be there already', async () => {
  const { _id } = JSON.parse((await createRecord(room.materials(room.ada), silicon())).text) as { _id: string }
  const deps = withoutMatching(tooMuch)
  const [first, other] = await importOf(deps, [shifted(0.1), silicon({ name: 'NaN', lattice: { a: 5 } })])
  expect(first).toMatchObject({ outcome: 'stored', warnings: unfinished('skipSame') })
  expect(other?.outcome).toBe('refused')
  const created = await createRecord(room.materials(room.ada, deps), shifted(0.2))
  expect([created.sameAs, created.warnings]).toEqual([[], unfinished('sameAs')])
  const found = await sameMaterials(room.materials(room.ada, deps), _id, 20)
  expect(found).toEqual({ same: [], compared: 0, exact: false })
  // With all that it takes, both are found and nothing is told.
  const again = await createRecord(room.materials(room.ada), shifted(0.3))
  expect([again.sameAs.length, again.warnings]).toEqual([3, []])
})

test('an import that compares records with each other says of one that it could not', async () => {
  const deps = withoutMatching(tooMuch)
  const carbon = (by: number) => JSON.parse(JSON.stringify(shifted(by)).replaceAll('"Si"', '"C"')) as JsonObject
  const reports = await importOf(deps, [carbon(0), carbon(0.1)])
  expect(
    reports.map(({ outcome, warnings = [] }) => [outcome, warnings.filter(({ code }) => code === 20025).length]),
  ).toEqual([
    ['stored', 0],
    ['stored', 1],
  ])
})

test('an import ends where nothing can be compared for a reason that is not the crystal', async () => {
  const deps = withoutMatching(new AppError(RECORD_ERRORS.fault, 'Nobody is left.'))
  await expect(importOf(deps, [shifted(0.4)])).rejects.toThrow('Nobody is left.')
})
