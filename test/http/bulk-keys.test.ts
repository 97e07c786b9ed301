import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ segmentSizes: { tailRows: 3, mergedTogether: 3, takenOver: 3 } })
})
afterAll(() => server.close())

interface Sending {
  readonly query: string
  readonly as?: Actor
  readonly collection?: string
}

/** The reports of the lines, and the totals. */
async function send(lines: readonly object[], { query, as = 'ada', collection = 'methods' }: Sending) {
  const headers = { ...server.credentials[as as 'ada'], 'content-type': 'application/x-ndjson' }
  const body = lines.map((line) => JSON.stringify(line)).join('\n')
  const answer = await fetch(`${server.origin}/api/2018-10-01/${collection}/bulk?${query}`, {
    method: 'POST',
    headers,
    body,
  })
  const text = (await answer.text()).trimEnd()
  return { status: answer.status, reports: text.split('\n').map((line) => JSON.parse(line)) }
}

const read = async (id: string, as: Actor = 'ada') => (await server.call('GET', `methods/${id}`, { as })).body.data
const version = async (id: string) => (await server.call('GET', `methods/${id}/history`)).body.data.version

describe('a bulk with a key', () => {
  test('makes of the record with the same key what is sent, and stores the others', async () => {
    const first = await send([method('one', { task: 1, old: true, tags: ['x'] }), method('two', { task: 2 })], {
      query: 'key=task',
    })
    expect(first.reports.at(-1)).toEqual({ stored: 2, skipped: 0, refused: 0, withoutSymmetry: 0 })
    const [{ _id: id }, { _id: other }] = first.reports
    await server.call('PATCH', `methods/${id}`, { body: { isPublic: true } })
    const second = await send([method('uno', { task: 1, fresh: true }), method('three', { task: 3 })], {
      query: 'key=task',
    })
    expect(second.reports).toMatchObject([
      { line: 1, outcome: 'updated', _id: id },
      { line: 2, outcome: 'stored' },
      { stored: 1, updated: 1, skipped: 0, refused: 0 },
    ])
    const document = await read(id)
    expect(document).toMatchObject({ _id: id, name: 'uno', slug: 'uno', fresh: true, tags: [], isPublic: true })
    expect(document).not.toHaveProperty('old')
    expect(await version(id)).toBe(3)
    expect((await read(other)).name).toBe('two')
    const before = (await server.call('GET', `methods/${id}?revision=2`)).body.data
    expect(before).toMatchObject({ name: 'one', old: true })
  })

  test('writes no version where nothing changes', async () => {
    const lines = [method('same', { task: 'same', a: { b: 1 } })]
    const [{ _id: id }] = (await send(lines, { query: 'key=task' })).reports
    const again = await send(lines, { query: 'key=task' })
    expect(again.reports).toMatchObject([
      { outcome: 'skipped', _id: id },
      { stored: 0, skipped: 1 },
    ])
    expect(await version(id)).toBe(1)
  })

  test('sets the fields that are sent where they are merged, of records that need not be whole', async () => {
    const [{ _id: id }] = (
      await send([material('whole', { task: 9, a: { x: 1 }, b: 1 }, 4.4)], {
        query: 'key=task',
        collection: 'materials',
      })
    ).reports
    const merging = { query: 'key=task&onMatch=merge', collection: 'materials' }
    const { reports } = await send(
      [
        { task: 9, a: { y: 2 }, energy: -1 },
        { task: 10, energy: 1 },
      ],
      merging,
    )
    expect(reports[0]).toMatchObject({ outcome: 'updated', _id: id })
    expect(reports[1]).toMatchObject({ outcome: 'refused', error: { code: 42201 } })
    const { data } = (await server.call('GET', `materials/${id}`)).body
    expect(data).toMatchObject({ name: 'whole', a: { y: 2 }, b: 1, energy: -1, formula: expect.any(String) })
    expect(data.a).not.toHaveProperty('x')
  })

  test('takes of several lines with one key the last, and says so', async () => {
    const lines = [1, 2, 3].map((n) => method(`n${n}`, { task: 'twice', n }))
    const { reports } = await send(lines, { query: 'key=task' })
    const id = reports[0]._id
    expect(reports.slice(0, 3)).toMatchObject([
      { line: 1, outcome: 'stored' },
      { line: 2, outcome: 'updated', _id: id },
      { line: 3, outcome: 'updated', _id: id },
    ])
    expect((await read(id)).n).toBe(3)
  })

  test('refuses a line without the key (40056), and one whose key several have (40912)', async () => {
    for (const n of [1, 2]) await server.call('POST', 'methods', { body: method(`many${n}`, { task: 'many' }) })
    const lines = [method('none'), method('null', { task: null }), method('list', { task: [1] })]
    const { reports } = await send([...lines, method('many', { task: 'many' })], { query: 'key=task' })
    expect(reports.map(({ error }) => error?.code)).toEqual([40056, 40056, 40056, 40912, undefined])
    expect(reports.at(-1)).toMatchObject({ stored: 0, refused: 4 })
  })

  test('has paths within, and several of them', async () => {
    const line = (run: number, value: number) => method(`m${run}`, { job: { id: 'j1' }, run, value })
    const query = 'key=job.id,run'
    const { reports } = await send([line(1, 1), line(2, 1)], { query })
    const again = await send([line(2, 5)], { query })
    expect(again.reports[0]).toMatchObject({ outcome: 'updated', _id: reports[1]._id })
    expect((await read(reports[0]._id)).value).toBe(1)
  })

  test('is of the own records alone', async () => {
    const [{ _id: id }] = (await send([method('hers', { task: 'hers', isPublic: true })], { query: 'key=task' }))
      .reports
    const { reports } = await send([method('his', { task: 'hers' })], { query: 'key=task', as: 'bob' })
    expect(reports[0].outcome).toBe('stored')
    expect(reports[0]._id).not.toBe(id)
    expect((await read(id)).name).toBe('hers')
  })

  test.each([
    ['onMatch=merge', 'onMatch'],
    ['key=a&onMatch=x', 'onMatch'],
    ['key=a..b', 'key'],
    ['key=', 'key'],
    ['key=a,b,c,d,e', 'key'],
    ['keys=a', 'keys'],
  ])('refuses %s', async (query, path) => {
    const { status, reports } = await send([], { query })
    expect([status, reports[0].data.path]).toEqual([400, path])
  })
})
