import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { vasprunText } from '../calculations/vasprun-text.ts'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { RecordsWithFiles } from '../support/records-with-files.ts'

const CHGCAR = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 31) % 256))
const LOG = Buffer.from('all went well\n'.repeat(1000))
const RELAXED = '{"madeFrom.how":"relaxation"}'

/** Data of ada with records and files, and of bob with none, of which each test has copies. */
const base = newDataDirectory()
let directory: ReturnType<typeof newDataDirectory>
let records: RecordsWithFiles
let beside: (name: string) => string

beforeAll(async () => {
  const made = new RecordsWithFiles(base.data)
  await made.put(await made.begin(), { 'relax/CHGCAR': CHGCAR, log: LOG, copy: LOG })
  const run = join(dirname(base.data), 'run')
  mkdirSync(run)
  writeFileSync(join(run, 'vasprun.xml'), vasprunText())
  writeFileSync(join(run, 'INCAR'), 'ENCUT = 520')
  await quarry(['import', run, '--user', 'ada', '--no-symmetry'], base.data)
  const other = ['--data', join(dirname(base.data), 'other')]
  await runCli(['user', 'create', 'bob', '--password-stdin', ...other], { input: 'correct horse' })
})
afterAll(() => base.remove())
beforeEach(() => {
  directory = newDataDirectory()
  beside = (name) => join(dirname(directory.data), name)
  cpSync(dirname(base.data), dirname(directory.data), { recursive: true })
  records = new RecordsWithFiles(directory.data)
})
afterEach(() => directory.remove())

const quarry = (parameters: readonly string[], data = directory.data) => runCli([...parameters, '--data', data])
const linesOf = (text: string) =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))

/** What is the same in whatever account a record is, files with the times at which they came. */
async function contentOf(data: string): Promise<readonly object[]> {
  const { stdout } = await quarry(['export'], data)
  const records = linesOf(stdout).filter(({ entityCls, isDefault }) => entityCls === undefined && isDefault !== true)
  const content = records.map(({ owner, creator, updatedAt, ...record }) => record)
  return content.toSorted((one, other) => String(one['_id']).localeCompare(String(other['_id'])))
}
const importAsBob = (...parameters: readonly string[]) =>
  quarry(['import', ...parameters, '--user', 'bob', '--no-symmetry'], beside('other'))

describe('quarry export --to', () => {
  it.each(['out', 'out.zip'])('%s has records and files, and comes back with nothing lost', async (name) => {
    const written = await quarry(['export', '--to', beside(name)])
    expect(written).toMatchObject({ exitCode: 0, stdout: '' })
    const bytes = CHGCAR.length + 2 * LOG.length + vasprunText().length + 11
    expect(written.stderr).toContain(`and 5 files (${bytes} bytes) to ${beside(name)}`)
    const first = await importAsBob(beside(name))
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    expect(first.stdout).toContain('files: 5 stored, 0 skipped, 0 refused')
    expect(await contentOf(beside('other'))).toEqual(await contentOf(directory.data))
    expect((await quarry(['check'], beside('other'))).stdout).toBe('ok\n')
    const second = await importAsBob(beside(name))
    expect(second.stdout).toMatch(/^0 stored, \d+ skipped, 0 refused\nfiles: 0 stored, 5 skipped, 0 refused\n$/)
  })

  it('takes properties, job, method and materials along that belong to what matches, unless it is told not to', async () => {
    await quarry(['export', '--kind', 'materials', '--query', RELAXED, '--to', beside('out.zip')])
    const entries = unzipSync(readFileSync(beside('out.zip')))
    const manifest = JSON.parse(Buffer.from(entries['quarry-export.json'] ?? []).toString())
    const named = manifest.records.map(({ file }: { file: string }) => file)
    expect(named).toEqual([
      'materials.ndjson',
      'materials-2.ndjson',
      'methods.ndjson',
      'jobs.ndjson',
      'properties.ndjson',
    ])
    const [job] = linesOf(Buffer.from(entries['jobs.ndjson'] ?? []).toString())
    expect(Buffer.from(entries[`files/jobs/${job?.['_id']}/INCAR`] ?? []).toString()).toBe('ENCUT = 520')
    const { stdout, exitCode } = await importAsBob(beside('out.zip'))
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('files: 2 stored')])
    const alone = ['--kind', 'materials', '--query', RELAXED, '--no-related', '--no-files']
    await quarry(['export', ...alone, '--to', beside('alone')])
    expect(readdirSync(beside('alone')).sort()).toEqual(['materials.ndjson', 'quarry-export.json'])
  })

  it('goes on with a folder where it was interrupted, and touches no other folder', async () => {
    await quarry(['export', '--to', beside('out')])
    const [id = ''] = readdirSync(beside('out/files/materials'))
    const [log, chgcar] = [beside(`out/files/materials/${id}/log`), beside(`out/files/materials/${id}/relax/CHGCAR`)]
    rmSync(beside('out/quarry-export.json'))
    writeFileSync(beside('out/quarry-export.json.partial'), '')
    expect((await importAsBob(beside('out'))).stderr).toContain('has not been carried out to its end')
    writeFileSync(chgcar, CHGCAR.toReversed())
    const { mtimeMs } = statSync(log)
    expect((await quarry(['export', '--to', beside('out')])).exitCode).toBe(0)
    expect([statSync(log).mtimeMs, readFileSync(chgcar).equals(CHGCAR)]).toEqual([mtimeMs, true])
    const refused = await quarry(['export', '--to', beside('run')])
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('something in it that is no export') })
    expect(readdirSync(beside('run')).sort()).toEqual(['INCAR', 'vasprun.xml'])
  })

  it.each(['out', 'out.zip'])('%s names what is missing or damaged of the files, and has the others', async (name) => {
    records.lose(LOG)
    records.damage(CHGCAR)
    const { exitCode, stderr } = await quarry(['export', '--to', beside(name)])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/The file "relax\/CHGCAR" of record \S+ of materials is damaged/)
    expect(stderr).toMatch(/The file "log" of record \S+ of materials is missing/)
    const told = name.endsWith('.zip')
      ? Buffer.from(unzipSync(readFileSync(beside(name)))['not-exported.txt'] ?? []).toString()
      : readFileSync(beside(`${name}/not-exported.txt`), 'utf8')
    expect(told.trimEnd().split('\n')).toHaveLength(3)
    const imported = await importAsBob(beside(name))
    expect(imported.exitCode).toBe(1)
    expect(imported.stderr).toContain('was not exported: The file "relax/CHGCAR"')
    expect(imported.stdout).toContain('The file "log" is not in the export.')
    expect(imported.stdout).toContain('files: 2 stored, 0 skipped, 3 refused')
  })

  it('has no file beside another that is called like its folder, and says so', async () => {
    const [record] = linesOf(
      (await quarry(['export', '--kind', 'materials', '--query', '{"files.name":"log"}'])).stdout,
    )
    await records.put(String(record?.['_id']), { relax: LOG })
    const { exitCode, stderr } = await quarry(['export', '--to', beside('out')])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('a name that a folder does not take')])
    expect((await quarry(['export', '--to', beside('out.zip')])).exitCode).toBe(0)
  })

  it('refuses flags that say nothing of it', async () => {
    const refusals = [['--no-files'], ['--to', beside('out'), '-o', beside('out.ndjson')]]
    for (const flags of refusals) expect((await quarry(['export', ...flags])).exitCode).toBe(2)
  })
})

describe('quarry import of an export', () => {
  beforeEach(async () => {
    await quarry(['export', '--to', beside('out')])
  })
  const placeOf = (name: string) => {
    const [id = ''] = readdirSync(beside('out/files/materials'))
    return { id, path: beside(`out/files/materials/${id}/${name}`) }
  }

  it('refuses a file that is not what its record says, by its name, and takes the others', async () => {
    writeFileSync(placeOf('log').path, 'another')
    const { exitCode, stdout } = await importAsBob(beside('out'))
    expect(exitCode).toBe(1)
    expect(stdout).toContain('The file "log" is not what its record says')
    expect(stdout).toContain('files: 4 stored, 0 skipped, 1 refused')
    expect((await quarry(['check'], beside('other'))).stdout).toBe('ok\n')
  })

  it('leaves a file of the same name as it is, and files of a record in whose place another one stands', async () => {
    await records.put(placeOf('log').id, { log: Buffer.from('newer') })
    const again = await quarry(['import', beside('out'), '--user', 'ada', '--json'])
    expect(again.stdout).toContain('"code":40913')
    expect(again.stdout).toContain(`The record ${placeOf('log').id} has another file \\"log\\", which stays.`)
    expect(again.stdout).toContain('{"files":{"stored":0,"skipped":4,"refused":1}}')
    await importAsBob(beside('out'))
    const lines = readFileSync(beside('out/materials.ndjson'), 'utf8').replaceAll(placeOf('log').id, 'another')
    writeFileSync(beside('out/materials.ndjson'), lines)
    const duplicates = await importAsBob(beside('out'), '--on-duplicate', 'return')
    expect(duplicates.stdout).toContain('of another is not taken')
  })

  it('takes the records of one kind alone, and no flags of structure files', async () => {
    const methods = await importAsBob(beside('out'), '--kind', 'methods', '--json')
    expect(linesOf(methods.stdout)).toMatchObject([{ collection: 'methods', outcome: 'stored' }, { stored: 1 }])
    const refused = await importAsBob(beside('out'), '--format', 'cif')
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--format says nothing') })
  })
})
