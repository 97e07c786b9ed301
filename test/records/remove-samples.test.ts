import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '../../src/accounts/session.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { SAMPLES_DIRECTORY, sampleId } from '../../src/records/samples/library.ts'
import { loadSamples } from '../../src/records/samples/load-samples.ts'
import { SAMPLES_USER_ID } from '../../src/records/samples/owner.ts'
import { removeSamples } from '../../src/records/samples/remove-samples.ts'
import { copyRecord } from '../../src/records/use-cases/create-record.ts'
import { countRecords, getRecord } from '../../src/records/use-cases/read-records.ts'
import { updateRecord } from '../../src/records/use-cases/update-record.ts'
import { documentOf, openRecordRoom, type RecordRoom, request } from './support/record-room.ts'

const COPPER = sampleId(materialKind, 'cu-fcc')
const SILICON = sampleId(materialKind, 'si-diamond')

/** Twenty of the samples: to load all takes seconds. */
const few = mkdtempSync(join(tmpdir(), 'quarry-samples-'))
mkdirSync(join(few, 'materials'))
for (const name of [
  'cu-fcc.json',
  'si-diamond.json',
  ...readdirSync(join(SAMPLES_DIRECTORY, 'materials')).slice(0, 18),
])
  copyFileSync(join(SAMPLES_DIRECTORY, 'materials', name), join(few, 'materials', name))
afterAll(() => rmSync(few, { recursive: true }))

let room: RecordRoom
let session: Session
beforeEach(async () => {
  room = await openRecordRoom()
  await loadSamples(room.deps, { directory: few })
  session = await sessionOfSamples()
  room.wait(1000)
})
afterEach(() => room.close())

async function sessionOfSamples(): Promise<Session> {
  const owner = await room.deps.accounts.findUser(SAMPLES_USER_ID)
  if (owner === null) throw new Error('there are no samples')
  const { id, name, slug, email, defaultAccountId } = owner
  const account = await room.deps.accounts.findAccount(defaultAccountId)
  if (account === null) throw new Error('the samples have no account')
  const scope = { kind: 'account', accountId: account.id } as const
  return { ...room.ada, user: { id, name, slug, email }, account, role: 'owner', scope }
}

const remove = () => removeSamples(room.deps, session, () => {})
const count = () => countRecords(room.materials(room.bob), request({}))

describe('removing the samples', () => {
  test('removes all that nobody has changed, for good, with their entries in the bank', async () => {
    expect(await loadSamples(room.deps)).toEqual({ stored: 132, present: 20 })
    expect(await remove()).toEqual({ removed: 152, left: [] })
    expect(await count()).toBe(0)
    expect(await countRecords(room.methods(room.bob), request({}))).toBe(0)
    expect(await room.deps.store.listRemoved('materials', session.scope, 0, 10)).toEqual([])
    expect(await loadSamples(room.deps, { directory: few })).toEqual({ stored: 20, present: 0 })
  })

  test('leaves those that were changed, and names them', async () => {
    await updateRecord(room.materials(session), COPPER, { description: 'measured again' })
    expect(await remove()).toEqual({
      removed: 19,
      left: [{ collection: 'materials', id: COPPER, name: expect.stringContaining('Copper'), reason: 'changed' }],
    })
    expect(documentOf(await getRecord(room.materials(room.bob), COPPER)).description).toBe('measured again')
  })

  test('takes one that was changed back for unchanged', async () => {
    const before = documentOf(await getRecord(room.materials(session), SILICON))
    await updateRecord(room.materials(session), SILICON, { name: 'something else' })
    await updateRecord(room.materials(session), SILICON, { name: before.name ?? null })
    expect(await remove()).toEqual({ removed: 20, left: [] })
  })

  test('leaves one that is not public any more', async () => {
    await updateRecord(room.materials(session), SILICON, { isPublic: false })
    expect((await remove()).left).toMatchObject([{ id: SILICON, reason: 'changed' }])
  })

  test('leaves the copies of others', async () => {
    const copy = await copyRecord(room.materials(room.ada), SILICON)
    await remove()
    expect(await getRecord(room.materials(room.ada), copy.id)).toBeDefined()
  })

  test('goes on where it was interrupted', async () => {
    const steps = new Error('enough')
    const interrupted = removeSamples(room.deps, session, (done) => {
      if (done === 8) throw steps
    })
    await expect(interrupted).rejects.toThrow(steps)
    expect(await count()).toBe(12)
    expect(await remove()).toEqual({ removed: 12, left: [] })
  })
})
