import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, type JsonObject, ownField } from '../../src/kernel/json.ts'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { readStructure } from '../../src/records/kinds/material/read-structure.ts'
import { methodKind } from '../../src/records/kinds/plain-kinds.ts'
import { readSamples, sampleId } from '../../src/records/samples/library.ts'
import { loadSamples } from '../../src/records/samples/load-samples.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { countRecords, getRecord } from '../../src/records/use-cases/read-records.ts'
import { deleteRecord } from '../../src/records/use-cases/removed.ts'
import { validateRecord } from '../../src/records/validate-record.ts'
import { type Crystal, toCartesian } from '../../src/structure/crystal.ts'
import { type LatticeType, latticeVectors } from '../../src/structure/lattice.ts'
import { length, type Vector3 } from '../../src/structure/linear-algebra.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'
import { DEFAULT_TOLERANCE_ANGSTROM } from '../../src/structure/symmetry/symmetry-report.ts'
import { documentOf, openRecordRoom, type RecordRoom, request, silicon } from './support/record-room.ts'
import { refusalOf } from './support/refusal.ts'

const materials = readSamples('materials')
const methods = readSamples('methods')

/** Densities at room temperature in g/cm³ as handbooks give them, not from lattice constants. */
const DENSITIES: Readonly<Record<string, readonly [formula: string, density: number]>> = {
  'c-diamond': ['C', 3.513],
  'si-diamond': ['Si', 2.329],
  'ge-diamond': ['Ge', 5.323],
  'cu-fcc': ['Cu', 8.96],
  'ag-fcc': ['Ag', 10.5],
  'au-fcc': ['Au', 19.3],
  'al-fcc': ['Al', 2.7],
  'pb-fcc': ['Pb', 11.34],
  'fe-bcc': ['Fe', 7.87],
  'w-bcc': ['W', 19.3],
  'na-bcc': ['Na', 0.97],
  'li-bcc': ['Li', 0.534],
  'mg-hcp': ['Mg', 1.74],
  'zn-hcp': ['Zn', 7.14],
  'ti-hcp': ['Ti', 4.506],
  'bi-a7': ['Bi', 9.79],
  'te-a8': ['Te', 6.24],
  'c-graphite': ['C', 2.26],
  'gaas-zincblende': ['GaAs', 5.318],
  'zno-wurtzite': ['ZnO', 5.6],
  'nacl-rocksalt': ['NaCl', 2.17],
  'lif-rocksalt': ['LiF', 2.64],
  'mgo-rocksalt': ['MgO', 3.6],
  'pbs-rocksalt': ['PbS', 7.6],
  'cscl-cscl': ['CsCl', 3.988],
  'caf2-fluorite': ['CaF2', 3.18],
  'uo2-fluorite': ['UO2', 10.97],
  'li2o-antifluorite': ['Li2O', 2.013],
  'tio2-rutile': ['TiO2', 4.23],
  'tio2-anatase': ['TiO2', 3.9],
  'sio2-quartz': ['SiO2', 2.648],
  'fes2-pyrite': ['FeS2', 5.02],
  'al2o3-corundum': ['Al2O3', 3.99],
  'fe2o3-corundum': ['Fe2O3', 5.25],
  'mgal2o4-spinel': ['Mg(AlO2)2', 3.58],
  'fe3o4-spinel': ['Fe3O4', 5.17],
  'srtio3-perovskite': ['SrTiO3', 5.12],
  'mos2-2h': ['MoS2', 5.06],
  bi2te3: ['Bi2Te3', 7.74],
  'caco3-calcite': ['CaCO3', 2.71],
  'zrsio4-zircon': ['ZrSiO4', 4.65],
  'cuo-tenorite': ['CuO', 6.5],
  'zro2-baddeleyite': ['ZrO2', 5.83],
  'camgsi2o6-diopside': ['CaMg(SiO3)2', 3.28],
  'ga2o3-beta': ['Ga2O3', 5.95],
  'al2sio5-kyanite': ['Al2SiO5', 3.67],
  'naalsi3o8-albite': ['NaAlSi3O8', 2.62],
  wc: ['WC', 15.63],
  'mgzn2-laves': ['MgZn2', 5.1],
  'p-black': ['P', 2.69],
  'ga-alpha': ['Ga', 5.904],
  'mg3al2si3o12-garnet': ['Mg3Al2(SiO4)3', 3.58],
  'cufes2-chalcopyrite': ['CuFeS2', 4.2],
}

/** What symmetry asks of the lengths and angles of primitive cells. */
const SHAPES: Partial<Record<LatticeType, (cell: Record<string, number>) => boolean>> = {
  CUB: ({ a, b, c, ...angles }) => a === b && b === c && allAre(angles, 90),
  FCC: ({ a, b, c, ...angles }) => a === b && b === c && allAre(angles, 60),
  BCC: ({ a, b, c, ...angles }) => a === b && b === c && allAre(angles, 109.471221),
  TET: ({ a, b, c, ...angles }) => a === b && b !== c && allAre(angles, 90),
  BCT: ({ a, b, c, alpha, beta }) => a === b && b === c && alpha === beta,
  ORCC: ({ a, b, alpha, beta }) => a === b && alpha === 90 && beta === 90,
  MCL: ({ alpha, beta, gamma }) => alpha === 90 && beta !== 90 && gamma === 90,
  MCLC: ({ a, b, alpha, beta }) => a === b && alpha === beta,
  TRI: ({ a, b, c }) => a !== b && b !== c && a !== c,
  HEX: ({ a, b, alpha, beta, gamma }) => a === b && alpha === 90 && beta === 90 && gamma === 120,
  RHL: ({ a, b, c, alpha, beta, gamma }) => a === b && b === c && alpha === beta && beta === gamma,
}

function allAre(angles: Record<string, number>, value: number): boolean {
  return ['alpha', 'beta', 'gamma'].every((key) => angles[key] === value)
}

describe('the library of samples', () => {
  test('is large and varied, and says where each crystal comes from', () => {
    const metadata = materials.map(({ document }) => document.metadata as JsonObject)
    expect(materials.length).toBeGreaterThanOrEqual(60)
    expect(new Set(metadata.map(({ prototype }) => prototype)).size).toBeGreaterThanOrEqual(12)
    for (const { source } of metadata) expect(source).toMatch(/ \(?(19|20)\d\d\)?[ .]/)
    expect(methods.length).toBeGreaterThanOrEqual(12)
  })

  test.each(materials)('$key is a valid material', ({ document }) => {
    expect(() => validateRecord(materialKind, document)).not.toThrow()
    expect(document.tags).toContain('sample')
    const { type, ...cell } = document.lattice as unknown as { type: LatticeType } & Record<string, number>
    expect(SHAPES[type]?.(cell)).toBe(true)
    expect(shortestDistance(document)).toBeGreaterThan(0.7)
    expect(shortestDistance(document)).toBeLessThan(4.5)
  })

  test.each(methods)('$key is a valid method', ({ document }) => {
    expect(() => validateRecord(methodKind, document)).not.toThrow()
    expect(document.name).toBeTruthy()
  })

  test('has each crystal and each name once', () => {
    const hashes = materials.map(({ document }) => deriveMaterial(document).hash)
    expect(new Set(hashes).size).toBe(materials.length)
    expect(new Set(materials.map(({ document }) => document.name)).size).toBe(materials.length)
  })

  test('has crystals of the space groups that their sources give, and nothing odd about any', () => {
    const symmetry = (crystal: Crystal) => findSymmetry(crystal, DEFAULT_TOLERANCE_ANGSTROM)
    for (const { key, document } of materials) {
      const { spaceGroup, consistencyChecks } = deriveMaterial(document, { symmetry })
      const source = (document.metadata as { spaceGroup: JsonObject }).spaceGroup
      expect({ key, ...(spaceGroup as JsonObject) }).toMatchObject({ key, ...source })
      expect([key, consistencyChecks]).toEqual([key, []])
    }
  })

  test.each(Object.entries(DENSITIES))(
    '%s has the formula and density of handbooks',
    async (key, [formula, density]) => {
      const sample = materials.find((candidate) => candidate.key === key)
      const derived = await deriveMaterial(sample?.document as JsonObject)
      expect(contents(String(derived.formula))).toEqual(contents(formula))
      const found = (derived.derivedProperties as readonly JsonObject[]).find(({ name }) => name === 'density')
      expect(Number(found?.value) / density).toBeGreaterThan(0.97)
      expect(Number(found?.value) / density).toBeLessThan(1.03)
    },
  )
})

describe('loading the samples', () => {
  let room: RecordRoom
  beforeAll(async () => {
    room = await openRecordRoom()
  })
  afterAll(() => room.close())

  test('makes them public, under ids that are always the same, and only once', async () => {
    const total = materials.length + methods.length + readSamples('properties').length
    expect(await loadSamples(room.deps)).toEqual({ stored: total, present: 0 })
    expect(await countRecords(room.materials(room.bob), request({ tags: 'sample' }))).toBe(materials.length)
    const record = await getRecord(room.materials(room.bob), sampleId(materialKind, 'si-diamond'))
    expect(documentOf(record)).toMatchObject({
      _id: '9nXQGwSxsLCW8qZmr',
      formula: 'Si',
      isPublic: true,
      owner: { slug: 'samples', cls: 'Account' },
    })

    room.wait(1000)
    expect(await loadSamples(room.deps)).toEqual({ stored: 0, present: total })
    expect(await countRecords(room.methods(room.bob), request({}))).toBe(methods.length)
  })

  test('goes on where it was interrupted', async () => {
    const other = await openRecordRoom()
    try {
      await loadSamples(other.deps)
      const owner = await other.deps.accounts.findUserByLogin('samples')
      const account = await other.deps.accounts.findAccount(String(owner?.defaultAccountId))
      const session = { ...other.ada, account: account as typeof other.ada.account }
      await deleteRecord({ deps: other.deps, kind: materialKind, session }, sampleId(materialKind, 'cu-fcc'))
      expect(await loadSamples(other.deps)).toMatchObject({ stored: 1 })
    } finally {
      await other.close()
    }
  })

  test('gives them to a user that is disabled and has no password', async () => {
    const owner = await room.deps.accounts.findUserByLogin('samples')
    expect(owner?.disabledAt).not.toBeNull()
    expect(owner?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/)
  })

  test('leaves the records of others alone', async () => {
    const record = await createRecord(room.materials(room.ada), silicon())
    await loadSamples(room.deps)
    expect(record).toMatchObject(await getRecord(room.materials(room.ada), record.id))
  })

  test('is refused when a user has the name of their account', async () => {
    const other = await openRecordRoom()
    try {
      const account = {
        id: 'SomebodyAccount22',
        name: 'Samples',
        slug: 'samples',
        type: 'personal',
        email: null,
        createdAt: 0,
        title: null,
        description: null,
      } as const
      const user = { id: 'Somebody222222222', name: 'Samples', slug: 'samples', email: null, passwordHash: 'none' }
      await other.store.accounts.insertUser(
        { ...user, defaultAccountId: account.id, createdAt: 0, disabledAt: null },
        account,
      )
      expect((await refusalOf(() => loadSamples(other.deps))).code).toBe(40903)
    } finally {
      await other.close()
    }
  })
})

/** In Å, images of atoms in neighbouring cells included. */
function shortestDistance(document: JsonObject): number {
  const { cell, sites } = readStructure(document)
  const vectors = latticeVectors(cell)
  let shortest = Number.POSITIVE_INFINITY
  for (const [index, one] of sites.entries()) {
    for (const other of sites.slice(index)) {
      for (const shift of SHIFTS) {
        const difference = [0, 1, 2].map(
          (axis) => (other.fraction[axis] ?? 0) - (one.fraction[axis] ?? 0) + (shift[axis] ?? 0),
        )
        const distance = length(toCartesian([difference as unknown as Vector3], vectors)[0] as Vector3)
        if (distance > 1e-6) shortest = Math.min(shortest, distance)
      }
    }
  }
  return shortest
}

const AROUND = [-1, 0, 1]
const SHIFTS: readonly (readonly number[])[] = AROUND.flatMap((x) =>
  AROUND.flatMap((y) => AROUND.map((z) => [x, y, z])),
)

/** Counts the atoms of a formula with one level of parentheses, whatever the order of elements. */
function contents(formula: string): Record<string, Json> {
  const flat = formula.replace(/\(([^)]+)\)(\d+)/g, (_, inner: string, times: string) => inner.repeat(Number(times)))
  const counts: Record<string, number> = {}
  for (const [, element = '', count = ''] of flat.matchAll(/([A-Z][a-z]?)(\d*)/g)) {
    counts[element] = Number(ownField(counts, element) ?? 0) + (count === '' ? 1 : Number(count))
  }
  return counts
}
