import { gzipSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { MATERIAL_WARNINGS } from '../../src/records/kinds/material/warnings.ts'
import { tarOf } from '../records/support/tar.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

const POSCAR = 'Silicon\n1\n0 2.734 2.734\n2.734 0 2.734\n2.734 2.734 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'
const OVERFULL = `data_x
_cell_length_a 4
_cell_length_b 4
_cell_length_c 4
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
Fe1 0 0 0 1.5
`

/** A request whose answer is no envelope. */
async function raw(path: string, headers: Record<string, string> = {}, as: Actor = 'ada'): Promise<Response> {
  return await fetch(`${server.origin}${API_PREFIX}/${path}`, { headers: { ...server.credentials[as], ...headers } })
}

async function upload(
  parts: readonly (readonly [string, string | Uint8Array, string?])[],
  as: Actor = 'ada',
  more: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [name, content, fileName] of parts) {
    if (fileName === undefined) form.append(name, String(content))
    else form.append(name, new Blob([content as string]), fileName)
  }
  const body = new Response(form)
  const headers = { 'content-type': body.headers.get('content-type') ?? '', ...more }
  return await server.call('POST', 'materials/import', { as, headers, body: new Uint8Array(await body.arrayBuffer()) })
}

describe('files in a form', () => {
  it('have the name that is said, and are public where that is said', async () => {
    const file = ['file', POSCAR.replace('2.734', '2.744'), 'si.vasp'] as const
    const { body } = await upload([file, ['name', 'My silicon'], ['isPublic', 'true']])
    const { data } = (await server.call('GET', `materials/${body.data.files[0]._id}`)).body
    expect(data).toMatchObject({ name: 'My silicon', isPublic: true })
    expect((await upload([file, ['isPublic', 'yes']])).body.code).toBe(40039)
  })
})

describe('an analysis', () => {
  it('tells the atoms where they are asked for', async () => {
    const asked = (more: object) => server.call('POST', 'structures/analyze', { body: { content: POSCAR, ...more } })
    expect((await asked({ basis: true })).body.data.basis.elements).toHaveLength(2)
    expect((await asked({})).body.data.basis).toBeUndefined()
    expect((await asked({ basis: 1 })).status).toBe(400)
  })
})

describe('what the page asks', () => {
  const fromPage = { 'x-quarry-page': '1' }

  it('is refused in its words, and what a program asks in those of requests', async () => {
    const asked = { body: { content: POSCAR, frame: 4 } }
    const { body: told } = await server.call('POST', 'structures/analyze', { ...asked, headers: fromPage })
    expect(told).toMatchObject({ message: expect.stringMatching(/ Choose the first frame\.$/) })
    expect(told.data).toMatchObject({ hint: 'Choose the first frame.', remedy: { name: 'leaveFrameOut' } })
    const { body } = await server.call('POST', 'structures/analyze', asked)
    expect(body.data).toMatchObject({ hint: 'Leave the frame out.', remedy: { name: 'leaveFrameOut' } })
  })

  it('is reported on in its words', async () => {
    const files = [['file', 'no structure', 'notes.txt']] as const
    const errorOf = async (headers: Record<string, string>) =>
      (await upload(files, 'ada', headers)).body.data.files[0].error
    expect((await errorOf(fromPage)).message).toMatch(/ If it is one, choose its format\.$/)
    expect((await errorOf({})).message).toContain('Name its format, one of ')
  })
})

describe('a file of several structures', () => {
  const steps = ['Cs', 'K', 'Na']
    .map((element) => `2\nLattice="4 0 0 0 4 0 0 0 4"\n${element} 0 0 0\nCl 2 2 2\n`)
    .join('')
  const formula = async (frame: object) => {
    const { status, body } = await server.call('POST', 'materials/import', { body: { content: steps, ...frame } })
    return [status, body.data.formula ?? body.code, body.data.src?.frame]
  }

  it('becomes the material that is named, else the first with a word of the others', async () => {
    expect(await formula({ frame: -1 })).toEqual([200, 'NaCl', -1])
    expect(await formula({ frame: 1 })).toEqual([200, 'KCl', 1])
    expect(await formula({})).toEqual([200, 'CsCl', undefined])
    const { body } = await server.call('POST', 'materials/import', { body: { content: steps, frame: null } })
    expect(JSON.stringify(body.data.consistencyChecks)).toContain('The file holds 3 structures; the first')
  })

  it('is refused with a frame that is not there or is no number', async () => {
    expect(await formula({ frame: 3 })).toEqual([422, 42235, undefined])
    expect(await formula({ frame: '1' })).toEqual([400, 40039, undefined])
  })

  it('is analyzed, converted and uploaded by the same rule', async () => {
    const analyzed = await server.call('POST', 'structures/analyze', { body: { content: steps, frame: 1 } })
    expect(analyzed.body.data.formula).toBe('KCl')
    const converted = await server.call('POST', 'structures/convert', {
      body: { content: steps, frame: -1, to: 'poscar' },
    })
    expect(converted.body.data.content).toContain('\nNa Cl\n')
    const sent = await upload([
      ['files', steps, 'steps.xyz'],
      ['frame', '-2'],
    ])
    const { _id } = sent.body.data.files[0]
    expect((await server.call('GET', `materials/${_id}`)).body.data.formula).toBe('KCl')
  })
})

describe('POST /materials/import', () => {
  it('takes what the Python client sends, and answers with the material', async () => {
    const body = { name: 'My silicon', content: POSCAR, format: 'poscar', 'owner._id': null, tags: ['imported'] }
    const answer = await server.call('POST', 'materials/import', { body })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      name: 'My silicon',
      formula: 'Si',
      tags: ['imported'],
      spaceGroup: { number: 227 },
      owner: { _id: server.accountIds.ada },
      src: { extension: 'poscar', filename: 'My silicon', text: POSCAR },
    })
  })

  it.each([
    ['an account of which the user is no member', { 'owner._id': 'bob' }, 403],
    ['more than one atom on a site', { content: OVERFULL, format: 'cif' }, 422],
    ['an unknown format', { format: 'docx' }, 422],
    ['an empty file', { content: '' }, 400],
    ['fields that nobody reads', { contents: POSCAR }, 400],
    ['tags that are no texts', { tags: [1] }, 400],
  ])('refuses %s', async (_, changes: Record<string, unknown>, status) => {
    const owner = changes['owner._id'] === 'bob' ? { 'owner._id': server.accountIds.bob } : {}
    const body = { content: POSCAR, format: 'poscar', ...changes, ...owner }
    expect((await server.call('POST', 'materials/import', { body })).status).toBe(status)
  })

  it('stores a file once, in whatever body it comes, unless another is asked for', async () => {
    const content = `imported twice\n${POSCAR.split('\n').slice(1).join('\n')}`
    const one = (body: object, query = '') =>
      server.call('POST', `materials/import${query}`, { body: { content, ...body } })
    const first = (await one({})).body.data
    expect((await one({ name: null, tags: [] })).body.data).toEqual(first)
    const form = await upload([['files', content, 'POSCAR']])
    expect(form.body.data).toMatchObject({ stored: 0, skipped: 1, files: [{ outcome: 'skipped', _id: first._id }] })
    const tagged = await one({ tags: ['b'], isPublic: false })
    expect([tagged.body.data, tagged.body.warnings]).toMatchObject([first, [{ code: 20026, path: 'tags' }]])
    const others = [await one({ name: 'another name' }), await one({}, '?onDuplicate=create')]
    expect(new Set([first._id, ...others.map(({ body }) => body.data._id)]).size).toBe(3)
  })

  it('refuses guests and tokens that only read', async () => {
    const body = { content: POSCAR }
    expect((await server.call('POST', 'materials/import', { as: 'guest', body })).status).toBe(401)
    expect((await server.call('POST', 'materials/import', { as: 'readOnly', body })).status).toBe(403)
    expect((await upload([['file', POSCAR, 'a.vasp']], 'readOnly')).status).toBe(403)
  })

  it('takes files and archives of a form and reports on each', async () => {
    const inArchive = (name: string) => ({ [`${name}.vasp`]: Buffer.from(POSCAR.replace('Silicon', name)) })
    const answer = await upload([
      ['tags', '["uploaded","lab"]'],
      ['files', POSCAR, 'POSCAR'],
      ['files', OVERFULL, 'iron.cif'],
      ['files', zipSync(inArchive('zipped')), 'a.zip'],
      ['files', gzipSync(tarOf(inArchive('tarred'))), 'b.tar.gz'],
    ])
    expect(answer.body.data).toMatchObject({
      stored: 3,
      skipped: 0,
      refused: 1,
      files: [
        { file: 'POSCAR', outcome: 'stored', format: 'poscar' },
        { file: 'iron.cif', outcome: 'refused', error: { message: expect.stringContaining('Fe1') } },
        { file: 'a.zip/zipped.vasp', outcome: 'stored' },
        { file: 'b.tar.gz/tarred.vasp', outcome: 'stored' },
      ],
    })
    const list = await server.call('GET', `materials?query=${encodeURIComponent('{"tags":"uploaded"}')}`)
    expect(list.body.data).toHaveLength(3)
    expect((await upload([['files', POSCAR, 'again/POSCAR']])).body.data).toMatchObject({ stored: 0, skipped: 1 })
  })

  it('refuses forms that it would not read as meant', async () => {
    expect(
      (
        await upload([
          ['colour', 'red'],
          ['f', POSCAR, 'a'],
        ])
      ).body.message,
    ).toMatch(/"colour"/)
    expect((await upload([['tags', 'x']])).body.message).toMatch(/no file/)
    const damaged = { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: 'nothing' }
    expect((await server.call('POST', 'materials/import', damaged)).status).toBe(400)
    expect((await server.call('PUT', 'materials/create', damaged)).status).toBe(415)
  })
})

describe('GET …/export', () => {
  it('gives a structure file by format or by Accept', async () => {
    const { body } = await server.call('POST', 'materials/import', { body: { content: POSCAR, name: 'to export' } })
    const path = `materials/${body.data._id}/export`
    const cif = await raw(`${path}?format=cif`)
    expect(cif.headers.get('content-disposition')).toBe('attachment; filename="to-export.cif"')
    expect(await cif.text()).toMatch(/_cell_length_a/)
    const accepted = await raw(path, { accept: 'text/html, chemical/x-cif;q=0.9, */*;q=0.1' })
    expect(accepted.headers.get('content-type')).toMatch(/^chemical\/x-cif/)
    expect(await (await raw(path)).json()).toMatchObject({ basis: { units: 'crystal' } })
    expect((await raw(path, { accept: 'image/png' })).status).toBe(406)
    expect((await raw(`${path}?format=pdb`)).status).toBe(422)
    expect((await raw(`${path}?colour=red`)).status).toBe(400)
    expect((await raw(path, {}, 'bob')).status).toBe(404)
  })

  it('writes a CIF with the symmetry that the crystal has, or all atoms of its cell for a record with the same hash', async () => {
    const { body } = await server.call('POST', 'materials/import', { body: { content: POSCAR, name: 'exported' } })
    const path = `materials/${body.data._id}/export`
    const hashOf = async (content: string): Promise<string> =>
      (await server.call('POST', 'structures/analyze', { body: { content, format: 'cif' } })).body.data.hash
    const standard = await (await raw(`${path}?format=cif`)).text()
    expect(standard).toMatch(
      /^# The standard cell of space group 227, found within 0\.01 Å; written without symmetry, it has all 2 atoms/,
    )
    expect(standard).toMatch(/\nSi Si1 8 a 0 0 0 1\n$/)
    expect(await (await raw(`${path}?format=cif&symmetry=standard`)).text()).toBe(standard)
    expect(await hashOf(standard)).not.toBe(body.data.hash)
    const plain = await (await raw(`${path}?format=cif&symmetry=none`)).text()
    expect(plain).toMatch(/^data_/)
    expect(plain).toContain("_space_group_name_H-M_alt 'P 1'")
    expect(await hashOf(plain)).toBe(body.data.hash)
    const query = encodeURIComponent(JSON.stringify({ _id: body.data._id }))
    for (const [symmetry, expected] of Object.entries({ standard, none: plain })) {
      const zip = await raw(`materials/export?format=cif&symmetry=${symmetry}&query=${query}`)
      const [entry = new Uint8Array()] = Object.values(unzipSync(new Uint8Array(await zip.arrayBuffer())))
      expect(Buffer.from(entry).toString()).toBe(expected)
      const { body: converted } = await server.call('POST', 'structures/convert', {
        body: { content: plain, to: 'cif', symmetry },
      })
      expect(converted.data.content).toBe(expected)
    }
  })

  it('refuses to say symmetry where the format cannot', async () => {
    const { body } = await server.call('POST', 'materials/import', { body: { content: POSCAR } })
    const path = `materials/${body.data._id}/export`
    for (const [address, message] of [
      [`${path}?format=cif&symmetry=P1`, 'The parameter "symmetry" takes one of standard, none; not "P1".'],
      [`${path}?format=poscar&symmetry=standard`, 'takes none: only cif files can say symmetry; not "standard"'],
      ['materials/export?format=xyz&symmetry=standard', 'takes none: only cif files can say symmetry'],
      ['materials/export?symmetry=none', 'symmetry'],
    ]) {
      const answer = await raw(String(address))
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain(JSON.stringify(message).slice(1, -1))
    }
    expect((await raw(`${path}?format=poscar&symmetry=none`)).status).toBe(200)
    const wrong = { body: { content: POSCAR, to: 'cif', symmetry: true } }
    expect((await server.call('POST', 'structures/convert', wrong)).body).toMatchObject({ data: { path: 'symmetry' } })
  })

  it('tells what of the structure the file does not have, in headers and in the archive', async () => {
    const basis = {
      elements: [
        { id: 0, value: 'Fe', isotope: 57 },
        { id: 1, value: 'O' },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [0.5, 0.5, 0.5] },
      ],
      magneticMoments: [{ id: 0, value: [0, 0, 2] }],
    }
    const lattice = { a: 4, b: 4, c: 14, alpha: 90, beta: 90, gamma: 90 }
    const periodicDirections = [true, true, false]
    const made = { name: 'layer', tags: ['told'], basis, lattice, periodicDirections }
    const { body } = await server.call('POST', 'materials', { body: made })
    const path = `materials/${body.data._id}/export`
    const told = await raw(`${path}?format=poscar`)
    expect([told.status, told.headers.get('x-warnings')]).toEqual([200, '2'])
    const { code } = MATERIAL_WARNINGS.notWritten
    const [repeats, lost] = [
      'The structure repeats along a and b only, which VASP POSCAR cannot say: the file repeats along all three lattice vectors.',
      'Not written: magnetic moments (1), isotopes (1).',
    ]
    expect(JSON.parse(told.headers.get('x-warning-list') ?? '')).toEqual([
      { code, path: 'format', message: repeats },
      { code, path: 'format', message: lost },
    ])
    expect((await raw(`${path}?format=pymatgen`)).headers.get('x-warnings')).toBe(null)
    const zip = await raw(`materials/export?format=poscar&query=${encodeURIComponent('{"tags":"told"}')}`)
    const { 'not-written.txt': entry } = unzipSync(new Uint8Array(await zip.arrayBuffer()))
    const { _id: id } = body.data
    expect(Buffer.from(entry as Uint8Array).toString()).toBe(`${id}: ${repeats}\n${id}: ${lost}\n`)
  })

  it('packs what matches as a zip archive, and gives records as NDJSON without a format', async () => {
    const query = encodeURIComponent('{"tags":"packed"}')
    for (const name of ['one', 'two']) {
      await server.call('POST', 'materials/import', { body: { content: POSCAR, name, tags: ['packed'] } })
    }
    const zip = await raw(`materials/export?format=poscar&query=${query}`)
    expect(zip.headers.get('content-type')).toBe('application/zip')
    const names = Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer())))
    expect(names.map((name) => name.split('-')[0]).sort()).toEqual(['one', 'two'])
    const lines = await raw(`materials/export?query=${query}`)
    expect(
      (await lines.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['one', 'two'])
    const others = await raw(`materials/export?format=poscar&query=${query}`, {}, 'bob')
    expect(unzipSync(new Uint8Array(await others.arrayBuffer()))).toEqual({})
    expect((await raw('materials/export?format=docx')).status).toBe(422)
    expect((await raw('materials/export?colour=red')).status).toBe(400)
  })
})

describe('POST /structures/…', () => {
  it('converts without storing', async () => {
    const before = (await server.call('POST', 'materials/count', { body: {} })).body.data.count
    const asItIs = { content: POSCAR, to: 'cif', symmetry: 'none' }
    const cif = await server.call('POST', 'structures/convert', { body: asItIs })
    expect(cif.body.data).toMatchObject({
      format: 'poscar',
      to: 'cif',
      content: expect.stringMatching(/_cell_length_a/),
    })
    const material = await server.call('POST', 'structures/convert', {
      body: { content: cif.body.data.content, format: 'cif', to: 'material' },
    })
    expect(material.body.data.material).toMatchObject({ lattice: { type: 'FCC' } })
    const back = { content: material.body.data.material, format: 'material', to: 'qe' }
    expect((await server.call('POST', 'structures/convert', { body: back })).body.data.content).toMatch(
      /ATOMIC_POSITIONS/,
    )
    expect((await server.call('POST', 'materials/count', { body: {} })).body.data.count).toBe(before)
  })

  it('analyzes without storing', async () => {
    const { body } = await server.call('POST', 'structures/analyze', { body: { content: POSCAR } })
    expect(body.data).toMatchObject({
      format: 'poscar',
      formula: 'Si',
      sites: 2,
      density: expect.closeTo(2.282, 2),
      spaceGroup: { number: 227, crystalSystem: 'cubic' },
      symmetry: { spaceGroupNumber: 227, wyckoffLetters: ['a', 'a'] },
      elementalRatios: { Si: 1 },
    })
  })

  it('says line and column of what is wrong', async () => {
    const content = POSCAR.replace('0.25 0.25 0.25', '0.25 0.25 oops')
    const { status, body } = await server.call('POST', 'structures/analyze', { body: { content, format: 'poscar' } })
    expect(status).toBe(422)
    expect(body.data).toMatchObject({ line: 10 })
    expect((await server.call('POST', 'structures/convert', { body: { content: POSCAR } })).status).toBe(400)
    expect((await server.call('POST', 'structures/analyze', { as: 'guest', body: { content } })).status).toBe(401)
  })

  it('answers others while a supercell is looked at', async () => {
    const sites: string[] = []
    for (let n = 0; n < 512; n++) sites.push([n & 7, (n >> 3) & 7, n >> 6].map((step) => step / 8).join(' '))
    const content = `Po supercell\n1\n26.8 0 0\n0 26.8 0\n0 0 26.8\nPo\n512\nDirect\n${sites.join('\n')}\n`
    let answered = 0
    const importing = server.call('POST', 'materials/import', { body: { content, format: 'poscar' } })
    let isDone = false
    const stored = importing.finally(() => {
      isDone = true
    })
    while (!isDone) {
      await server.call('POST', 'materials/count', { body: {} })
      answered += 1
    }
    // If they had to wait for it, one would be answered, when it is done.
    expect(answered).toBeGreaterThan(3)
    const { data } = (await stored).body
    expect(data.nSites).toBe(512)
    if (data.spaceGroup === undefined) {
      expect(data.consistencyChecks).toContainEqual(
        expect.objectContaining({ key: 'spaceGroup', message: expect.stringContaining('2000 ms') }),
      )
    } else {
      expect(data.spaceGroup.number).toBe(221)
    }
  })
})
