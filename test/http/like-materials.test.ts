import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'

const API = '/api/2018-10-01'
const LINES = 'application/x-ndjson'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A cubic crystal as a POSCAR: its edge, its elements each with places. */
function cubic(edge: number, atoms: Readonly<Record<string, readonly string[]>>, repeats = 1): string {
  const elements = Object.keys(atoms)
  const steps = Array.from({ length: repeats }, (_, step) => step)
  const places = elements.flatMap((element) =>
    (atoms[element] ?? []).flatMap((place) => {
      const [x = 0, y = 0, z = 0] = place.split(' ').map(Number)
      return steps.map((step) => `${(x + step) / repeats} ${y} ${z}`)
    }),
  )
  const counts = elements.map((element) => (atoms[element]?.length ?? 0) * repeats)
  const lattice = `${edge * repeats} 0 0\n0 ${edge} 0\n0 0 ${edge}`
  return `crystal\n1\n${lattice}\n${elements.join(' ')}\n${counts.join(' ')}\nDirect\n${places.join('\n')}\n`
}

const CORNERS = ['0 0 0', '0 0.5 0.5', '0.5 0 0.5', '0.5 0.5 0']
const EDGES = ['0.5 0 0', '0 0.5 0', '0 0 0.5', '0.5 0.5 0.5']
const SHIFTED = CORNERS.map((place) =>
  place
    .split(' ')
    .map((x) => Number(x) + 0.3)
    .join(' '),
)
const SHIFTED_EDGES = EDGES.map((place) =>
  place
    .split(' ')
    .map((x) => Number(x) + 0.3)
    .join(' '),
)
const MOLECULE = '2\nHydrogen\nH 0 0 0\nH 0 0 0.74\n'

/** Atoms on a screw axis, to the left or to the right: a crystal without a mirror. */
function onScrew(hand: 1 | -1): readonly (readonly number[])[] {
  const x = 0.2633
  const places = [
    [x, 0, 1 / 3],
    [0, x, 2 / 3],
    [1 - x, 1 - x, 0],
  ]
  return hand === 1 ? places : places.map((place) => place.map((part) => (1 - part) % 1))
}

function screw(hand: 1 | -1): string {
  const places = onScrew(hand).map((place) => place.join(' '))
  return `Te\n1\n4.4572 0 0\n-2.2286 3.86005 0\n0 0 5.929\nTe\n3\nDirect\n${places.join('\n')}\n`
}

async function stored(content: string, as: 'ada' | 'bob' = 'ada') {
  const { body } = await server.call('POST', 'materials/import', { as, body: { content } })
  return body.data as {
    readonly _id: string
    readonly sameAs?: readonly { readonly _id: string; readonly rms: number; readonly strain: number }[]
  }
}

/** The reports on some records, and their totals. */
async function bulk(records: readonly object[], query: string) {
  const answer = await fetch(`${server.origin}${API}/materials/bulk${query}`, {
    method: 'POST',
    headers: { 'content-type': LINES, ...server.credentials.ada },
    body: records.map((record) => JSON.stringify(record)).join('\n'),
  })
  const text = await answer.text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function ask(id: string, what: string, as: 'ada' | 'bob' = 'ada') {
  const { status, body } = await server.call('GET', `materials/${id}/${what}`, { as })
  return { status, data: body.data, code: body.code }
}

const idsOf = (found: readonly { readonly _id: string }[]) => found.map(({ _id }) => _id)

describe('the same material', () => {
  it('is found whatever its origin and its cell, and told how well it fits', async () => {
    const first = await stored(cubic(5.64, { Na: CORNERS, Cl: EDGES }))
    const origin = await stored(cubic(5.64, { Na: SHIFTED, Cl: SHIFTED_EDGES }))
    const larger = await stored(cubic(5.641, { Cl: EDGES, Na: CORNERS }, 2))
    await stored(cubic(5.9, { Na: CORNERS, Cl: EDGES }))
    const { status, data } = await ask(first._id, 'same')
    expect(status).toBe(200)
    expect(idsOf(data.same).sort()).toEqual([origin._id, larger._id].sort())
    expect(data).toMatchObject({ exact: true, compared: 2 })
    expect(data.same[0]).toMatchObject({
      name: expect.any(String),
      formula: 'NaCl',
      nSites: 8,
      isPublic: false,
      owner: { cls: 'Account' },
      rms: 0,
      handedness: 'same',
    })
    expect(data.same[1].strain).toBeGreaterThan(1e-4)
    // The stored ones have been told of those that were there.
    expect([first.sameAs, idsOf(origin.sameAs ?? [])]).toEqual([undefined, [first._id]])
    expect(idsOf(larger.sameAs ?? []).sort()).toEqual([first._id, origin._id].sort())
  })

  it('is not the mirror image, which is told apart', async () => {
    const [left, right] = [await stored(screw(1)), await stored(screw(-1))]
    expect((await ask(left._id, 'same')).data.same).toMatchObject([{ _id: right._id, handedness: 'opposite' }])
    expect(right.sameAs).toBeUndefined()
  })

  it('is told of no material that the account does not see', async () => {
    const theirs = await stored(cubic(3.3, { Po: ['0 0 0'] }), 'bob')
    const ours = await stored(cubic(3.3, { Po: ['0.5 0 0'] }))
    expect([theirs.sameAs, ours.sameAs]).toEqual([undefined, undefined])
    expect((await ask(ours._id, 'same')).data).toEqual({ same: [], compared: 0, exact: true })
    expect((await ask(theirs._id, 'same')).status).toBe(404)
    await server.call('PATCH', `materials/${theirs._id}`, { as: 'bob', body: { isPublic: true } })
    expect(idsOf((await ask(ours._id, 'same')).data.same)).toEqual([theirs._id])
  })

  it('is sought among no more candidates than asked for, and says so', async () => {
    const [first] = [await stored(cubic(4.05, { Al: CORNERS }))]
    for (const x of [0.1, 0.2, 0.3])
      await stored(cubic(4.05, { Al: CORNERS.map((place) => place.replace(/^\S+/, (at) => `${Number(at) + x}`)) }))
    expect((await ask(first._id, 'same?limit=2')).data).toMatchObject({ compared: 2, exact: false })
    expect((await ask(first._id, 'same')).data).toMatchObject({ compared: 3, exact: true })
  })

  it('is told to the writer where atoms and cell are those of three decimals, and not where it is relaxed otherwise', async () => {
    const [, ...edges] = EDGES
    const first = await stored(cubic(5.6234, { Kr: CORNERS, Xe: EDGES }))
    const noisy = await stored(cubic(5.623, { Kr: CORNERS, Xe: ['0.5003 0.0002 0.9999', ...edges] }))
    expect(noisy.sameAs).toEqual([{ _id: first._id, rms: expect.any(Number), strain: expect.any(Number) }])
    expect(noisy.sameAs?.[0]?.rms).toBeGreaterThan(5e-4)
    expect(noisy.sameAs?.[0]?.strain).toBeCloseTo(0.0004 / 5.6234, 6)
    // Both are told to who asks for what is near, with what is left over.
    const strained = await stored(cubic(5.633, { Kr: CORNERS, Xe: EDGES }))
    const moved = await stored(cubic(5.6234, { Kr: CORNERS, Xe: ['0.505 0 0', ...edges] }))
    expect([strained.sameAs, moved.sameAs]).toEqual([undefined, undefined])
    const near = (await ask(first._id, 'same')).data.same
    expect(idsOf(near).sort()).toEqual([noisy._id, strained._id, moved._id].sort())
  })

  it('is found up to what is said of it, however small its cell, and no farther', async () => {
    const first = await stored(cubic(4.4, { Ar: ['0 0 0'] }))
    const larger = await stored(cubic(4.4 * 1.0095, { Ar: ['0.3 0 0'] }, 2))
    const smaller = await stored(cubic(4.4 * 0.9905, { Ar: CORNERS.slice(0, 1) }))
    await stored(cubic(4.4 * 1.0105, { Ar: ['0 0 0'] }))
    const { data } = await ask(first._id, 'same')
    expect(idsOf(data.same).sort()).toEqual([larger._id, smaller._id].sort())
    expect(data.same[0].strain).toBeCloseTo(0.0095, 6)
    expect(data.exact).toBe(true)
  })

  it('is told of ten, and that there may be more', async () => {
    const neon = (x: number) =>
      cubic(4.43, { Ne: CORNERS.map((place) => place.replace(/^\S+/, (at) => `${Number(at) + x}`)) })
    const answers = []
    for (let turn = 0; turn < 12; turn++) {
      answers.push((await server.call('POST', 'materials/import', { body: { content: neon(turn / 50) } })).body)
    }
    const told = answers.map(({ data }) => data.sameAs?.length ?? 0)
    expect(told[2]).toBe(2)
    expect(Math.max(...told)).toBe(10)
    // Either all are told, or that these are not all.
    const warned = answers.map(({ warnings = [] }) =>
      warnings.map(({ code, path }: { code: number; path: string }) => `${code} ${path}`),
    )
    expect(warned).toEqual(told.map((count, others) => (count < others ? ['20025 sameAs'] : [])))
  })

  it('is told with a new record, and not stored with it', async () => {
    const body = { name: 'Krypton', lattice: { a: 5.7, b: 5.7, c: 5.7, alpha: 90, beta: 90, gamma: 90 } }
    const basis = (x: number) => ({
      elements: [{ id: 0, value: 'Kr' }],
      coordinates: [{ id: 0, value: [x, 0, 0] }],
    })
    const first = (await server.call('POST', 'materials', { body: { ...body, basis: basis(0) } })).body.data
    const { body: answer, headers } = await server.call('POST', 'materials', { body: { ...body, basis: basis(0.2) } })
    expect([first.sameAs, answer.data.sameAs, headers.get('x-same-as')]).toEqual([
      undefined,
      [{ _id: first._id, rms: 0, strain: 0 }],
      first._id,
    ])
    expect((await server.call('GET', `materials/${answer.data._id}`)).body.data.sameAs).toBeUndefined()
    const again = await server.call('POST', 'materials', { body: { ...answer.data, name: 'Copy' } })
    expect([again.status, idsOf(again.body.data.sameAs).length]).toEqual([201, 2])
  })
})

describe('an import that skips the same', () => {
  const sent = (place: number) => cubic(6.1, { Xe: [`${place} 0 0`] })

  it('stores no crystal that the account has, and answers with that one', async () => {
    const import_ = (content: string, query: string, as: 'ada' | 'bob' = 'ada') =>
      server.call('POST', `materials/import${query}`, { as, body: { content } })
    const first = await stored(sent(0))
    const again = (await import_(sent(0.2), '?skipSame=true')).body.data
    expect(again).toMatchObject({ _id: first._id, sameAs: [{ _id: first._id, rms: 0, strain: 0 }] })
    expect((await import_(sent(0.2), '?skipSame=false')).body.data._id).not.toBe(first._id)
    // That of another account is no reason, though it be public.
    await server.call('PATCH', `materials/${first._id}`, { body: { isPublic: true } })
    const theirs = (await import_(sent(0.3), '?skipSame=true', 'bob')).body.data
    expect([theirs._id === first._id, theirs.owner.slug]).toEqual([false, 'bob'])
    expect((await import_(sent(0.4), '?skipSame=maybe')).status).toBe(400)
  })

  it('compares the records of an upload with each other', async () => {
    const record = (a: number, x: number) => ({
      name: 'Radon',
      lattice: { a, b: a, c: a, alpha: 90, beta: 90, gamma: 90 },
      basis: { elements: [{ id: 0, value: 'Rn' }], coordinates: [{ id: 0, value: [x, 0, 0] }] },
    })
    const molecules = [0.1, 0.2].map((x) => ({ ...record(9, x), isNonPeriodic: true }))
    const lines = [record(6.2, 0), record(6.2004, 0.3), record(6.3, 0), ...molecules]
    const [first, second, third, ...others] = await bulk(lines, '?skipSame=true')
    expect([first.outcome, second.outcome, third.outcome]).toEqual(['stored', 'skipped', 'stored'])
    expect(second).toMatchObject({ _id: first._id, sameAs: [{ _id: first._id, rms: 0, strain: expect.any(Number) }] })
    expect(second.sameAs[0].strain).toBeGreaterThan(1e-5)
    expect(others.at(-1)).toMatchObject({ stored: 4, skipped: 1, refused: 0 })
  })

  it('stores what it could not compare with all that may be the same, and says so', async () => {
    // Mirror images are candidates, and none is the same crystal.
    const record = (hand: 1 | -1, name: string) => ({
      name,
      lattice: { a: 4.4572, b: 4.4572, c: 5.929, alpha: 90, beta: 90, gamma: 120 },
      basis: {
        elements: [0, 1, 2].map((id) => ({ id, value: 'Po' })),
        coordinates: onScrew(hand).map((value, id) => ({ id, value })),
      },
    })
    const left = Array.from({ length: 100 }, (_, turn) => record(1, `Left ${turn}`))
    expect((await bulk(left, '')).at(-1)).toMatchObject({ stored: 100 })
    const [first, , totals] = await bulk([record(-1, 'Right'), record(-1, 'Right again')], '?skipSame=true')
    expect([first.outcome, totals]).toEqual(['stored', expect.objectContaining({ stored: 1, skipped: 1 })])
    await bulk([record(1, 'Left 100')], '')
    const content = JSON.stringify({ ...record(-1, 'Right'), lattice: { ...record(-1, '').lattice, c: 5.9301 } })
    const answer = await server.call('POST', 'materials/import?skipSame=true', { body: { content } })
    const unfinished = { code: 20025, path: 'skipSame' }
    expect(answer.body.warnings).toContainEqual(expect.objectContaining(unfinished))
  })

  it('is none of records that cannot be laid upon each other', async () => {
    const { status } = await fetch(`${server.origin}${API}/methods/bulk?skipSame=true`, {
      method: 'POST',
      headers: { 'content-type': LINES, ...server.credentials.ada },
      body: '{}',
    })
    expect(status).toBe(400)
  })
})

describe('similar materials', () => {
  it('are those of the nearest geometry, of any elements and size', async () => {
    const zinc = ['0.25 0.25 0.25', '0.25 0.75 0.75', '0.75 0.25 0.75', '0.75 0.75 0.25']
    const blende = await stored(cubic(5.41, { Zn: CORNERS, S: zinc }), 'bob')
    const arsenide = await stored(cubic(5.65, { Ga: CORNERS, As: zinc }), 'bob')
    const distorted = await stored(cubic(6.1, { Cd: CORNERS, Te: ['0.26 0.25 0.25', ...zinc.slice(1)] }), 'bob')
    const salt = await stored(cubic(4.21, { Mg: CORNERS, O: EDGES }), 'bob')
    const { status, data } = await ask(blende._id, 'similar?query={"nElements":2}', 'bob')
    expect([status, data.exact]).toEqual([200, true])
    expect(idsOf(data.similar).slice(0, 3)).toEqual([arsenide._id, distorted._id, salt._id])
    const [first, second, third] = data.similar
    expect(first).toMatchObject({ formula: 'GaAs', distance: expect.closeTo(0, 3) })
    expect(second.distance).toBeGreaterThan(first.distance)
    expect(third.distance).toBeGreaterThan(0.1)
    expect(idsOf((await ask(blende._id, 'similar?limit=1', 'bob')).data.similar)).toEqual([arsenide._id])
    const near = await ask(blende._id, 'similar?within=0.1&query={"nElements":2}', 'bob')
    expect(idsOf(near.data.similar)).toEqual([arsenide._id, distorted._id])
  })

  it.each(['limit=0', 'limit=101', 'within=far', 'within=-1', 'query={"$no":1}', 'sort=name'])(
    'are refused with %s',
    async (query) => {
      const { _id } = await stored(cubic(3.1, { W: ['0 0 0', '0.5 0.5 0.5'] }))
      expect((await ask(_id, `similar?${query}`)).status).toBe(400)
    },
  )

  it.each(['same', 'similar'])('and the %s are not found of a molecule', async (what) => {
    const { _id } = await stored(MOLECULE)
    expect(await ask(_id, what)).toMatchObject({ status: 422, code: 42242 })
  })
})
