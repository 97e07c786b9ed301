import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

const PO = 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n'
const SUPERCELL = { supercell: { size: [2, 1, 1] } }
const SLAB = { slab: { miller: [1, 1, 0], layers: 3 } }

const build = (body: object, as: Actor = 'ada', headers: Record<string, string> = {}) =>
  server.call('POST', 'structures/build', { body, as, headers })
const create = async (body: object, as: Actor = 'ada') =>
  (await server.call('POST', 'materials', { body, as })).body.data._id as string

test('of a file, what was built is told and can be stored as it is', async () => {
  const { status, body } = await build({
    content: PO,
    format: 'poscar',
    steps: [SUPERCELL, { vacancy: { sites: [1] } }],
  })
  expect([status, body.data]).toMatchObject([
    200,
    {
      material: { name: 'Po (supercell 2x1x1, 1 vacancy)', lattice: { a: 6.7, b: 3.35 }, isNonPeriodic: false },
      nSites: 1,
      formula: 'Po',
      steps: [
        { step: 'supercell', sites: 2 },
        { step: 'vacancy', sites: 1 },
      ],
      consistencyChecks: [],
      warnings: [],
    },
  ])
  expect(body.data.material).not.toHaveProperty('madeFrom')
  expect((await server.call('POST', 'materials', { body: body.data.material })).status).toBe(201)
})

describe('of a material', () => {
  test('what was built says what it was made from, and with which steps', async () => {
    const id = await create(material('cell', {}, 5.1))
    const { body } = await build({ material: id, steps: [SLAB, SUPERCELL] })
    const { material: made, steps } = body.data
    const [slab] = steps
    expect(made.madeFrom).toEqual([
      {
        _id: id,
        collection: 'materials',
        how: 'slab, supercell',
        parameters: {
          steps: [{ slab: { ...SLAB.slab, vacuum: 15, termination: 0, centred: true } }, SUPERCELL],
        },
      },
    ])
    expect(made.periodicDirections).toEqual([true, true, false])
    expect(slab.terminations.length).toBeGreaterThan(0)
    expect(made.lattice.c).toBeCloseTo(slab.thickness + 15, 6)
    // The steps that are told can be sent again as they are.
    const again = await build({ material: id, steps: made.madeFrom[0].parameters.steps })
    expect(again.body.data).toEqual(body.data)
  })

  test('with store it is a record of the account, with its origin in the provenance', async () => {
    const id = await create(material('shared cell', { isPublic: true }, 5.2))
    const { status, body, headers } = await build({ material: id, steps: [SUPERCELL], store: true }, 'bob')
    const { _id, owner, madeFrom } = body.data.material
    expect([status, owner.slug, madeFrom[0]._id, headers.get('location')]).toEqual([
      201,
      'bob',
      id,
      expect.stringMatching(`/api/2018-10-01/materials/${_id}$`),
    ])
    expect(body.data.steps).toMatchObject([{ step: 'supercell' }])
    const { body: links } = await server.call('GET', `materials/${_id}/provenance`, { as: 'bob' })
    expect(links.data.links).toMatchObject([
      { from: `materials/${_id}`, to: `materials/${id}`, how: 'supercell', parameters: { steps: [SUPERCELL] } },
    ])
  })

  test('a slab that is stored can be built on: it repeats along a and b only', async () => {
    const id = await create(material('bulk', {}, 5.3))
    const { body } = await build({ material: id, steps: [SLAB], store: true })
    const { status, body: refused } = await build({
      material: body.data.material._id,
      steps: [{ supercell: { size: [1, 1, 2] } }],
    })
    expect([status, refused.code, refused.data.path]).toEqual([422, 42249, 'steps[0].supercell'])
    expect(refused.message).toBe(
      'Step 1: The structure does not repeat along c, so it cannot be repeated there. Write 1 for c, as 2 2 1 of a slab.',
    )
  })

  test('it is stored once under one Idempotency-Key, and told as it was', async () => {
    const id = await create(material('once', {}, 5.4))
    const body = { material: id, steps: [SUPERCELL], store: true }
    const key = { 'idempotency-key': 'build-once' }
    const [first, second] = [await build(body, 'ada', key), await build(body, 'ada', key)]
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
    const plain = { material: id, steps: [SUPERCELL] }
    const other = { 'idempotency-key': 'build-only' }
    expect((await build(plain, 'ada', other)).body).toEqual((await build(plain, 'ada', other)).body)
  })

  test('who may only read can build, and cannot store', async () => {
    const id = await create(material('read', {}, 5.5))
    const body = { material: id, steps: [SUPERCELL] }
    expect((await build(body, 'readOnly')).status).toBe(200)
    expect((await build({ ...body, store: true }, 'readOnly')).status).toBe(403)
    expect((await build(body, 'readOnly', { 'idempotency-key': 'read' })).status).toBe(403)
    expect((await build(body, 'bob')).status).toBe(404)
  })
})

test.each<[string, object, string, string]>([
  ['no steps', { steps: [] }, 'steps', 'a list of 1 to'],
  ['too many', { steps: new Array(21).fill(SUPERCELL) }, 'steps', 'a list of 1 to 20'],
  ['a step of another name', { steps: [{ supercel: {} }] }, 'steps[0]', 'did you mean supercell?'],
  ['two steps in one', { steps: [{ ...SUPERCELL, ...SLAB }] }, 'steps[0]', 'one field'],
  [
    'a size of halves',
    { steps: [{ supercell: { size: [1, 0.5, 1] } }] },
    'steps[0].supercell.size',
    'three whole numbers',
  ],
  [
    'a matrix of two rows',
    { steps: [{ supercell: { matrix: [[1, 0, 0]] } }] },
    'steps[0].supercell.matrix',
    'three rows',
  ],
  ['size and matrix', { steps: [{ supercell: {} }] }, 'steps[0].supercell', 'one of size, matrix'],
  [
    'a field that is none',
    { steps: [{ slab: { ...SLAB.slab, vaccum: 3 } }] },
    'steps[0].slab.vaccum',
    'did you mean vacuum?',
  ],
  ['no thickness', { steps: [{ slab: { miller: [1, 0, 0] } }] }, 'steps[0].slab', 'one of layers, thickness'],
  [
    'little vacuum',
    { steps: [{ slab: { ...SLAB.slab, vacuum: 0 } }] },
    'steps[0].slab.vacuum',
    'a number of Å from 1 to 200',
  ],
  [
    'another cell',
    { steps: [{ standardCell: { cell: 'small' } }] },
    'steps[0].standardCell.cell',
    'conventional, primitive, niggli',
  ],
  [
    'an element without sites',
    { steps: [{ substitution: { with: 'Al' } }] },
    'steps[0].substitution.sites',
    'write elements',
  ],
  [
    'elements that are none',
    { steps: [{ substitution: { elements: { Po: 1 } } }] },
    'steps[0].substitution.elements',
    '{"Ga":"Al"}',
  ],
  ['sites by name', { steps: [{ vacancy: { sites: ['Po1'] } }] }, 'steps[0].vacancy.sites', 'counted from 0'],
  [
    'a seed of the majority',
    { steps: [{ ordered: { how: 'majority', seed: 1 } }] },
    'steps[0].ordered.seed',
    'unless how is supercell',
  ],
  [
    'a strain of percents',
    { steps: [{ strain: { voigt: [1, 0, 0, 0, 0, 0] } }] },
    'steps[0].strain.voigt',
    'from -0.5 to 0.5',
  ],
  ['a file that is to be stored', { steps: [SUPERCELL], store: true }, 'store', 'import it (POST /materials/import)'],
  ['a file and a material', { steps: [SUPERCELL], material: 'x' }, 'material', 'left out beside content'],
])('%s is refused, and says what would be right', async (_, fields, path, expected) => {
  const { status, body } = await build({ content: PO, ...fields })
  expect([status, body.data.path]).toEqual([400, path])
  expect(body.message).toContain(expected)
})

test('neither a file nor a material is refused', async () => {
  const { status, body } = await build({ steps: [SUPERCELL] })
  expect([status, body.data.path]).toEqual([400, 'material'])
})

test('more sites than a material may have are refused before they are made', async () => {
  const { status, body } = await build({ content: PO, steps: [{ supercell: { size: [100, 100, 100] } }] })
  expect([status, body.code, body.data.path]).toEqual([413, 41311, 'steps[0]'])
})
