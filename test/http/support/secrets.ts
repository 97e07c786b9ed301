import { expect } from 'vitest'
import { material, method } from './records.ts'
import { headerOf, type Received, type Sending, type Twin } from './twin-servers.ts'

/** A word that is in the private records of ada and of her lab, and nowhere else. */
export const SECRET = 'unobtainium'

/** What hostile accounts may have come by, and try. */
export interface Known {
  readonly labId: string
  readonly adaId: string
  /** A set of hers, with members. */
  readonly setId: string
  /** A public record of hers, whose first version was private. */
  readonly withPastId: string
  /** Cursors that she got with her lists: in no order, by a number, by a text that is too long for a cursor. */
  readonly cursors: Readonly<Record<'plain' | 'byRank' | 'byNote', string>>
  /** Tags of a record of hers, and of the list of all that she sees. */
  readonly recordTag: string
  readonly listTag: string
}

type Sender = Parameters<Twin['send']>[0]

/**
 * What both servers have: public records and those of the askers. Some are the very crystals that ada has in private. One was private
 * itself before it was public, and said something else then.
 */
export async function furnish(twin: Twin, past: string): Promise<void> {
  twin.beginIds('shared')
  const before = material('open past', { rank: 7, description: past, tags: [past] })
  const { _id } = JSON.parse((await change(twin, 'ada', 'POST materials', before)).body).data
  await change(twin, 'ada', `PATCH materials/${_id}`, { description: 'open', tags: [], isPublic: true })
  const post = async (as: Sender, collection: string, body: object) =>
    expect((await twin.send(as, { method: 'POST', path: collection, body })).status).toBe(201)
  await post('ada', 'materials', material('silicon', { isPublic: true, rank: 10, tags: ['open'] }))
  await post('lab', 'materials', material('germanium', { isPublic: true, rank: 11, p: 1, q: 2 }, 4.02))
  for (const rank of [1, 2, 3, 4]) await post('bob', 'materials', material(`bob ${rank}`, { rank, list: [rank] }))
  await post('bob', 'materials', material('open bob', { rank: 5, isPublic: true }, 5.1))
  await post('eve', 'materials', material('eve', { rank: 6, bandGap: 1.2, note: 'short' }, 4.02))
  await post('ada', 'methods', method('open method', { isPublic: true }))
  await post('bob', 'methods', method('method of bob'))
}

/** What one server has and the other has not: private records of ada and of her lab, of every kind and in every state. */
export async function hide(twin: Twin): Promise<void> {
  twin.beginIds('hidden')
  for (const as of ['ada', 'lab'] as const) {
    const own = (records: readonly object[]) => records.map((record) => ({ ...record, _id: `${as}-${idOf(record)}` }))
    await store(twin, as, 'materials', own(MATERIALS))
    await store(twin, as, 'methods', own([method(SECRET, { _id: 'method', secretField: 1 })]))
    await store(twin, as, 'workflows', own([{ _id: 'workflow', name: SECRET, subworkflows: [], units: [] }]))
    await store(twin, as, 'jobs', own([{ _id: 'job', name: SECRET, workflow: { subworkflows: [] } }]))
    await change(twin, as, 'GET projects/default')
    await change(twin, as, 'PUT materials/create-set', { name: `${SECRET} set`, entitySetType: 'ordered' })
    await change(twin, as, `PATCH materials/${as}-plain`, { description: SECRET })
    await change(twin, as, `PATCH materials/${as}-plain`, { description: `${SECRET} again` })
    await change(twin, as, `POST materials/${as}-alone/set-default`)
    await change(twin, as, `DELETE materials/${as}-gone`)
  }
}

const SETS = 'materials?query={"isEntitySet":true}'
const pageBy = (sort: object) => `materials?projection=${encodeURIComponent(JSON.stringify({ sort, limit: 15 }))}`

/**
 * What ada asks of all that she sees. It is asked of both servers: what memory holds of the public records, which `explain` counts, comes
 * from questions, and may be known from the time that they take.
 */
export async function lookAround(twin: Twin): Promise<void> {
  for (const path of ['materials?count=true', 'materials?query={"rank":{"$gt":1}}', 'methods'])
    for (let time = 0; time < 3; time += 1) await change(twin, 'ada', `GET ${path}`)
  for (const path of [...[{}, { rank: 1 }, { note: -1 }].map(pageBy), 'materials?name=open+past', SETS])
    await change(twin, 'ada', `GET ${path}`)
}

/** What ada sees of hers; it is in the server's memory from then on. */
export async function lookAtHidden(twin: Twin): Promise<Known> {
  const ask = (path: string) => change(twin, 'ada', `GET ${path}`)
  for (let time = 0; time < 3; time += 1) await ask('materials/ada-plain')
  const cursorOf = async (sort: object) => headerOf(await ask(pageBy(sort)), 'x-next-cursor') ?? ''
  const [withPast] = JSON.parse((await ask('materials?name=open+past')).body).data
  const [set] = JSON.parse((await ask(SETS)).body).data
  await change(twin, 'ada', `POST materials/ada-plain/move-to-set?oldSetId=&newSetId=${set._id}`)
  return {
    labId: twin.labId,
    adaId: twin.server.accountIds.ada,
    setId: set._id,
    withPastId: withPast._id,
    cursors: { plain: await cursorOf({}), byRank: await cursorOf({ rank: 1 }), byNote: await cursorOf({ note: -1 }) },
    recordTag: headerOf(await ask('materials/ada-plain'), 'etag') ?? '',
    listTag: headerOf(await ask('materials'), 'etag') ?? '',
  }
}

const MATERIALS: readonly object[] = [
  material(SECRET, { _id: 'plain', project: SECRET, rank: 2, list: [1, 2], tags: [SECRET] }),
  material(`${SECRET} alone`, { _id: 'alone', rank: 'two', secretField: { deep: [{ level: 1 }] }, bandGapp: 1 }, 9.9),
  material(
    `${SECRET} twin`,
    { _id: 'twin', rank: 5, isCurated: true, systemName: SECRET, systemname: SECRET, exabyteId: SECRET },
    5.1,
  ),
  material(`${SECRET} vector`, { _id: 'vector', rank: Array.from({ length: 40 }, (_, i) => i), p: [1, 2], q: [3] }),
  material(`${SECRET} long`, { _id: 'long', note: `${SECRET} ${'word '.repeat(600)}`, rank: null }),
  material(`${SECRET} gone`, { _id: 'gone', project: SECRET }),
  ...Array.from({ length: 40 }, (_, i) =>
    material(`filler ${i}`, {
      _id: `filler-${i}`,
      rank: i / 2,
      note: `${i} ${'x'.repeat(1500)}`,
      odd: { [`k${i}`]: i },
    }),
  ),
]

const idOf = (record: object) => (record as { readonly _id: string })._id

async function store(twin: Twin, as: Sender, collection: string, records: readonly object[]): Promise<void> {
  const lines = records.map((record) => JSON.stringify(record)).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const { status, body } = await twin.send(as, { method: 'POST', path: `${collection}/bulk`, headers, body: lines })
  expect([status, JSON.parse(body.trim().split('\n').at(-1) ?? '')]).toMatchObject([200, { stored: records.length }])
}

/** Sends what has to succeed; `line` is a method and a path. */
async function change(twin: Twin, as: Sender, line: string, body?: unknown): Promise<Received> {
  const [method = '', path = ''] = line.split(' ')
  const sending: Sending = body === undefined ? { method, path } : { method, path, body }
  const received = await twin.send(as, sending)
  expect([method, path, received.status]).toEqual([method, path, expect.toSatisfy((status) => status < 300)])
  return received
}
