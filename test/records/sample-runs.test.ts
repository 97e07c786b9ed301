import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { termsOf } from '../../src/accounts/session.ts'
import { type JsonObject, ownField } from '../../src/kernel/json.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { phaseDiagram } from '../../src/records/calculations/phase-diagram.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { jobKind } from '../../src/records/kinds/plain-kinds.ts'
import { propertyKind } from '../../src/records/kinds/property/property-kind.ts'
import { SAMPLES_DIRECTORY, sampleId, sampleRuns } from '../../src/records/samples/library.ts'
import { loadSampleRuns, loadSamples } from '../../src/records/samples/load-samples.ts'
import { samplesOwner, samplesSession } from '../../src/records/samples/owner.ts'
import { removeSamples } from '../../src/records/samples/remove-samples.ts'
import { countRecords, listRecords } from '../../src/records/use-cases/read-records.ts'
import type { Collection } from '../../src/records/work/deps.ts'
import { openRecordRoom, type RecordRoom, request } from './support/record-room.ts'

const EV_PER_RY = 13.605693122994
const SILICON = sampleId(materialKind, 'si-diamond')

let room: RecordRoom
beforeAll(async () => {
  room = await openRecordRoom()
  await loadSamples(room.deps)
  await loadSampleRuns(room.deps)
})
afterAll(() => room.close())

async function listed(collection: Collection, filter: JsonObject, fields: JsonObject): Promise<readonly JsonObject[]> {
  const asked = { ...request(filter, 100), ...parseProjection({ fields, limit: 100 }) }
  return JSON.parse((await listRecords(collection, asked)).documents.toString())
}

const materials = () => room.materials(room.bob)
const properties = (): Collection => ({ deps: room.deps, kind: propertyKind, session: room.bob })
const shownOf = async (id: string) => (await listed(materials(), { _id: id }, { properties: 1 }))[0]?.properties
const energyIn = (key: string) => {
  const text = readFileSync(`${SAMPLES_DIRECTORY}calculations/${key}/pw.out`, 'utf8')
  return Number([...text.matchAll(/^!!? +total energy += +(\S+) Ry/gm)].at(-1)?.[1]) * EV_PER_RY
}

describe('the calculations of the samples', () => {
  test('are jobs that everybody sees, each with its inputs and outputs', async () => {
    const jobs = await listed(
      { deps: room.deps, kind: jobKind, session: room.bob },
      {},
      { name: 1, files: 1, isPublic: 1 },
    )
    expect(jobs).toHaveLength(sampleRuns().length)
    for (const { files, isPublic } of jobs) {
      expect(isPublic).toBe(true)
      expect((files as readonly JsonObject[]).map(({ name }) => name)).toEqual(['pw.in', 'pw.out'])
    }
  })

  test('are found again, not stored again', async () => {
    const count = sampleRuns().length
    expect(await loadSampleRuns(room.deps)).toEqual({ stored: 0, present: count })
  })

  test('say of silicon what the outputs say, one functional beside the other', async () => {
    const shown = await shownOf(SILICON)
    const energies = ownField(shown as JsonObject, 'total_energy') as Record<string, { value: number }>
    for (const [group, key] of [
      ['espresso:dft:gga:pbe', 'silicon-pbe'],
      ['espresso:dft:lda:pz', 'silicon-lda'],
      ['espresso:dft:hybrid:hse06', 'silicon-hse'],
    ] as const) {
      expect([group, energies[group]?.value]).toEqual([group, expect.closeTo(energyIn(key), 6)])
    }
    const gaps = ownField(shown as JsonObject, 'band_gap') as Record<string, { value: number; type: string }>
    expect(gaps['espresso:dft:hybrid:hse06']?.value).toBeGreaterThan(Number(gaps['espresso:dft:gga:pbe']?.value))
    expect(Object.keys(shown as JsonObject)).toEqual(
      expect.arrayContaining(['band_structure', 'density_of_states', 'phonon_dispersions', 'phonon_dos', 'pressure']),
    )
  })

  test('have a relaxed crystal that knows what it was made from', async () => {
    const [relaxed, ...others] = await listed(
      materials(),
      { 'madeFrom.how': 'relaxation' },
      { madeFrom: 1, 'lattice.a': 1, properties: 1 },
    )
    expect(others).toEqual([])
    expect(relaxed?.madeFrom).toMatchObject([{ _id: SILICON, collection: 'materials' }])
  })

  test('make a phase diagram in which silicon carbide is stable', async () => {
    const terms = { elements: ['C', 'Si'], groups: ['espresso:dft:gga:pbe'], correction: null, tolerance: 1e-6 }
    const diagram = JSON.parse(await phaseDiagram(materials(), terms, termsOf(room.bob)))
    const carbide = diagram.entries.find(({ formula }: { formula: string }) => formula === 'SiC')
    const silicon = Math.min(energyIn('silicon-pbe'), energyIn('silicon-relaxed'))
    const formed = (energyIn('silicon-carbide-pbe') - (silicon + energyIn('diamond-pbe')) / 2) / 2
    expect(carbide).toMatchObject({ energyAboveHull: 0, formationEnergy: expect.closeTo(formed, 6) })
  })

  test('are removed with the samples, and all that they brought', async () => {
    const session = samplesSession(await samplesOwner(room.deps))
    expect((await removeSamples(room.deps, session, () => {})).left).toEqual([])
    expect(await countRecords(materials(), request({}))).toBe(0)
    expect(await countRecords(properties(), request({}))).toBe(0)
  })
})
