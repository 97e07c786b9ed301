import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { exportArchive, exportStructure } from '../../src/records/import/export-structures.ts'
import { type ImportReport, importStructure } from '../../src/records/import/import-item.ts'
import { importRecords } from '../../src/records/import/import-records.ts'
import { DEFAULT_UNPACK_LIMITS, type UnpackLimits, unpackFiles } from '../../src/records/import/unpack-files.ts'
import { analyzeStructure } from '../../src/records/kinds/material/crystal-answers.ts'
import { writableFormat } from '../../src/records/kinds/material/print-material.ts'
import type { NamedFile } from '../../src/records/kinds/material/structure-files.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { countRecords } from '../../src/records/use-cases/read-records.ts'
import type { RecordDeps } from '../../src/records/work/deps.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import { openRecordRoom, type RecordRoom, request, silicon } from './support/record-room.ts'
import { refusalOf } from './support/refusal.ts'
import { tarOf } from './support/tar.ts'

const POSCAR = `Silicon, two atoms
1.0
0.0 2.734 2.734
2.734 0.0 2.734
2.734 2.734 0.0
Si
2
Direct
0.0 0.0 0.0
0.25 0.25 0.25
`
const XYZ = '2\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3\nCs 0 0 0\nCl 2 2 2\n'
const WITHOUT_SYMBOLS = POSCAR.replace('Si\n2\n', '2\n').replace('Silicon, two atoms', 'unknown')

let room: RecordRoom
let deps: RecordDeps
const symmetry = (crystal: Crystal) => findSymmetry(crystal, 0.01)

beforeAll(async () => {
  room = await openRecordRoom()
  deps = room.depsWith({})
})
afterAll(() => room.close())

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

async function* filesOf(files: Readonly<Record<string, string | Uint8Array>>): AsyncGenerator<NamedFile> {
  for (const [name, content] of Object.entries(files)) {
    yield { name, bytes: typeof content === 'string' ? bytes(content) : content }
  }
}

async function importAll(files: Readonly<Record<string, string | Uint8Array>>, limits?: Partial<UnpackLimits>) {
  const reports: ImportReport[] = []
  for await (const report of importRecords(
    deps,
    room.ada,
    unpackFiles(filesOf(files), { ...DEFAULT_UNPACK_LIMITS, ...limits }),
  )) {
    reports.push(report)
  }
  return reports
}

const shortly = (reports: readonly ImportReport[]) =>
  reports.map(({ file, outcome, format, error }) => [file, outcome, format ?? error?.code])

describe('importing one structure', () => {
  test('keeps the file, finds the symmetry and takes the title for a name', async () => {
    const record = await importStructure(
      room.materials(room.ada, deps),
      { text: POSCAR, format: 'poscar', fileName: 'si.vasp' },
      {},
    )
    const document: JsonObject = JSON.parse(record.text)
    expect(document).toMatchObject({
      name: 'Silicon, two atoms',
      formula: 'Si',
      elements: ['Si'],
      nElements: 1,
      nSites: 2,
      chemicalSystem: 'Si',
      anonymousFormula: 'A',
      spaceGroup: { number: 227, symbol: 'Fd-3m', crystalSystem: 'cubic', pointGroup: 'm-3m' },
      lattice: { type: 'FCC' },
      consistencyChecks: [],
      src: {
        extension: 'vasp',
        filename: 'si.vasp',
        text: POSCAR,
        hash: createHash('md5').update(POSCAR).digest('hex'),
      },
    })
    expect(document.volumePerAtom).toBeCloseTo(2.734 ** 3, 5)
    const query = { derivedProperties: { $elemMatch: { name: 'symmetry', spaceGroupNumber: 227 } }, _id: record.id }
    expect(await countRecords(room.materials(room.ada, deps), request(query))).toBe(1)
  })

  test('says with the record what had to be assumed, and goes on saying it after a change', async () => {
    const cif =
      'data_x\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n_cell_angle_alpha 90\n_cell_angle_beta 90\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nPo1 0 0 0\n'
    const record = await importStructure(
      room.materials(room.ada, deps),
      { text: cif },
      { name: 'polonium', tags: ['imported'] },
    )
    const document: JsonObject = JSON.parse(record.text)
    expect(document).toMatchObject({ name: 'polonium', tags: ['imported'] })
    expect(document.consistencyChecks).toContainEqual({
      key: 'src.text',
      name: 'default',
      severity: 'warning',
      message: expect.stringContaining('gamma'),
    })
  })

  test.each([
    [{ text: WITHOUT_SYMBOLS, format: 'poscar' }, /symbol/],
    [{ text: 'hello' }, /no known structure format/],
    [{ text: POSCAR, format: 'wavefunction' }, /no structure format/],
  ])('refuses %j', async (file, message) => {
    const before = await countRecords(room.materials(room.ada, deps), request({}))
    const refusal = await refusalOf(() => importStructure(room.materials(room.ada, deps), file, {}))
    expect(refusal.status).toBe(422)
    expect(refusal.message).toMatch(message)
    expect(await countRecords(room.materials(room.ada, deps), request({}))).toBe(before)
  })
})

describe('importing many files', () => {
  test('reports on each in order, and skips what is there when it is run again', async () => {
    const files = { 'a/POSCAR': POSCAR.replace('2.734', '2.735'), 'b.xyz': XYZ, 'c.vasp': WITHOUT_SYMBOLS }
    expect(shortly(await importAll(files))).toEqual([
      ['a/POSCAR', 'stored', 'poscar'],
      ['b.xyz', 'stored', 'xyz'],
      ['c.vasp', 'refused', expect.any(Number)],
    ])
    expect(shortly(await importAll(files)).map(([, outcome]) => outcome)).toEqual(['skipped', 'skipped', 'refused'])
  })

  test('unpacks zip, tar, tar.gz and gz', async () => {
    const inner = (name: string): Record<string, Uint8Array> => ({
      [`${name}/one.vasp`]: bytes(POSCAR.replace('two atoms', name)),
      [`${name}/.hidden`]: bytes('x'),
    })
    const longName = `${'long-'.repeat(30)}folder`
    const reports = await importAll({
      'z.zip': zipSync(inner('z')),
      't.tar': tarOf(inner('t')),
      'g.tgz': gzipSync(tarOf(inner(longName))),
      's.vasp.gz': gzipSync(bytes(POSCAR.replace('two atoms', 's'))),
    })
    expect(shortly(reports)).toEqual([
      ['z.zip/z/one.vasp', 'stored', 'poscar'],
      ['t.tar/t/one.vasp', 'stored', 'poscar'],
      [`g.tgz/${longName}/one.vasp`, 'stored', 'poscar'],
      ['s.vasp', 'stored', 'poscar'],
    ])
  })

  test('survives damaged, nested and enormous archives', async () => {
    const tar = tarOf({ 'a.vasp': bytes(POSCAR) })
    const wrongSum = Uint8Array.from(tar)
    wrongSum[0] = 98
    const zeros = new Uint8Array(20_000)
    const reports = await importAll(
      {
        'cut.tar': tar.subarray(0, 700),
        'sum.tar': wrongSum,
        'cut.zip': zipSync({ 'a.vasp': bytes(POSCAR) }).subarray(0, 60),
        'cut.tgz': gzipSync(tar).subarray(0, 80),
        'no.zip': bytes('not a zip'),
        'nested.zip': zipSync({ 'inner.zip': zipSync({ 'a.vasp': bytes(POSCAR) }) }),
        'bomb.zip': zipSync({ 'bomb.vasp': zeros }),
        'bomb.tgz': gzipSync(tarOf({ 'bomb.vasp': zeros })),
        'bomb.vasp.gz': gzipSync(zeros),
      },
      { files: 100, total: 1_000_000, longest: 10_000 },
    )
    expect(reports.map(({ outcome }) => outcome)).toEqual(Array(9).fill('refused'))
    expect(reports.map(({ error }) => error?.code)).toEqual([
      42202, 42202, 42202, 42202, 42202, 42202, 41316, 41316, 41316,
    ])
  })

  const TAR = tarOf({ 'a.vasp': bytes(POSCAR) })
  const altered = (at: number, byte: string): Uint8Array => {
    const copy = Uint8Array.from(TAR)
    copy[at] = byte.charCodeAt(0)
    return copy
  }
  test.each([
    ['within a header', TAR.subarray(0, 300), 'it ends within a header.'],
    ['within a file', TAR.subarray(0, 600), 'it ends within a file.'],
    ['in a name', altered(0, 'b'), 'the checksum of a header is wrong.'],
  ])('says where a tar archive is damaged: %s', async (_, tar, where) => {
    const [report] = await importAll({ 'a.tar': tar })
    expect(report?.error).toMatchObject({ code: 42202, message: `The tar archive is damaged: ${where}` })
  })

  test.each([
    ['tar', tarOf],
    ['zip', (files: Record<string, Uint8Array>) => zipSync(files, { level: 0 })],
  ])('lets others have their turn while it passes over much of a %s archive', async (kind, pack) => {
    const hidden = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`.${n}`, new Uint8Array()]))
    const packed = pack(hidden)
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    for await (const item of unpackFiles(filesOf({ [`hidden.${kind}`]: packed }))) expect(item).toBeNull()
    isOver = true
    expect(turns).toBeGreaterThan(5)
  })

  test('stops at the number and the size of files that one import may have, and says so', async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.vasp`, bytes('x'.repeat(100))]))
    const few = { files: 5, total: 1_000_000, longest: 1000 }
    const byNumber = await importAll({ 'many.zip': zipSync(many), 'next.xyz': XYZ }, few)
    expect(byNumber).toHaveLength(6)
    expect(byNumber.at(-1)).toMatchObject({ file: 'many.zip', error: { code: 41316 } })
    const bySize = await importAll({ 'many.zip': zipSync(many) }, { files: 50, total: 350, longest: 1000 })
    expect(bySize).toHaveLength(4)
  })
})

describe('exporting', () => {
  test.each(['cif', 'poscar', 'xyz', 'qe', 'pymatgen', 'ase', 'optimade', 'material'])(
    'writes %s that reads back the same',
    async (name) => {
      const { id } = await createRecord(room.materials(room.ada, deps), silicon())
      const { text, fileName } = await exportStructure(room.materials(room.ada, deps), id, {
        format: name,
        symmetry: 'none',
      })
      expect(fileName).toMatch(/^silicon-fcc\.\w+$/)
      expect(analyzeStructure({ text, fileName }, symmetry)).toMatchObject({
        formula: 'Si',
        sites: 2,
        volume: expect.closeTo(40.889, 2),
        spaceGroup: { number: 227 },
      })
    },
  )

  test('refuses formats that are only read, and unknown ones', async () => {
    expect((await refusalOf(() => writableFormat('pdb'))).message).toMatch(/read but not written/)
    expect((await refusalOf(() => writableFormat('constructor'))).message).toMatch(/no structure format/)
  })

  test('packs all that match, beyond the limit of a page, with names of their own', async () => {
    const name = 'packed/../..\\name'
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await createRecord(room.materials(room.bob, deps), silicon({ name }))).id)
    const chunks: Uint8Array[] = []
    const packed = exportArchive(room.materials(room.bob, deps), request({ name }), { format: 'cif', symmetry: 'none' })
    for await (const chunk of packed) chunks.push(chunk)
    const entries = unzipSync(Buffer.concat(chunks))
    expect(Object.keys(entries).sort()).toEqual(ids.map((id) => `packed-name-${id}.cif`).sort())
    for (const entry of Object.values(entries)) {
      expect(analyzeStructure({ text: Buffer.from(entry).toString() }, undefined)).toMatchObject({
        formula: 'Si',
      })
    }
  })
})

test('an import of all frames that breaks off is completed by the next', async () => {
  const steps = Array.from({ length: 450 }, (_, n) => `1\nLattice="${14 + n / 1000} 0 0 0 4 0 0 0 4"\nPo 0 0 0\n`).join(
    '',
  )
  const run = () =>
    importRecords(deps, room.ada, unpackFiles(filesOf({ 'broken.xyz': steps })), {
      frame: 'all',
      onDuplicate: 'return',
    })
  const ofFirst: ImportReport[] = []
  for await (const report of run()) if (ofFirst.push(report) === 3) break
  const reports: ImportReport[] = []
  for await (const report of run()) reports.push(report)
  const [set] = reports
  expect(set).toEqual({ ...ofFirst[0], outcome: 'skipped' })
  expect(reports).toHaveLength(451)
  expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(['stored', 'skipped']))
  const members = { 'inSet._id': set?._id ?? '' }
  expect(await countRecords(room.materials(room.ada), request(members))).toBe(450)
  const last = { ...members, 'inSet.index': 449, name: 'Po #449', 'src.partOf.frames': 450 }
  expect(await countRecords(room.materials(room.ada), request(last))).toBe(1)
})
