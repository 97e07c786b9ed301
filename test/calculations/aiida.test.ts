import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { aiidaDatabaseFormat } from '../../src/calculations/databases/aiida-database.ts'
import { aiidaExportFormat } from '../../src/calculations/readers/aiida-export.ts'
import {
  asExport,
  dictNode,
  jobNode,
  structureNode,
  type TestArchive,
  type TestNode,
  writeDatabase,
} from './support/aiida-archive.ts'
import { expectSameAtEveryCut, readText, TEN_UNKNOWN } from './support/read-records.ts'

const INPUTS = { CONTROL: { calculation: 'relax' }, SYSTEM: { ecutwfc: 30 } }

const OUTPUTS = {
  energy: -1000.5,
  energy_units: 'eV',
  energy_ewald: 12.5,
  energy_ewald_units: 'eV',
  energy_hartree: 3.5,
  energy_hartree_units: 'eV',
  fermi_energy: 7.25,
  fermi_energy_units: 'eV',
  total_force: 0.125,
  total_force_units: 'ev / angstrom',
  total_magnetization: 4.5,
  total_magnetization_units: 'Bohrmag / cell',
  wfc_cutoff: 408.25,
  wfc_cutoff_units: 'eV',
  degauss: 0.25,
  degauss_units: 'eV',
  monkhorst_pack_grid: [4, 4, 2],
  number_of_k_points: 9,
  dft_exchange_correlation: ' SLA  PW   PBE  PBE ( 1  4  3  4 0 0)',
  lda_plus_u_calculation: true,
  creator_version: '7.2',
  wall_time_seconds: 61.5,
  convergence_info: {
    scf_conv: { convergence_achieved: true, n_scf_steps: 8 },
    opt_conv: { convergence_achieved: true },
  },
  volume: 64,
  volume_units: 'A^3',
  scale: 3,
  ...TEN_UNKNOWN,
}

/** A structure is relaxed, made primitive by a function, and computed with; a work chain calls all of it. */
const ARCHIVE: TestArchive = {
  nodes: [
    structureNode('s-0', 4),
    dictNode('p-0', INPUTS),
    { uuid: 'code-0', type: 'data.core.code.Code.', label: 'pw', attributes: { input_plugin: 'quantumespresso.pw' } },
    { uuid: 'k-0', type: 'data.core.array.kpoints.KpointsData.', attributes: { mesh: [4, 4, 2], offset: [0, 0, 0] } },
    { uuid: 'u-0', type: 'data.pseudo.upf.UpfData.', attributes: { element: 'Fe', filename: 'Fe.upf', md5: 'f0' } },
    jobNode('job-0', 'quantumespresso.pw', { job_id: '77' }),
    structureNode('s-1', 3.75),
    dictNode('o-0', OUTPUTS),
    { uuid: 't-0', type: 'data.core.array.trajectory.TrajectoryData.', attributes: { 'array|forces': [2, 3, 3] } },
    { uuid: 'r-0', type: 'data.core.remote.RemoteData.', attributes: { remote_path: '/scratch' } },
    {
      uuid: 'f-0',
      type: 'data.core.folder.FolderData.',
      attributes: {},
      files: { o: { 'aiida.out': { k: 'a' }, K1: { o: { 'eigenval.xml': { k: 'b' } } } } },
    },
    { uuid: 'fn-0', type: 'process.calculation.calcfunction.CalcFunctionNode.', attributes: {} },
    structureNode('s-2', 3.75),
    jobNode('job-1', 'quantumespresso.pw'),
    dictNode('o-1', { energy: -10, energy_units: 'Ry', other: 1, other_units: 'eV' }),
    structureNode('s-3', 9),
    { uuid: 'wc-0', type: 'process.workflow.workchain.WorkChainNode.', attributes: {} },
    { uuid: 'x-0', type: 'data.core.singlefile.SinglefileData.', attributes: {} },
  ],
  links: [
    ['s-0', 'job-0', 'structure', 'input_calc'],
    ['p-0', 'job-0', 'parameters', 'input_calc'],
    ['code-0', 'job-0', 'code', 'input_calc'],
    ['k-0', 'job-0', 'kpoints', 'input_calc'],
    ['u-0', 'job-0', 'pseudos__Fe', 'input_calc'],
    ['job-0', 's-1', 'output_structure', 'create'],
    ['job-0', 'o-0', 'output_parameters', 'create'],
    ['job-0', 't-0', 'output_trajectory', 'create'],
    ['job-0', 'r-0', 'remote_folder', 'create'],
    ['job-0', 'f-0', 'retrieved', 'create'],
    ['s-1', 'fn-0', 'structure', 'input_calc'],
    ['fn-0', 's-2', 'primitive', 'create'],
    ['s-2', 'job-1', 'structure', 'input_calc'],
    ['job-1', 'o-1', 'output_parameters', 'create'],
    ['s-0', 'wc-0', 'structure', 'input_work'],
    ['wc-0', 'job-0', 'CALL', 'call_calc'],
    ['wc-0', 'o-0', 'output_parameters', 'return'],
  ],
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aiida-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
async function readDatabase(
  archive: TestArchive | string,
  { change = '', limits = {} }: { change?: string; limits?: Partial<OutputLimits> } = {},
): Promise<readonly Calculation[]> {
  const path = typeof archive === 'string' ? archive : join(folder, `${files++}.sqlite3`)
  if (typeof archive !== 'string') writeDatabase(path, archive, change)
  const { source } = aiidaDatabaseFormat
  if (source.kind !== 'file') throw new Error('the database is read from a file')
  const read: Calculation[] = []
  const options = { ...DEFAULT_OUTPUT_LIMITS, ...limits }
  for await (const calculation of source.read({ path, workFolder: folder }, options)) read.push(calculation)
  return read
}

function readExport(archive: TestArchive, limits: Partial<OutputLimits> = {}): readonly Calculation[] {
  return readText(aiidaExportFormat, asExport(archive), { limits })
}

describe('an archive', () => {
  const read = readExport(ARCHIVE)
  const [relaxed, computed, alone] = read

  it('gives its runs of codes, and the structures that none has', () => {
    expect(read.map(({ id, code }) => [id, code.name])).toEqual([
      ['job-0', 'espresso'],
      ['job-1', 'espresso'],
      ['s-3', 'aiida'],
    ])
  })

  it('says what each was made from, also through functions', () => {
    expect(read.map(({ madeFrom }) => madeFrom)).toEqual([['s-0'], ['s-2', 's-1', 'job-0'], undefined])
  })

  it('gives results with their units', () => {
    expect(relaxed?.results).toEqual([
      { name: 'total_energy', data: { value: -1000.5, units: 'eV' } },
      { name: 'fermi_energy', data: { value: 7.25, units: 'eV' } },
      { name: 'total_force', data: { value: 0.125, units: 'eV/angstrom' } },
      { name: 'total_magnetization', data: { value: 4.5, units: 'uB' } },
      {
        name: 'total_energy_contributions',
        data: { ewald: { name: 'ewald', value: 12.5 }, hartree: { name: 'hartree', value: 3.5 }, units: 'eV' },
      },
    ])
    expect(computed?.results).toEqual([
      { name: 'total_energy', data: { value: expect.closeTo(-136.05693122994, 10), units: 'eV' } },
    ])
  })

  it('gives the functional, the precision, the version and the convergence', () => {
    expect(relaxed).toMatchObject({
      code: { name: 'espresso', version: '7.2' },
      model: { type: 'dft', subtype: 'gga', functional: 'pbe+u' },
      method: {
        type: 'pseudopotential',
        precision: { kgrid: [4, 4, 2], kpoints: 9, cutoff: 408.25, smearing: 0.25 },
        potentials: [{ element: 'Fe', title: 'Fe.upf' }],
      },
      times: { wallSeconds: 61.5 },
      isWhole: true,
      isConverged: true,
    })
    expect(computed).toMatchObject({ model: null, isConverged: null, warnings: [{ code: 'model-not-known' }] })
  })

  it('gives the inputs by their links', () => {
    expect(relaxed?.inputs).toEqual({
      parameters: INPUTS,
      code: 'pw',
      kpoints: { mesh: [4, 4, 2], offset: [0, 0, 0] },
    })
  })

  it('gives the structures before and after', () => {
    expect(relaxed?.initial?.lattice[0]).toEqual([4, 0, 0])
    expect(relaxed?.final?.lattice[0]).toEqual([3.75, 0, 0])
    expect(computed?.final).toEqual(computed?.initial)
    expect(alone?.final?.title).toBe('cube s-3')
    expect(alone?.initial).toBeNull()
    expect(alone?.final?.sites).toEqual([
      { element: 'Fe', label: 'Fe1', speciesTag: 1, fraction: [0, 0, 0] },
      { element: 'Fe', label: 'Fe2', speciesTag: 2, fraction: [0.5, 0.5, 0.5] },
      { element: 'O', label: 'OX', occurrence: 0.5, fraction: [0.5, 0, 0] },
    ])
  })

  it('has all else in the rest, and the nodes that give nothing by their classes', () => {
    expect(relaxed?.rest.values).toEqual({
      ctime: '2024-01-01T00:00:00.5',
      process: { exit_status: 0, job_id: '77' },
      outputs: {
        output_parameters: {
          convergence_info: { scf_conv: { n_scf_steps: 8 } },
          volume: 64,
          volume_units: 'A^3',
          scale: 3,
          ...TEN_UNKNOWN,
        },
      },
    })
    expect(relaxed?.rest.leftOut).toEqual([
      'outputs.output_trajectory.forces (2 × 3 × 3)',
      'outputs.remote_folder (RemoteData)',
      'outputs.retrieved (FolderData)',
      'nodes of CalcFunctionNode (1)',
      'nodes of WorkChainNode (1)',
      'nodes of SinglefileData (1)',
      'groups_uuid (1)',
      'export_data.User (1)',
    ])
    expect(computed?.rest.values.outputs).toEqual({ output_parameters: { other: 1, other_units: 'eV' } })
  })

  it('is the same as a database, which knows the files too', async () => {
    const stored = await readDatabase(ARCHIVE)
    const plain = ({ rest: _, ...others }: Calculation) => others
    expect(stored.map(plain)).toEqual(read.map(plain))
    expect(stored[0]?.rest.values.outputs).toEqual(relaxed?.rest.values.outputs)
    expect(stored[0]?.rest.leftOut).toEqual([
      'outputs.output_trajectory.forces (2 × 3 × 3)',
      'outputs.remote_folder (RemoteData)',
      'outputs.retrieved/aiida.out',
      'outputs.retrieved/K1/eigenval.xml',
      'nodes of CalcFunctionNode (1)',
      'nodes of WorkChainNode (1)',
      'nodes of SinglefileData (1)',
      'db_dbuser (1)',
    ])
  })

  it('is told by its beginning', () => {
    expect(aiidaExportFormat.recognizes(asExport(ARCHIVE))).toBe(true)
    expect(aiidaExportFormat.recognizes('{"data": []}')).toBe(false)
    const path = join(folder, 'told.sqlite3')
    writeDatabase(path, ARCHIVE)
    expect(aiidaDatabaseFormat.recognizes(readFileSync(path, 'latin1'))).toBe(true)
    expect(aiidaDatabaseFormat.recognizes('SQLite format 3\0 CREATE TABLE systems (id)')).toBe(false)
  })

  it('may be of other limits', async () => {
    expect(() => readExport(ARCHIVE, { calculations: 2 })).toThrow(/has 3 calculations; at most 2/)
    await expect(readDatabase(ARCHIVE, { limits: { calculations: 2 } })).rejects.toThrow(/at most 2/)
    const [few] = readExport(ARCHIVE, { numbers: 3 })
    expect(few?.results).toHaveLength(3)
    expect(few?.rest.leftOut).toEqual(
      expect.arrayContaining(['total_magnetization (1)', 'total_energy_contributions (2)']),
    )
    const [large] = readExport(ARCHIVE, { atoms: 2 })
    expect(large).toMatchObject({ initial: null, final: null })
    expect(large?.warnings.map(({ code }) => code)).toContain('structure-not-read')
  })
})

/** An archive of one process. */
function archiveOf(process: TestNode, { inputs = [], outputs = [] }: { inputs?: TestNode[]; outputs?: TestNode[] }) {
  return {
    nodes: [process, ...inputs, ...outputs],
    links: [
      ...inputs.map(({ uuid, label }) => [uuid, process.uuid, label ?? uuid, 'input_calc'] as const),
      ...outputs.map(({ uuid, label }) => [process.uuid, uuid, label ?? uuid, 'create'] as const),
    ],
  }
}

describe('a process', () => {
  it('is not whole where it was killed, and tells an exit status that is not 0', () => {
    const job = jobNode('j', 'quantumespresso.pw', {
      process_state: 'killed',
      exit_status: 410,
      exit_message: 'The electrons did not converge.',
    })
    const outputs = [dictNode('o', { convergence_info: { scf_conv: { convergence_achieved: false } } })]
    const [read] = readExport(archiveOf(job, { outputs }))
    expect(read).toMatchObject({ isWhole: false, isConverged: false })
    expect(read?.warnings).toContainEqual({
      code: 'exit-status',
      message: 'The process ended with exit status 410: The electrons did not converge.',
    })
  })

  it('has no final structure where it is not known whether atoms moved', () => {
    const inputs = [{ ...structureNode('s', 4), label: 'structure' }]
    const outputs = [dictNode('o', { energy: 1, energy_units: 'parsec' })]
    const [read] = readExport(archiveOf(jobNode('j', 'siesta.siesta'), { inputs, outputs }))
    expect(read?.code.name).toBe('siesta')
    expect(read?.initial?.sites).toHaveLength(3)
    expect(read?.final).toBeNull()
    expect(read?.results).toEqual([])
    expect(read?.warnings.map(({ code }) => code)).toEqual(['final-structure-not-known', 'model-not-known'])
    expect(read?.rest.values.outputs).toEqual({ o: { energy: 1, energy_units: 'parsec' } })
  })

  it('has no structure where it has several, and none is called so', () => {
    const inputs = [structureNode('one', 4), structureNode('two', 5)]
    const [read] = readExport(archiveOf(jobNode('j', 'neb.neb'), { inputs, outputs: [dictNode('o', {})] }))
    expect(read?.initial).toBeNull()
    expect(read?.warnings[0]).toMatchObject({ code: 'several-structures' })
    expect(read?.rest.leftOut).toEqual(
      expect.arrayContaining(['inputs.cube one (StructureData)', 'inputs.cube two (StructureData)']),
    )
  })

  it('is of the plugin of its code where it does not say its own', () => {
    const job = { ...jobNode('j', ''), process: '' }
    const code = { uuid: 'c', type: 'data.core.code.Code.', attributes: { input_plugin: 'cp2k' } }
    const [read] = readExport(
      archiveOf(job, { inputs: [code], outputs: [dictNode('o', { energy: -1, energy_units: 'a.u.' })] }),
    )
    expect(read?.code.name).toBe('cp2k')
    expect(read?.results[0]?.data.value).toBeCloseTo(-27.211386245988, 10)
  })

  it('is of a plugin that is called like what objects have', () => {
    const [read] = readExport(
      archiveOf(jobNode('j', 'constructor.pw'), { outputs: [dictNode('o', { energy: -1, energy_units: 'eV' })] }),
    )
    expect(read?.code.name).toBe('constructor')
  })

  it('may be a work chain, where what it returns was made by no other process', () => {
    const chain = {
      uuid: 'w',
      type: 'process.workflow.workchain.WorkChainNode.',
      attributes: { process_state: 'finished' },
    }
    const archive = {
      nodes: [chain, dictNode('o', { bandgap: 1.5, bandgap_units: 'eV' })],
      links: [['w', 'o', 'output', 'return'] as const],
    }
    expect(readExport(archive)[0]).toMatchObject({ id: 'w', results: [{ name: 'band_gap', data: { value: 1.5 } }] })
  })

  it('may be of an archive of before AiiDA 1.0', () => {
    const archive = {
      nodes: [
        { uuid: 'j', type: 'calculation.job.quantumespresso.pw.PwCalculation.', attributes: { state: 'FINISHED' } },
        { uuid: 'o', type: 'data.parameter.ParameterData.', attributes: { energy: 2, energy_units: 'eV' } },
      ],
      links: [['j', 'o', 'output_parameters', 'createlink'] as const],
    }
    expect(readExport(archive)[0]).toMatchObject({
      code: { name: 'espresso' },
      isWhole: true,
      results: [{ data: { value: 2 } }],
    })
  })
})

describe('a structure of an archive', () => {
  const alone = (attributes: object) =>
    readExport({
      nodes: [{ ...structureNode('s', 4), attributes: { ...structureNode('s', 4).attributes, ...attributes } }],
      links: [],
    })[0]

  it('may repeat along less than three vectors', () => {
    expect(alone({ pbc3: false })?.final?.periodic).toEqual([true, true, false])
    expect(alone({ pbc3: false })?.final?.lattice[2]).toEqual([0, 0, 4])
    const molecule = alone({
      pbc1: false,
      pbc2: false,
      pbc3: false,
      cell: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    })
    expect(molecule?.final?.periodic).toEqual([false, false, false])
    expect(molecule?.final?.lattice[0]?.[0]).toBeGreaterThan(2)
  })

  it.each([
    [{ cell: 3 }, /cell is 3/],
    [{ sites: [{ kind_name: 'none', position: [0, 0, 0] }] }, /kind_name is "none"/],
    [{ kinds: [{ name: 'Fe1' }] }, /kinds\[0\]/],
    [{ kinds: [{ name: 'Fe1', symbols: [1] }] }, /symbols is 1/],
    [{ sites: [] }, /lists no atoms/],
  ])('is told where it cannot be read: %j', (attributes, message) => {
    const read = alone(attributes)
    expect(read?.final).toBeNull()
    expect(read?.warnings[0]?.message).toMatch(message)
  })
})

describe('a document that is no archive', () => {
  it.each([
    ['{}', /export_data is missing/],
    ['{"export_data": {"Node": {}}, "node_attributes": {}, "links_uuid": []}', /no calculation and no structure/],
    ['{"export_data": {"Node": {"1": {}}}, "node_attributes": {}, "links_uuid": []}', /a node with its uuid/],
    ['{"export_data": {"Node": {}}, "node_attributes": {}, "links_uuid": [{}]}', /a link with its input and output/],
    ['{"export_data": ', /not well-formed JSON/],
    ['['.repeat(200), /More than 100 levels/],
  ])('is refused: %s', (text, message) => {
    expect(() => readText(aiidaExportFormat, text)).toThrow(message)
  })

  it('is read the same wherever it is cut', () => {
    const archive = archiveOf(jobNode('j', 'quantumespresso.pw'), {
      outputs: [dictNode('o', { energy: 1, energy_units: 'eV' })],
    })
    expectSameAtEveryCut(aiidaExportFormat, asExport(archive))
  })
})

describe('a database that somebody has made', () => {
  const small = archiveOf(jobNode('j', 'quantumespresso.pw'), { outputs: [dictNode('o', {})] })

  it.each([
    ['ALTER TABLE db_dblink RENAME TO real; CREATE VIEW db_dblink AS SELECT * FROM real', /has no table db_dblink/],
    ['DROP TABLE db_dblink', /has no table db_dblink/],
    ['ALTER TABLE db_dbnode DROP COLUMN extras', /has no column extras/],
    [
      'ALTER TABLE db_dbnode DROP COLUMN label; ALTER TABLE db_dbnode ADD COLUMN label TEXT GENERATED ALWAYS AS (hex(uuid))',
      /has no column label, or computes it/,
    ],
    [
      'DROP TABLE db_dblink; CREATE TABLE db_dblink (id TEXT PRIMARY KEY, input_id, output_id, label, type)',
      /has another key than id/,
    ],
    [
      'DROP TABLE db_dblink; CREATE VIRTUAL TABLE db_dblink USING fts5(id, input_id, output_id, label, type)',
      /has no table/,
    ],
  ])('is refused: %s', async (change, message) => {
    await expect(readDatabase(small, { change })).rejects.toThrow(message)
  })

  it('is read where it was left with a log', async () => {
    expect(await readDatabase(small, { change: 'PRAGMA journal_mode = WAL' })).toEqual(await readDatabase(small))
  })

  it('is refused where it is no database, or cut off', async () => {
    const path = join(folder, 'cut.sqlite3')
    writeFileSync(path, 'SQLite format 3')
    await expect(readDatabase(path)).rejects.toThrow(/no database of SQLite/)
    rmSync(path)
    writeDatabase(path, ARCHIVE)
    truncateSync(path, 5000)
    await expect(readDatabase(path)).rejects.toThrow(/The database cannot be read/)
  })

  it('has values named that are too long, too deep, or none of JSON', async () => {
    const deep = `'{"a":' || replace(hex(zeroblob(100)), '0', '[') || '1'`
    const [read] = await readDatabase(small, {
      change: `UPDATE db_dbnode SET attributes = ${deep}, extras = '"' || hex(zeroblob(9000000)) || '"', label = hex(zeroblob(1000)) WHERE id = 1`,
    })
    expect(read).toMatchObject({ id: 'j', isWhole: true })
    expect(read?.rest.leftOut).toEqual(
      expect.arrayContaining(['process.attributes (206 bytes)', 'process.extras (18000002 bytes)']),
    )
    expect(read?.rest.values.label).toBeUndefined()
  })

  it('may have links to nothing', async () => {
    const change =
      "INSERT INTO db_dblink VALUES (90, 500, 1, 'a', 'input_calc'), (91, 1, NULL, 'b', 'create'), (92, 1, 2, 'c', 'other')"
    expect(await readDatabase(small, { change })).toHaveLength(1)
  })
})
