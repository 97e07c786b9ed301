import { afterAll, beforeAll, expect, test } from 'vitest'
import { vasprunText } from '../calculations/vasprun-text.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { carryOnOnce, carryOutAll } from './support/many.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A calculation like no other. */
let made = 0
const output = () => vasprunText({ incar: `<i name="ENCUT"> ${500 + ++made}.0</i>` })

interface Portion {
  readonly files: readonly { readonly name: string; readonly ticket: string }[]
  readonly only: readonly string[]
  readonly isPublic?: boolean
}

const send = async (name: string, body: string) =>
  (await server.call('PUT', `uploads/${encodeURIComponent(name)}`, { body })).body.data.ticket as string

/** Sends an output, and asks what is in it. */
async function portion(folder: string, text = output()): Promise<Portion> {
  const name = `${folder}/vasprun.xml`
  const files = [{ name, ticket: await send(name, text) }]
  const { calculations } = (await server.call('POST', 'jobs/import', { body: { files, dryRun: true } })).body.data
  return { files, only: calculations.map(({ jobId }: { jobId: string }) => jobId) }
}
const begin = (portions: readonly object[], as: Actor = 'ada') =>
  server.call('POST', 'jobs/imports', {
    as,
    headers: { 'content-type': 'application/x-ndjson' },
    body: portions.map((one) => JSON.stringify(one)).join('\n'),
  })
const entry = async (id: string) => (await server.call('GET', `bulk-changes/${id}`)).body.data
const isStored = async (id: string) => (await server.call('GET', `jobs/${id}`)).status === 200

test('calculations are stored portion by portion when nobody waits for it, and told of', async () => {
  const portions = [await portion('a'), await portion('b'), await portion('c')]
  const ids = portions.flatMap(({ only }) => only)
  const begun = await begin([...portions.slice(0, 2), { ...portions[2], isPublic: true }])
  const { _id } = begun.body.data
  expect([begun.status, begun.headers.get('location')]).toEqual([
    202,
    `${server.origin}/api/2018-10-01/bulk-changes/${_id}`,
  ])
  expect(begun.body.data).toMatchObject({ action: 'import', collection: 'jobs', state: 'waiting', matched: 3, done: 0 })
  expect(await Promise.all(ids.map(isStored))).toEqual([false, false, false])
  await carryOnOnce(server)
  expect(await entry(_id)).toMatchObject({ state: 'running', done: 1, count: 1 })
  expect(await Promise.all(ids.map(isStored))).toEqual([true, false, false])
  await carryOutAll(server)
  expect(await entry(_id)).toMatchObject({
    state: 'done',
    done: 3,
    count: 3,
    unchanged: 0,
    refused: 0,
    refusals: [],
    undo: null,
  })
  const seen = await Promise.all(ids.map((id) => server.call('GET', `jobs/${id}`, { as: 'bob' })))
  expect(seen.map(({ status }) => status)).toEqual([404, 404, 200])
  expect((await server.call('POST', `bulk-changes/${_id}/undo`)).body.code).toBe(40414)
})

test('what was there before is told apart from what a process that died has stored of it', async () => {
  const [before, during] = [await portion('before'), await portion('during')]
  await server.call('POST', 'jobs/import', { body: { files: before.files } })
  const { _id } = (await begin([before, during])).body.data
  await server.call('POST', 'jobs/import', { body: { files: during.files } })
  await carryOutAll(server)
  expect(await entry(_id)).toMatchObject({ state: 'done', done: 2, count: 1, unchanged: 1 })
})

test('a portion that cannot be read is refused with the reason, and the next one is stored', async () => {
  const [broken, whole] = [await portion('broken'), await portion('whole')]
  const name = 'bad.zip'
  const damaged = { files: [{ name, ticket: await send(name, 'no archive') }], only: broken.only }
  const other = { ...whole, only: [...whole.only, 'job-of-nobody'] }
  const { _id } = (await begin([damaged, other])).body.data
  await carryOutAll(server)
  const told = await entry(_id)
  expect(told).toMatchObject({ state: 'done', done: 3, count: 1, refused: 2 })
  expect(told.refusals).toEqual([
    { _id: broken.only[0], reason: expect.stringContaining('archive'), code: expect.any(Number) },
    { _id: 'job-of-nobody', reason: 'It is not among the files.' },
  ])
})

test('an import that is cancelled keeps what is stored, and the rest can be stored by another', async () => {
  const portions = [await portion('first'), await portion('second')]
  const { _id } = (await begin(portions)).body.data
  await carryOnOnce(server)
  await server.call('POST', `bulk-changes/${_id}/cancel`)
  await carryOutAll(server)
  expect(await entry(_id)).toMatchObject({ state: 'cancelled', done: 1, count: 1, undo: null })
  const again = (await begin(portions)).body.data
  await carryOutAll(server)
  expect(await entry(again._id)).toMatchObject({ state: 'done', done: 2, count: 1, unchanged: 1 })
})

test('a calculation that is meant twice is stored once, and counted once', async () => {
  const text = output()
  const twins = [await portion('x', text), await portion('y', text)]
  const { _id, matched } = (await begin(twins)).body.data
  await carryOutAll(server)
  expect([matched, (await entry(_id)).count]).toEqual([1, 1])
})

test('what cannot be carried out is refused at once, and nothing begins', async () => {
  const own = await portion('own')
  const refused = async (portions: readonly object[], as: Actor = 'ada') => {
    const { status, body } = await begin(portions, as)
    return [status, body.code]
  }
  expect(await refused([own], 'bob')).toEqual([403, 40320])
  expect(await refused([own], 'readOnly')).toEqual([403, 40301])
  expect(await refused([{ files: own.files }])).toEqual([400, 40039])
  expect(await refused([own, { ...own, dryRun: true }])).toEqual([400, 40038])
  const { data } = (await server.call('GET', 'bulk-changes')).body
  expect(data.filter(({ state }: { state: string }) => state === 'waiting')).toEqual([])
})
