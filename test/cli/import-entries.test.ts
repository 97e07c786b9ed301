import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rockSalt } from '../calculations/support/read-records.ts'
import { newDataDirectory, runCli } from '../support/cli.ts'

const directory = newDataDirectory()
const place = mkdtempSync(join(tmpdir(), 'quarry-entries-'))
const quarry = async (name: string, ...more: readonly string[]) =>
  runCli(['import', join(place, name), '--user', 'ada', '--no-symmetry', '--data', directory.data, ...more])
const entry = (metal: string) => ({
  '@class': 'ComputedStructureEntry',
  energy: -17.25,
  composition: { [metal]: 1, O: 1 },
  parameters: { run_type: 'GGA', potcar_symbols: [`PBE ${metal}`, 'PBE O'] },
  data: { oxide_type: 'oxide' },
  structure: rockSalt(metal, 'O'),
})
const CRYSTAL = 'Si\n1.0\n3 0 0\n0 3 0\n0 0 3\nSi\n1\nDirect\n0 0 0\n'
const { structure: _, ...withoutStructure } = entry('Ba')
const MATERIAL = {
  name: 'with an energy of its own',
  lattice: { type: 'CUB', a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 },
  basis: { units: 'crystal', elements: [{ id: 0, value: 'Po' }], coordinates: [{ id: 0, value: [0, 0, 0] }] },
  composition: { Po: 1 },
  energy: -3,
  material_id: 'my-1',
}
const FILES = {
  'entries.json': [entry('Mg'), entry('Ca')],
  'named.json': { MgO: entry('Mg'), CaO: entry('Ca') },
  'without.json': [withoutStructure],
  'beside/entry.json': entry('Sr'),
  'mine.json': [MATERIAL],
  'keyed.json': [{ type: 'pseudopotential', subtype: 'us', material_id: 'my-2' }],
}

beforeAll(async () => {
  const user = ['user', 'create', 'ada', '--password-stdin', '--data', directory.data]
  await runCli(user, { input: 'correct horse battery' })
  mkdirSync(join(place, 'beside'))
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(place, name), JSON.stringify(content))
  writeFileSync(join(place, 'beside', 'other.vasp'), CRYSTAL)
  const packed = { 'in/entry.json': strToU8(JSON.stringify(entry('Zn'))), 'in/other.vasp': strToU8(CRYSTAL) }
  writeFileSync(join(place, 'packed.zip'), zipSync(packed))
})
afterAll(() => {
  directory.remove()
  rmSync(place, { recursive: true })
})

it.each([
  ['a list', 'entries.json', [], 'calculations: 2 stored, 0 skipped, 0 refused'],
  ['what has a name for each', 'named.json', [], 'calculations: 2 stored, 0 skipped, 0 refused'],
  ['what has no structure', 'without.json', [], 'calculations: 1 stored, 0 skipped, 0 refused'],
  ['what is in an archive', 'packed.zip', [], 'calculations: 1 stored, 0 skipped, 0 refused'],
  ['what has results, where all structures are asked for', 'entries.json', ['--frame', 'all'], '3 stored'],
  ['what has results, where it is called a structure', 'entries.json', ['--format', 'pymatgen'], '1 stored'],
  ['what has a key, as records have', 'keyed.json', ['--key', 'material_id'], '1 stored'],
  ['a material that has fields of an entry', 'mine.json', [], '1 stored'],
] as const)('quarry import reads records with results as calculations: %s', async (_what, name, flags, expected) => {
  const { stdout, stderr } = await quarry(name, ...flags)
  expect(stdout.trimEnd().split('\n').at(-1), stderr).toMatch(new RegExp(`^${expected}`))
})

it('leaves what lies beside records with results to be stored by itself', async () => {
  const { stdout } = await quarry('beside', '--json')
  const told = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(told).toContainEqual(expect.objectContaining({ file: 'entry.json', files: ['entry.json'], outcome: 'stored' }))
  expect(told).toContainEqual({ calculations: { stored: 1, skipped: 0, refused: 0 } })
  expect(told).toContainEqual(expect.objectContaining({ stored: 1, skipped: 0, refused: 0 }))
})
