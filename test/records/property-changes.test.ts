import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { propertyKind } from '../../src/records/kinds/property/property-kind.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { listRecords } from '../../src/records/use-cases/read-records.ts'
import type { RecordDeps } from '../../src/records/work/deps.ts'
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

/** A process in which something is done by another one as soon as it has read properties. */
function interrupted(by: () => Promise<unknown>): RecordDeps {
  let [isDone, store] = [false, room.deps.store]
  store = new Proxy(room.deps.store, {
    get: (target, name) => {
      if (name !== 'find') return Reflect.get(target, name).bind(target)
      return async (...asked: Parameters<typeof target.find>) => {
        const page = await target.find(...asked)
        if (isDone || asked[0].collection !== propertyKind.collection) return page
        isDone = true
        await by()
        return page
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
})
