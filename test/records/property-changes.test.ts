import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { bestOf, type PropertyState, propertyState } from '../../src/records/kinds/property/best-property.ts'
import { propertyKind } from '../../src/records/kinds/property/property-kind.ts'
import { shownProperties } from '../../src/records/kinds/property/shown-properties.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { listRecords } from '../../src/records/use-cases/read-records.ts'
import type { RecordDeps } from '../../src/records/work/deps.ts'
import { randomOf } from '../structure-matching/support/copies.ts'
import { openRecordRoom, type RecordRoom, request, silicon } from './support/record-room.ts'

let room: RecordRoom
let material: string
beforeEach(async () => {
  room = await openRecordRoom()
  material = (await createRecord(room.materials(room.ada), silicon())).id
})
afterEach(() => room.close())

const properties = (deps: RecordDeps) => ({ deps, kind: propertyKind, session: room.ada })
const gap = (value: number, kppra: number, name = 'band_gap'): JsonObject => ({
  data: { name, value, units: 'eV' },
  exabyteId: [material],
  group: 'a:dft:gga:pbe',
  precision: { kppra },
})
const shown = async () => {
  const asked = { ...request({ _id: material }), ...parseProjection({ fields: { properties: 1 } }) }
  const [document] = JSON.parse((await listRecords(room.materials(room.ada), asked)).documents.toString())
  return document.properties
}
const best = async () => {
  const { documents } = await listRecords(properties(room.deps), request({ isBest: true }))
  return JSON.parse(documents.toString()).map(({ data }: { data: { value: number } }) => data.value)
}

/** Compares what the material shows, and which properties say that they are the best, with all that are stored. */
async function expectAsIfSearched(): Promise<void> {
  const { documents } = await listRecords(properties(room.deps), request({}, 500))
  const stored: readonly PropertyState[] = JSON.parse(documents.toString()).map(propertyState)
  const bestSeen = (isPublic: boolean) => bestOf(stored.filter((one) => one.isPublic === isPublic))
  expect((await shown()) ?? {}).toEqual(shownProperties(bestSeen(false)))
  const idsOf = (properties: readonly PropertyState[]) => properties.map(({ id }) => id).sort()
  expect(idsOf(stored.filter(({ isBest }) => isBest))).toEqual(idsOf([...bestSeen(false), ...bestSeen(true)]))
}

/** A process in which something is done by another one just before it writes. */
function interrupted(by: () => Promise<unknown>): RecordDeps {
  let isDone = false
  return watched(async (name) => {
    if (name !== 'apply' || isDone) return
    isDone = true
    await by()
  })
}

/** A process whose calls of the store are told before they are made. */
function watched(tell: (name: string) => Promise<void> | void): RecordDeps {
  const store = new Proxy(room.deps.store, {
    get: (target, name) => {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      if (name !== 'apply' && name !== 'find') return method.bind(target)
      return async (...given: unknown[]) => {
        await tell(String(name))
        return method.apply(target, given)
      }
    },
  })
  return { ...room.deps, store }
}

describe('a property that comes', () => {
  test('while another process stores a better one is not the best', async () => {
    const deps = interrupted(() => createRecord(properties(room.deps), gap(2, 2000)))
    await createRecord(properties(deps), gap(1, 1000))
    expect(await best()).toEqual([2])
    expect(await shown()).toMatchObject({ band_gap: { value: 2, 'a:dft:gga:pbe': { value: 2 } } })
  })

  test('while another process stores one of another name leaves that in its material', async () => {
    const deps = interrupted(() => createRecord(properties(room.deps), gap(3, 1, 'fermi_energy')))
    await createRecord(properties(deps), gap(1, 1000))
    expect(await shown()).toMatchObject({ band_gap: { value: 1 }, fermi_energy: { value: 3 } })
  })

  test('is compared with what its material shows, without a search', async () => {
    const searches: string[] = []
    const deps = watched((name) => {
      if (name === 'find') searches.push(name)
    })
    for (const kppra of [5, 1, 9, 7]) await createRecord(properties(deps), gap(kppra, kppra))
    expect(await best()).toEqual([9])
    expect(searches).toEqual([])
  })

  test.each([1, 2, 3, 4, 5, 6])('leaves what a search of all would, in random order %i', async (seed) => {
    const random = randomOf(seed)
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
    const groups = seed === 6 ? Array.from({ length: 55 }, (_, at) => `g${at}`) : ['', 'a', 'b', 'c']
    for (let count = 0; count < (seed === 6 ? 70 : 25); count++) {
      const name = pick(['band_gap', 'band_gaps', 'own', 'own.b'])
      const group = pick(groups)
      const { group: _, data, ...record } = gap(count, Math.floor(random() * 4), name)
      const gaps = { name, values: [{ value: count, units: 'eV', type: 'direct' }] }
      await createRecord(properties(room.deps), {
        ...record,
        data: name === 'band_gaps' ? gaps : data,
        ...(group === '' ? {} : { group }),
        isPublic: random() < 0.2,
        isPreferred: random() < 0.1,
      } as JsonObject)
      await expectAsIfSearched()
    }
  })
})
