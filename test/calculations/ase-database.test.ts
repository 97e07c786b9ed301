import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { aseDatabaseFormat } from '../../src/calculations/databases/ase-database.ts'
import { parseAse } from '../../src/structure/formats/json/ase.ts'

const KBAR = 1602.176634
const COLUMNS =
  'id INTEGER PRIMARY KEY AUTOINCREMENT, unique_id TEXT UNIQUE, ctime REAL, mtime REAL, username TEXT, numbers BLOB, positions BLOB, cell BLOB, pbc INTEGER, ' +
  'initial_magmoms BLOB, initial_charges BLOB, masses BLOB, tags BLOB, momenta BLOB, constraints TEXT, calculator TEXT, calculator_parameters TEXT, ' +
  'energy REAL, free_energy REAL, forces BLOB, stress BLOB, dipole BLOB, magmoms BLOB, magmom REAL, charges BLOB, key_value_pairs TEXT, data BLOB, ' +
  'natoms INTEGER, fmax REAL, smax REAL, volume REAL, mass REAL, charge REAL'
const TABLES = `CREATE TABLE systems (${COLUMNS}); CREATE TABLE species (Z INTEGER, n INTEGER, id INTEGER); CREATE TABLE information (name TEXT, value TEXT);
  INSERT INTO information VALUES ('version', '9');`

function reals(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length)
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, 8 * index)
  return bytes
}

function integers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, 4 * index)
  return bytes
}

/** The form of version 9: where the JSON begins, the arrays, the JSON. */
function dataBlob(json: unknown, arrays: Buffer = Buffer.alloc(0)): Buffer {
  const start = Buffer.alloc(8)
  start.writeBigInt64LE(BigInt(8 + arrays.length))
  return Buffer.concat([start, arrays, Buffer.from(JSON.stringify(json))])
}

const STRUCTURE = {
  unique_id: 'aaaa',
  numbers: integers(26, 8),
  positions: reals(0, 0, 0, 2, 2, 2.5),
  cell: reals(4, 0, 0, 0, 4, 0, 0, 0, 5),
  pbc: 3,
  key_value_pairs: '{}',
  data: dataBlob({}),
}

const ROW = {
  ...STRUCTURE,
  unique_id: 'bbbb',
  ctime: 24.5,
  username: 'nobody',
  constraints: JSON.stringify([{ name: 'FixAtoms', kwargs: { indices: [1] } }]),
  calculator: 'vasp',
  calculator_parameters: JSON.stringify({ xc: 'PBEsol', encut: 500 }),
  energy: -7.25,
  free_energy: -7.5,
  forces: reals(0.1, 0.2, -0.3, -0.1, -0.2, 0.3),
  stress: reals(0.01, 0.02, 0.03, 0, 0, 0.004),
  magmom: 0.5,
  magmoms: reals(2.25, -1.75),
  dipole: reals(0, 0, 0.5),
  charges: reals(0.25, -0.25),
  key_value_pairs: '{"phase": "rocksalt", "gap": NaN, "relaxed": true}',
  data: dataBlob(
    { notes: ['a'], spectrum: { __ndarray__: [[3], 'float64', 8] }, far: { __ndarray__: [[9], 'float64', 8] } },
    reals(1, 2, 3),
  ),
  natoms: 2,
}

describe('databases of ASE', () => {
  let folder: string
  let count = 0

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quarry-ase-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function databaseOf(rows: readonly Record<string, unknown>[], statements = '', tables = TABLES): string {
    const path = join(folder, `${count++}.db`)
    const database = new Database(path)
    database.exec(tables)
    for (const row of rows) {
      const names = Object.keys(row)
      database
        .prepare(
          `INSERT INTO systems (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        )
        .run(...Object.values(row))
    }
    database.exec(statements)
    database.close()
    return path
  }

  async function readAll(path: string, limits: OutputLimits = DEFAULT_OUTPUT_LIMITS): Promise<readonly Calculation[]> {
    if (aseDatabaseFormat.source.kind !== 'file') throw new Error('not a file')
    const workFolder = join(folder, `work-${count++}`)
    mkdirSync(workFolder)
    const calculations: Calculation[] = []
    for await (const calculation of aseDatabaseFormat.source.read({ path, workFolder }, limits))
      calculations.push(calculation)
    return calculations
  }

  it('tells itself by the table of systems', () => {
    const head = readFileSync(databaseOf([ROW])).toString('latin1', 0, 64 * 1024)
    expect(aseDatabaseFormat.recognizes(head)).toBe(true)
    expect(aseDatabaseFormat.recognizes(head.replaceAll('systems', 'persons'))).toBe(false)
    expect(aseDatabaseFormat.recognizes('CREATE TABLE systems')).toBe(false)
  })

  it('makes a calculation of each row that has results, and counts the others', async () => {
    const path = databaseOf([STRUCTURE, ROW, { ...ROW, unique_id: 'cccc', energy: -8 }])
    const [first, second, ...more] = await readAll(path)
    expect(more).toEqual([])
    const { rest: _, ...structure } = parseAse(
      JSON.stringify({
        numbers: [26, 8],
        positions: [
          [0, 0, 0],
          [2, 2, 2.5],
        ],
        cell: [
          [4, 0, 0],
          [0, 4, 0],
          [0, 0, 5],
        ],
        pbc: [true, true, false],
        magmoms: [2.25, -1.75],
        constraints: JSON.parse(ROW.constraints),
      }),
    )
    expect(first?.final).toEqual(structure)
    expect(first?.final?.sites[1]?.movable).toEqual([false, false, false])
    expect([first?.id, second?.id]).toEqual(['bbbb', 'cccc'])
    expect(first?.code).toEqual({ name: 'vasp', version: null })
    expect(second?.results[0]?.data).toEqual({ value: -8, units: 'eV' })
    expect(second?.rest.leftOut).toContain('rows without results (1)')
  })

  it('reads the results, the parameters and what is beside', async () => {
    const [row] = await readAll(databaseOf([ROW]))
    expect(row?.results).toMatchObject([
      { name: 'total_energy', data: { value: -7.25 } },
      { name: 'atomic_forces', data: { values: [{ value: [0.1, 0.2, -0.3] }, { value: [-0.1, -0.2, 0.3] }] } },
      { name: 'pressure', data: { value: expect.closeTo(-0.02 * KBAR, 10), units: 'kbar' } },
      { name: 'stress_tensor' },
      { name: 'total_magnetization', data: { value: 0.5 } },
      { name: 'magnetic_moments', data: { values: [{ value: 2.25 }, { value: -1.75 }] } },
    ])
    expect(row?.model).toEqual({ type: 'dft', subtype: 'gga', functional: 'pbesol' })
    expect(row?.inputs).toEqual({ calculator_parameters: { xc: 'PBEsol', encut: 500 } })
    expect(row?.rest).toEqual({
      values: {
        id: 1,
        ctime: 24.5,
        user: 'nobody',
        free_energy: -7.5,
        dipole: [0, 0, 0.5],
        key_value_pairs: { phase: 'rocksalt', relaxed: true },
        data: { notes: ['a'], spectrum: [1, 2, 3], far: '(array of float64, 9)' },
        natoms: 2,
      },
      leftOut: ['charges (2)'],
    })
    expect(row?.warnings).toEqual([])
  })

  it('reads moments with directions', async () => {
    const [row] = await readAll(databaseOf([{ ...ROW, magmoms: reals(1, 2, 3, 4, 5, 6) }]))
    expect(row?.results.at(-1)?.data).toMatchObject({ values: [{ value: [1, 2, 3] }, { value: [4, 5, 6] }] })
  })

  it('names what it does not know, of the table and of the database', async () => {
    const odd = Array.from({ length: 10 }, (_, index) => `odd_${index}`)
    const tables = TABLES.replace(
      'charge REAL',
      `charge REAL, ${odd.map((name) => `${name} TEXT`).join(', ')}, lump BLOB`,
    )
    const values = Object.fromEntries(odd.map((name, index) => [name, `egg ${index}`]))
    const path = databaseOf(
      [{ ...ROW, ...values, lump: Buffer.alloc(10) }],
      `CREATE TABLE nests (eggs TEXT); INSERT INTO information VALUES ('metadata', '{"title": "eggs"}');
       UPDATE information SET value = '10' WHERE name = 'version'`,
      tables,
    )
    const [row] = await readAll(path)
    expect(row?.rest.values).toMatchObject({ ...values, 'database metadata': { title: 'eggs' } })
    expect(row?.rest.leftOut).toEqual(['charges (2)', 'lump (10 bytes)', 'table nests'])
    expect(row?.warnings.map(({ code }) => code)).toEqual(['database-newer'])
  })

  it('reads data of older databases as JSON', async () => {
    const [row] = await readAll(databaseOf([{ ...ROW, data: '{"notes": ["b"]}' }]))
    expect(row?.rest.values.data).toEqual({ notes: ['b'] })
  })

  it('names values that are too large, and reads no byte of them', async () => {
    const [row] = await readAll(
      databaseOf([
        { ...ROW, data: Buffer.alloc(5 * 1024 * 1024), key_value_pairs: `{"long": "${'x'.repeat(2 ** 20)}"}` },
      ]),
    )
    expect(row?.rest.leftOut).toEqual(['charges (2)', 'key_value_pairs (1048588 bytes)', 'data (5242880 bytes)'])
    expect(row?.results).toHaveLength(6)
  })

  it('names data that are no data', async () => {
    for (const data of [
      Buffer.alloc(4),
      dataBlob({}).subarray(0, 9),
      Buffer.from('ffffffffffffffff', 'hex'),
      'no json',
    ]) {
      const [row] = await readAll(databaseOf([{ ...ROW, data }]))
      expect(row?.rest.leftOut.at(-1)).toBe(`data (${data.length} bytes)`)
    }
  })

  it('writes nothing beside the database, also where it was left with a log', async () => {
    const path = databaseOf([ROW])
    const bytes = readFileSync(path)
    bytes.set([2, 2], 18)
    const home = join(folder, 'home')
    mkdirSync(home)
    writeFileSync(join(home, 'a.db'), bytes)
    expect(await readAll(join(home, 'a.db'))).toEqual(await readAll(path))
    expect(readdirSync(home)).toEqual(['a.db'])
    expect(readFileSync(join(home, 'a.db')).equals(bytes)).toBe(true)
  })

  it('ends where its reader does', async () => {
    if (aseDatabaseFormat.source.kind !== 'file') throw new Error('not a file')
    const rows = ['a', 'b', 'c'].map((unique_id) => ({ ...ROW, unique_id }))
    for await (const { id } of aseDatabaseFormat.source.read(
      { path: databaseOf(rows), workFolder: folder },
      DEFAULT_OUTPUT_LIMITS,
    )) {
      expect(id).toBe('a')
      break
    }
  })

  it('takes no view, no virtual table and no computed column for what was written', async () => {
    const view = databaseOf([], `ALTER TABLE systems RENAME TO hidden; CREATE VIEW systems AS SELECT * FROM hidden`)
    await expect(readAll(view)).rejects.toThrow(/no table of systems/)
    const virtual = databaseOf([], 'DROP TABLE systems; CREATE VIRTUAL TABLE systems USING fts5(energy)')
    await expect(readAll(virtual)).rejects.toThrow(/no table of systems/)
    const added = ['lie REAL AS (energy * 2)', 'bomb BLOB AS (zeroblob(900000000))'].map(
      (column) => `ALTER TABLE systems ADD COLUMN ${column}`,
    )
    const [computed] = await readAll(databaseOf([ROW], added.join(';')))
    expect(computed?.results[0]?.data).toEqual({ value: -7.25, units: 'eV' })
    expect(JSON.stringify(computed?.rest)).not.toMatch(/lie|bomb/)
    expect(computed?.rest.leftOut).toContain('columns that are computed, or too many (2)')
  })

  it('refuses tables whose rows cannot be told apart by number', async () => {
    for (const tables of [
      TABLES.replace('charge REAL', 'charge REAL, _rowid_ TEXT'),
      TABLES.replace('id INTEGER PRIMARY KEY AUTOINCREMENT', 'id TEXT PRIMARY KEY').replace(
        'charge REAL)',
        'charge REAL) WITHOUT ROWID',
      ),
    ]) {
      await expect(readAll(databaseOf([], '', tables))).rejects.toThrow(/no numbers of their own|cannot be read/)
    }
  })

  it('refuses what is no database of ASE, or is damaged', async () => {
    const path = databaseOf([ROW])
    const bytes = readFileSync(path)
    const other = (name: string, content: Buffer | string): string => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    await expect(readAll(other('text.db', 'hello'))).rejects.toThrow(/no database of SQLite/)
    await expect(readAll(other('empty.db', ''))).rejects.toThrow(/no database of SQLite/)
    await expect(readAll(other('cut.db', bytes.subarray(0, 5000)))).rejects.toThrow(/cannot be read/)
    await expect(
      readAll(other('noise.db', Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xa5)]))),
    ).rejects.toThrow(/cannot be read/)
    await expect(readAll(databaseOf([STRUCTURE]))).rejects.toThrow(/No row has an energy/)
    await expect(readAll(databaseOf([], 'DROP TABLE systems'))).rejects.toThrow(/no table of systems/)
  })

  it('keeps within its limits', async () => {
    const path = databaseOf([ROW, { ...ROW, unique_id: 'cccc' }])
    await expect(readAll(path, { ...DEFAULT_OUTPUT_LIMITS, atoms: 1 })).rejects.toThrow(/2 atoms; at most 1/)
    await expect(readAll(path, { ...DEFAULT_OUTPUT_LIMITS, calculations: 1 })).rejects.toThrow(/more than 1 rows/)
    const [few] = await readAll(path, { ...DEFAULT_OUTPUT_LIMITS, numbers: 5 })
    expect(few?.results.map(({ name }) => name)).toEqual(['total_energy', 'pressure', 'total_magnetization'])
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const [row] = await readAll(
      databaseOf([{ ...ROW, key_value_pairs: `{"deep": ${deep}}`, constraints: deep, calculator_parameters: deep }]),
    )
    expect(row?.results).toHaveLength(6)
    const repeated = Array.from({ length: 2000 }, () => ({ __ndarray__: [[1000], 'float64', 8] }))
    const [many] = await readAll(databaseOf([{ ...ROW, data: dataBlob({ repeated }, Buffer.alloc(8000)) }]))
    expect(many?.rest.leftOut).toContain('data.repeated (2000)')
  })
})
