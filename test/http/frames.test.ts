import { createHash } from 'node:crypto'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

type Fields = Readonly<Record<string, string>>

async function form(files: Readonly<Record<string, string | Uint8Array>>, fields: Fields = {}, query = '') {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content as string]), name)
  const body = new Response(form)
  const headers = { 'content-type': body.headers.get('content-type') ?? '' }
  return await server.call('POST', `materials/import${query}`, {
    headers,
    body: new Uint8Array(await body.arrayBuffer()),
  })
}

/** Rock salt that is stretched from step to step. */
const block = (a: number, title = '') =>
  `2\nLattice="${a} 0 0 0 ${a} 0 0 0 ${a}"${title === '' ? '' : ` title="${title}"`}\nCs 0 0 0\nCl ${a / 2} ${a / 2} ${a / 2}\n`
const trajectory = (from: number, count = 4) =>
  Array.from({ length: count }, (_, n) => block(from + n / 1000, 'stretched')).join('')

async function membersOf(setId: string) {
  const { body } = await server.call('GET', `materials?setId=${setId}`)
  expect(body).toMatchObject({ data: expect.any(Array) })
  return body.data
}

async function countOf(query: object): Promise<number> {
  return (await server.call('POST', 'materials/count', { body: { query } })).body.data.count
}

describe('a form with the frame "all"', () => {
  test('makes of a file of several structures an ordered set, and a material of each', async () => {
    const text = trajectory(4)
    const { status, body } = await form({ 'runs/relax.xyz': text }, { frame: 'all', tags: 'relaxation' })
    expect(status).toBe(200)
    const [ofSet, ...ofMembers] = body.data.files
    expect(body.data).toMatchObject({ stored: 5, skipped: 0, refused: 0, withoutSymmetry: 0 })
    expect(ofSet).toEqual({ file: 'runs/relax.xyz', frames: 4, outcome: 'stored', _id: expect.any(String) })
    expect(ofMembers.map(({ file, frame, outcome, format }: Fields) => [file, frame, outcome, format])).toEqual(
      [0, 1, 2, 3].map((frame) => ['runs/relax.xyz', frame, 'stored', 'xyz']),
    )
    const set = (await server.call('GET', `materials/${ofSet._id}`)).body.data
    expect(set).toMatchObject({
      name: 'relax.xyz',
      slug: 'relax-xyz',
      isEntitySet: true,
      entitySetType: 'ordered',
      entityCls: 'Material',
      nextIndex: 4,
      tags: ['relaxation'],
    })
    const members = await membersOf(ofSet._id)
    expect(members.map(({ _id }: Fields) => _id)).toEqual(ofMembers.map(({ _id }: Fields) => _id))
    const hash = createHash('sha256').update(text).digest('hex')
    for (const [index, member] of members.entries()) {
      const alone = block(4 + index / 1000, 'stretched')
      expect(member).toMatchObject({
        name: `stretched #${index}`,
        formula: 'CsCl',
        spaceGroup: { number: 221 },
        tags: ['relaxation'],
        inSet: [{ _id: ofSet._id, cls: 'Material', slug: 'relax-xyz', type: 'ordered', index }],
        src: {
          extension: 'xyz',
          filename: 'relax.xyz',
          text: alone,
          hash: createHash('md5').update(alone).digest('hex'),
          partOf: { frame: index, frames: 4, hash },
        },
      })
      expect(member.src.frame).toBeUndefined()
    }
  })

  test('names structures without a title by their formula', async () => {
    const { body } = await form({ 'a.xyz': block(5) + block(5.1) }, { frame: 'all' })
    expect((await membersOf(body.data.files[0]._id)).map(({ name }: Fields) => name)).toEqual(['CsCl #0', 'CsCl #1'])
  })

  test('cuts a title that is too long for a name, and not the number', async () => {
    const title = 'x'.repeat(2000)
    const { body } = await form({ 'long.xyz': block(5.2, title) + block(5.3, title) }, { frame: 'all' })
    expect(body.data).toMatchObject({ stored: 3 })
    const [first] = await membersOf(body.data.files[0]._id)
    expect(first.name).toBe(`${'x'.repeat(1021)} #0`)
  })

  test('stores a file of one structure as without it', async () => {
    const [withAll, without] = [await form({ 'b.xyz': block(6) }, { frame: 'all' }), await form({ 'b.xyz': block(6) })]
    expect(withAll.body.data).toMatchObject({ stored: 1, files: [{ file: 'b.xyz', outcome: 'stored', format: 'xyz' }] })
    expect(without.body.data.files[0]).toMatchObject({ outcome: 'skipped', _id: withAll.body.data.files[0]._id })
  })

  test('refuses a structure at its number, and stores the others', async () => {
    const { body } = await form(
      { 'a.zip': zipSync({ 'c.xyz': Buffer.from(`${block(7)}1\n\nJj 0 0 0\n${block(7.2)}`) }) },
      { frame: 'all' },
    )
    const [set, first, wrong, last] = body.data.files
    expect(body.data).toMatchObject({ stored: 3, refused: 1 })
    expect(wrong).toMatchObject({
      file: 'a.zip/c.xyz',
      frame: 1,
      outcome: 'refused',
      error: { code: 42230, data: { line: 3 } },
    })
    const members = await membersOf(set._id)
    expect(members.map(({ _id }: Fields) => _id)).toEqual([first._id, last._id])
    expect(members.map(({ inSet }: { inSet: { index: number }[] }) => inSet[0]?.index)).toEqual([0, 2])
  })

  test('refuses a file that cannot be taken apart, and goes on with the next', async () => {
    const { body } = await form(
      { 'd.xyz': `${block(8)}and so on\n`, 'e.abc': 'what is this', 'f.xyz': block(8) },
      { frame: 'all' },
    )
    expect(
      body.data.files.map(({ error, outcome }: { error?: { code: number } } & Fields) => error?.code ?? outcome),
    ).toEqual([42232, 42226, 'stored'])
    expect(body.data.files[0].error.data.line).toBe(5)
  })

  test('stores nothing twice when it is sent again, and completes what had been begun', async () => {
    const [short, long] = [trajectory(9, 2), trajectory(9.5, 3)]
    const first = (await form({ 'g.xyz': short }, { frame: 'all' })).body.data
    const again = (await form({ 'g.xyz': short, 'h.xyz': long }, { frame: 'all' })).body.data
    expect([first.stored, again.stored, again.skipped]).toEqual([3, 4, 3])
    const idsOf = ({ files }: { files: Fields[] }) => files.map(({ _id }) => _id)
    expect(idsOf(again).slice(0, 3)).toEqual(idsOf(first))
    expect(await countOf({ 'inSet._id': first.files[0]._id })).toBe(2)
  })

  test('leaves out of the set what the account has already, where that is wanted', async () => {
    const there = (await form({ 'i.xyz': block(10.001) })).body.data.files[0]._id
    const { body } = await form({ 'j.xyz': trajectory(10, 3) }, { frame: 'all' }, '?onDuplicate=return')
    const [set, , skipped] = body.data.files
    expect(body.data).toMatchObject({ stored: 3, skipped: 1 })
    expect(skipped).toMatchObject({ frame: 1, outcome: 'skipped', _id: there })
    expect((await membersOf(set._id)).map(({ inSet }: { inSet: { index: number }[] }) => inSet[0]?.index)).toEqual([
      0, 2,
    ])
    expect((await server.call('GET', `materials/${set._id}`)).body.data.nextIndex).toBe(3)
    const same = (await form({ 'k.xyz': trajectory(10, 2) }, { frame: 'all' }, '?skipSame=true')).body.data
    expect(same.files.map(({ outcome }: Fields) => outcome)).toEqual(['stored', 'skipped', 'skipped'])
    expect(same.files[2].sameAs).toHaveLength(1)
  })

  test('does not take a structure that was imported by itself for a member', async () => {
    const text = trajectory(11, 2)
    await form({ 'l.xyz': text }, { frame: '1' })
    const { files } = (await form({ 'l.xyz': text }, { frame: 'all' })).body.data
    expect(files.map(({ outcome }: Fields) => outcome)).toEqual(['stored', 'stored', 'stored'])
  })

  test('takes 10,000 structures of files that hold several, all together, and says what else to do', async () => {
    const atom = '1\n\nH 0 0 0\n'
    const { body } = await form(
      { 'm.xyz': trajectory(12, 2), 'n.xyz': atom.repeat(9999), 'o.xyz': block(12.5), 'p.xyz': trajectory(13, 2) },
      { frame: 'all' },
    )
    const outcomes = body.data.files.filter(({ frame }: Fields) => frame === undefined)
    expect(outcomes.map(({ file, outcome }: Fields) => [file, outcome])).toEqual([
      ['m.xyz', 'stored'],
      ['n.xyz', 'refused'],
      ['o.xyz', 'stored'],
      ['p.xyz', 'stored'],
    ])
    expect(outcomes[1].error).toMatchObject({
      code: 41318,
      message:
        'The file holds more than 9998 structures. Send it in parts, or use `quarry import --frame all`, which takes any number; or name one frame.',
    })
  })

  test.each(['each', 'ALL', '1.5', 'all,1'])('is the only word: "%s" is refused', async (frame) => {
    const { status, body } = await form({ 'q.xyz': block(14) }, { frame })
    expect(status).toBe(400)
    expect(body.data).toMatchObject({ path: 'frame' })
    expect(JSON.stringify(body)).toContain('or \\"all\\" for a set of all')
  })
})

describe('a file that is longer than what is read of one structure', () => {
  const first = block(20, 'first')
  const text = `${first}${block(20.5).repeat(160_000)}${block(21, 'last')}`

  test('gives one of its structures, whose text alone is kept', async () => {
    expect(text.length).toBeGreaterThan(10 * 1024 * 1024)
    const { body } = await form({ 'long.xyz': text })
    expect(body.data.files[0]).toMatchObject({ file: 'long.xyz', outcome: 'stored', format: 'xyz' })
    expect(body.data.files[0].warnings[0].message).toMatch(
      /^The file holds \d{6} or more structures; the first, frame 0, is taken\./,
    )
    const [last] = (await form({ 'long.xyz': text }, { frame: '-1' })).body.data.files
    const sourceOf = async (id: string) => (await server.call('GET', `materials/${id}`)).body.data.src
    expect(await sourceOf(body.data.files[0]._id)).toMatchObject({ text: first, partOf: { frame: 0 } })
    expect(await sourceOf(last._id)).toMatchObject({
      text: block(21, 'last'),
      partOf: { frame: 160_001, frames: 160_002 },
    })
    const again = (await form({ 'long.xyz': text }, { frame: '-1' })).body.data.files[0]
    expect(again).toMatchObject({ outcome: 'skipped', _id: last._id })
  })

  test('is refused as a set as soon as it has too many', async () => {
    const [report] = (await form({ 'long.xyz': text }, { frame: 'all' })).body.data.files
    expect(report.error.message).toMatch(/^The file holds more than 10000 structures\./)
  })
})

test.each([
  ['materials/import', {}],
  ['structures/analyze', {}],
  ['structures/convert', { to: 'cif' }],
])('%s of one structure says where all are stored', async (path, fields) => {
  const { status, body } = await server.call('POST', path, { body: { content: block(15), frame: 'all', ...fields } })
  expect([status, body.data.path]).toEqual([400, 'frame'])
  expect(JSON.stringify(body)).toContain('POST /materials/import as a form stores all')
})
