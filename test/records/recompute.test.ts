import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '../../src/accounts/session.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { addressOf } from '../../src/records/ids.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { propertyKind } from '../../src/records/kinds/property/property-kind.ts'
import { copyRecord, createRecord } from '../../src/records/use-cases/create-record.ts'
import { getHistory } from '../../src/records/use-cases/history.ts'
import { getRecord } from '../../src/records/use-cases/read-records.ts'
import { fillInSymmetry, type RecomputeOptions, recomputeRecords } from '../../src/records/use-cases/recompute.ts'
import { deleteRecord, restoreRemoved, restoreRevision } from '../../src/records/use-cases/removed.ts'
import { updateRecord } from '../../src/records/use-cases/update-record.ts'
import type { RecordDeps } from '../../src/records/work/deps.ts'
import { documentOf, openRecordRoom, type RecordRoom, silicon } from './support/record-room.ts'
import { slowCrystal } from './support/slow-crystal.ts'

let room: RecordRoom
/** A server with symmetry switched off, and one with it. */
let off: RecordDeps
let on: RecordDeps
beforeAll(async () => {
  room = await openRecordRoom()
  off = room.deps
  on = room.depsWith({})
})
afterAll(() => room.close())

let a = 3.8
/** A material that no other test has. */
const crystal = (changes: { readonly [field: string]: Json | undefined } = {}) => {
  a += 0.01
  return silicon({ lattice: { type: 'FCC', a, b: a, c: a, alpha: 60, beta: 60, gamma: 60 }, ...changes })
}
const create = (deps: RecordDeps, document: JsonObject, session: Session = room.ada) =>
  createRecord(room.materials(session, deps), document)
const read = async (id: string) => getRecord(room.materials(room.ada, on), id)

async function recompute(deps: RecordDeps, options: Partial<RecomputeOptions> = {}) {
  const totals = { seen: 0, changed: 0, failed: 0, withoutSymmetry: 0 }
  for await (const step of recomputeRecords(deps, materialKind, { symmetry: 'all', ...options })) {
    totals.seen += step.seen
    totals.changed += step.changed
    totals.failed += step.failed
    totals.withoutSymmetry += step.withoutSymmetry
  }
  return totals
}

/** Stores a text as an earlier version of the program would have; `gaveUpMs` is what the store is told of it. */
async function storeAs(id: string, change: (document: Record<string, Json>) => void, gaveUpMs?: number): Promise<void> {
  const record = await read(id)
  const document = documentOf(record)
  change(document)
  const { isPublic } = record
  const text = JSON.stringify(document)
  await room.deps.store.apply([
    {
      action: 'replace',
      ...addressOf('materials', record),
      isPublic,
      keepsRevision: false,
      text,
      ...(gaveUpMs === undefined ? {} : { gaveUpMs }),
    },
  ])
}

describe('recomputing records', () => {
  beforeEach(async () => {
    await recompute(on)
  })

  test('writes a record only where something has changed', async () => {
    const stale = await create(off, crystal())
    const fresh = await create(on, crystal())
    expect(await recompute(on)).toMatchObject({ changed: 1, failed: 0 })
    expect(documentOf(await read(stale.id))).toMatchObject({ spaceGroup: { number: 227 }, consistencyChecks: [] })
    expect((await read(fresh.id)).version).toBe(1)
    expect(await recompute(on)).toMatchObject({ changed: 0 })
  })

  test('of properties changes what their materials show of them', async () => {
    const { id } = await create(on, crystal())
    const properties = { ...room.materials(room.ada, on), kind: propertyKind }
    const data = { name: 'total_energy', value: -1, units: 'eV' }
    const made = await createRecord(properties, { data, exabyteId: id })
    const stored = await getRecord(properties, made.id)
    const text = JSON.stringify({ ...documentOf(stored), data: { ...data, value: -2 } })
    const written = { isPublic: stored.isPublic, keepsRevision: false, text } as const
    await room.deps.store.apply([{ action: 'replace', ...addressOf('properties', stored), ...written }])
    const shown = async () => JSON.parse((await read(id)).derived ?? '{}').properties.total_energy.value
    expect(await shown()).toBe(-1)
    for await (const _ of recomputeRecords(on, propertyKind, { symmetry: 'all' }));
    expect(await shown()).toBe(-2)
  })

  test('counts what is without symmetry afterwards', async () => {
    await create(off, crystal())
    await create(off, crystal())
    expect(await recompute(off)).toMatchObject({ changed: 0, withoutSymmetry: 2 })
    expect(await recompute(on)).toMatchObject({ changed: 2, withoutSymmetry: 0 })
  })

  test('leaves what people wrote, its times and its history', async () => {
    const { id } = await create(off, crystal({ name: 'first', note: 'mine' }))
    room.wait(1000)
    await updateRecord(room.materials(room.ada, off), id, { name: 'second' })
    const before = documentOf(await read(id))
    const history = await getHistory(room.materials(room.ada, on), id)
    room.wait(1000)
    await recompute(on)
    const after = await read(id)
    expect(documentOf(after)).toMatchObject({ name: 'second', note: 'mine', updatedAt: before.updatedAt })
    expect(after.version).toBe(3)
    const later = await getHistory(room.materials(room.ada, on), id)
    expect(later.revisions.map(({ version, ...told }) => told)).toEqual(
      history.revisions.map(({ version, ...told }) => told),
    )
  })

  test('tells of a creation after it has taken the place of the first version', async () => {
    const { id } = await create(off, crystal())
    const [creation] = (await getHistory(room.materials(room.ada, on), id)).revisions
    await recompute(on)
    expect((await getHistory(room.materials(room.ada, on), id)).revisions).toEqual([{ ...creation, version: 2 }])
  })

  test('computes fields that an earlier version of the program did not know', async () => {
    const { id } = await create(on, crystal())
    await storeAs(id, (document) => {
      delete document.anonymousFormula
      delete document.volumePerAtom
      delete document.fingerprint
    })
    expect(await recompute(on, { symmetry: 'missing' })).toMatchObject({ changed: 1 })
    expect(documentOf(await read(id))).toMatchObject({
      anonymousFormula: 'A',
      volumePerAtom: expect.any(Number),
      fingerprint: expect.stringMatching(/^.{64}$/),
    })
  })

  test('gives what is said of disorder to records that are older than its fields', async () => {
    const elements = ['Cu', 'Au'].map((value, id) => ({ id, value, occurrence: 0.5 }))
    const coordinates = [0, 1].map((id) => ({ id, value: [0, 0, 0] }))
    const { id } = await create(on, crystal({ basis: { elements, coordinates } }))
    const fields = { composition: { Cu: 0.5, Au: 0.5 }, isDisordered: true, disorderKinds: ['substitution'] }
    expect(documentOf(await read(id))).toMatchObject(fields)
    for (const symmetry of ['missing', 'all'] as const) {
      await storeAs(id, (document) => {
        for (const field of Object.keys(fields)) delete document[field]
      })
      expect(documentOf(await read(id))).not.toHaveProperty('isDisordered')
      expect(await recompute(on, { symmetry })).toMatchObject({ changed: 1, failed: 0 })
      expect(documentOf(await read(id))).toMatchObject(fields)
    }
    expect(await recompute(on)).toMatchObject({ changed: 0 })
  })

  test('keeps symmetry that is known, where it is to look for what is missing only', async () => {
    const other = room.depsWith({ symmetry: { tolerance: 0.02 } })
    const [known, missing] = [await create(on, crystal()), await create(off, crystal())]
    await recompute(other, { symmetry: 'missing' })
    const toleranceOf = async (id: string) =>
      (documentOf(await read(id)).derivedProperties as readonly JsonObject[]).find(({ name }) => name === 'symmetry')
        ?.tolerance
    expect(await toleranceOf(known.id)).toMatchObject({ value: 0.01 })
    expect(await toleranceOf(missing.id)).toMatchObject({ value: 0.02 })
  })

  test('loses no symmetry where it is switched off, or given up', async () => {
    const [one, slow] = [await create(on, crystal()), await create(off, slowCrystal())]
    await storeAs(slow.id, (document) => {
      document.spaceGroup = { number: 221, symbol: 'Pm-3m', crystalSystem: 'cubic', pointGroup: 'm-3m' }
      document.consistencyChecks = (document.consistencyChecks as JsonObject[]).filter(
        ({ key }) => key !== 'spaceGroup',
      )
    })
    await recompute(off)
    expect(documentOf(await read(one.id))).toMatchObject({ spaceGroup: { number: 227 } })
    await recompute(room.depsWith({ symmetry: { timeLimitMs: 50 } }))
    expect(documentOf(await read(slow.id))).toMatchObject({ spaceGroup: { number: 221 } })
    // All that follow would recompute it, too.
    await deleteRecord(room.materials(room.ada, off), slow.id)
  })

  test('reaches both records of two accounts that have one id', async () => {
    const one = await create(off, crystal())
    const { text, isPublic } = await create(off, crystal(), room.bob)
    const { id } = one
    const document = JSON.stringify({ ...(JSON.parse(text) as JsonObject), _id: id })
    const accountId = room.bob.account.id
    await room.deps.store.apply([
      { action: 'insert', collection: 'materials', id, accountId, isPublic, text: document },
    ])
    // The third is what bob had made under another id.
    expect(await recompute(on)).toMatchObject({ changed: 3, failed: 0 })
    for (const session of [room.ada, room.bob]) {
      const record = await getRecord(room.materials(session, on), id)
      expect([documentOf(record).spaceGroup, record.accountId]).toMatchObject([{ number: 227 }, session.account.id])
    }
  })

  test('goes on where it was told to', async () => {
    const made = [await create(off, crystal()), await create(off, crystal()), await create(off, crystal())]
    const steps = recomputeRecords(on, materialKind, { symmetry: 'all', atOnce: 1 })
    let after: string | null = null
    for await (const { next } of steps) {
      after = next
      if ((await read(made[0]?.id ?? '')).version === 2) break
    }
    expect((await read(made[1]?.id ?? '')).version).toBe(1)
    await recompute(on, { after })
    for (const { id } of made) expect((await read(id)).version).toBe(2)
  })

  test('does not take the place of a change that came first', async () => {
    const { id } = await create(off, crystal())
    const page = recomputeRecords(on, materialKind, { symmetry: 'all' })
    const [{ changed }] = await Promise.all([
      page.next().then(({ value }) => value ?? { changed: 0 }),
      updateRecord(room.materials(room.ada, off), id, { name: 'meanwhile' }),
    ])
    expect([0, 1]).toContain(changed)
    expect(documentOf(await read(id)).name).toBe('meanwhile')
  })

  test('does the same for the entries of the bank', async () => {
    const shared = crystal({ isPublic: true })
    const { id } = await create(off, shared)
    const entryId = String(documentOf(await read(id)).exabyteId)
    const entry = async () => documentOf((await on.store.read('bank-materials', { kind: 'public' }, entryId)) as never)
    const before = await entry()
    expect(before.spaceGroup).toBeUndefined()
    await recompute(on, { isBank: true })
    expect(await entry()).toEqual({
      ...before,
      spaceGroup: expect.objectContaining({ number: 227 }),
      symmetry: expect.objectContaining({ pseudosymmetric: false }),
      prototype: expect.objectContaining({ name: 'diamond' }),
      derivedProperties: expect.any(Array),
    })
  })
})

describe('filling in symmetry', () => {
  const fillIn = (deps: RecordDeps, symmetryTimeMs = 2000) =>
    fillInSymmetry(deps, [materialKind], { symmetryTimeMs, signal: new AbortController().signal })

  test('finds what was not found for a reason that has passed, in the bank too, and nothing else', async () => {
    await fillIn(on)
    const switchedOff = await create(off, crystal({ isPublic: true }))
    const busy = await create(on, crystal())
    const isBusy = (document: Record<string, Json>) => {
      delete document.spaceGroup
      const message = 'The symmetry was not computed: too many structures are waiting for their symmetry.'
      document.consistencyChecks = [{ key: 'spaceGroup', name: 'default', severity: 'info', message }]
    }
    await storeAs(busy.id, isBusy, 0)
    expect(await fillIn(on)).toBe(2)
    for (const { id } of [switchedOff, busy]) {
      expect(documentOf(await read(id))).toMatchObject({ spaceGroup: { number: 227 }, consistencyChecks: [] })
    }
    const entryId = String(documentOf(await read(switchedOff.id)).exabyteId)
    const entry = await on.store.read('bank-materials', { kind: 'public' }, entryId)
    expect(JSON.parse(entry?.text ?? '')).toMatchObject({ spaceGroup: { number: 227 } })
    expect(await fillIn(on)).toBe(0)
  })

  test('knows of what came through any door', async () => {
    await fillIn(on)
    const elsewhere = { ...room.materials(room.ada, off) }
    const { id: changed } = await create(on, crystal())
    await updateRecord(elsewhere, changed, { ...crystal(), name: 'changed' })
    const { id: restored } = await create(off, crystal())
    await deleteRecord(elsewhere, restored)
    await restoreRemoved(elsewhere, restored)
    const { id: reverted } = await create(off, crystal())
    await updateRecord(elsewhere, reverted, crystal())
    await restoreRevision(elsewhere, reverted, 1)
    const copied = await copyRecord(elsewhere, reverted)
    const ids = [changed, restored, reverted, copied.id]
    for (const id of ids) expect(documentOf(await read(id)).spaceGroup).toBeUndefined()
    await fillIn(on)
    for (const id of ids) expect(documentOf(await read(id)).spaceGroup).toMatchObject({ number: 227 })
  })

  test('looks at what has come back once, and then no more', async () => {
    const { id } = await create(on, crystal())
    await deleteRecord(room.materials(room.ada, on), id)
    await restoreRemoved(room.materials(room.ada, on), id)
    const found = async () => (await on.store.readGivenUp('materials', { belowMs: 2000, after: 0, limit: 100 })).records
    expect((await found()).map((record) => record.id)).toEqual([id])
    const { version } = await read(id)
    await fillIn(on)
    expect(await found()).toEqual([])
    expect((await read(id)).version).toBe(version)
  })

  test('tries what was given up once more under a higher limit, and not under the same', async () => {
    const hasty = room.depsWith({ symmetry: { timeLimitMs: 50 } })
    const { id } = await create(hasty, slowCrystal())
    const limitTold = async () => JSON.stringify(documentOf(await read(id)).consistencyChecks).match(/\d+ ms/)?.[0]
    expect(await limitTold()).toBe('50 ms')
    const done = () => hasty.work.metrics.done
    const before = done()
    expect(await fillIn(hasty, 50)).toBe(0)
    expect(done()).toBe(before)
    expect(await fillIn(room.depsWith({ symmetry: { timeLimitMs: 60 } }), 60)).toBe(1)
    expect(await limitTold()).toBe('60 ms')
  })

  test('stops when it is told to', async () => {
    await fillIn(on)
    for (let n = 0; n < 30; n++) await create(off, crystal())
    const ending = new AbortController()
    const mayGoOn = async () => {
      ending.abort()
      return true
    }
    expect(await fillInSymmetry(on, [materialKind], { symmetryTimeMs: 2000, signal: ending.signal, mayGoOn })).toBe(20)
    expect(await fillIn(on)).toBe(10)
  })
})
