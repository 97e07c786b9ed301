import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BuildFlags } from '../../src/cli/console/build-flags.ts'
import { newDataDirectory, runCli } from '../support/cli.ts'

const CSCL = '2\nLattice="4 0 0 0 4 0 0 0 4" Properties=species:S:1:pos:R:3\nCs 0 0 0\nCl 2 2 2\n'
const SI = 'Silicon\n1\n0 2.734 2.734\n2.734 0 2.734\n2.734 2.734 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'

let directory: ReturnType<typeof newDataDirectory>
let place: string
beforeEach(() => {
  directory = newDataDirectory()
  place = join(dirname(directory.data), 'files')
  mkdirSync(place)
})
afterEach(() => directory.remove())

const file = (name: string, content: string): string => {
  const path = join(place, name)
  writeFileSync(path, content)
  return path
}
const build = (...flags: readonly string[]) => runCli(['build', file('cell.xyz', CSCL), ...flags])
const stepsOf = (flags: readonly string[]) => {
  const steps = new BuildFlags()
  const command = steps
    .addTo(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  return steps.read(command.parse(flags, { from: 'user' }).opts())
}
const lineOf = async (...flags: readonly string[]) => {
  const { exitCode, stdout, stderr } = await build('--to', 'material', ...flags)
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

it('carries steps out in the order of their flags', async () => {
  const one = await lineOf('--supercell', '2x1x1', '--vacancy', '0', '--substitute', 'Cl=Br')
  expect([one.formula, one.material.name]).toEqual(['CsBr2', 'CsCl (supercell 2x1x1, 1 vacancy, Br for Cl)'])
  const other = await lineOf('--vacancy', '0', '--supercell', '2x1x1', '--substitute', '1=Br')
  expect([other.formula, other.steps.map(({ step }: { step: string }) => step)]).toEqual([
    'BrCl',
    ['vacancy', 'supercell', 'substitution'],
  ])
})

it('tells of a slab how it ends, and writes it as a file', async () => {
  const out = join(place, 'slab.vasp')
  const slab = ['--slab', '1,0,0', '--layers', '2', '--vacuum', '12', '--no-centred', '--to', 'poscar', '-o', out]
  const { exitCode, stderr } = await build(...slab)
  expect(exitCode).toBe(0)
  expect(stderr).toContain(
    'cell.xyz: slab 6.000 Å thick, 12 Å of vacuum, 2 repeats of 2 atomic layers; termination 0 of 0 (Cs below, Cl above).',
  )
  expect(stderr).toContain('POSCAR')
  expect(readFileSync(out, 'utf8').split('\n')[4]).toMatch(/^ +0 +0 +18$/)
})

it.each([
  [['--strain', '2%'], [{ strain: { percent: 2 } }]],
  [['--strain', '0.01,0,0,0,0,-1e-3'], [{ strain: { voigt: [0.01, 0, 0, 0, 0, -1e-3] } }]],
  [
    ['--strain', '1 0 0 0 1.1 0 0 0 1'],
    [
      {
        strain: {
          deformation: [
            [1, 0, 0],
            [0, 1.1, 0],
            [0, 0, 1],
          ],
        },
      },
    ],
  ],
  [
    ['--supercell', '1,1,0,-1,1,0,0,0,1'],
    [
      {
        supercell: {
          matrix: [
            [1, 1, 0],
            [-1, 1, 0],
            [0, 0, 1],
          ],
        },
      },
    ],
  ],
  [
    ['--thickness', '9.5', '--slab', '1,1,-1', '--termination', '2', '--vacancy', '0 3'],
    [
      { slab: { miller: [1, 1, -1], thickness: 9.5, vacuum: 15, termination: 2, centred: true } },
      { vacancy: { sites: [0, 3] } },
    ],
  ],
  [
    ['--substitute', 'Ga=Al,As=P', '--substitute', '0,3=N', '--ordered', 'supercell', '--seed', '4'],
    [
      { substitution: { elements: { Ga: 'Al', As: 'P' } } },
      { substitution: { sites: [0, 3], with: 'N' } },
      { ordered: { how: 'supercell', maxAtoms: 200, seed: 4 } },
    ],
  ],
  [
    ['--steps', '[{"supercell":{"size":[1,1,3]}}]', '--cell', 'niggli', '--tolerance', '0.02'],
    [{ supercell: { size: [1, 1, 3] } }, { standardCell: { cell: 'niggli', tolerance: 0.02 } }],
  ],
])('%j are the steps %j', (flags, steps) => {
  expect(stepsOf(flags)).toEqual(steps)
})

it('finds standard cells, and reads steps from a file', async () => {
  const steps = file(
    'steps.json',
    JSON.stringify([{ standardCell: { cell: 'conventional' } }, { vacancy: { sites: [0] } }]),
  )
  const { exitCode, stdout } = await runCli(['build', file('POSCAR', SI), '--to', 'material', '--steps', steps])
  expect([exitCode, JSON.parse(stdout).nSites]).toEqual([0, 7])
  const cif = await runCli([
    'build',
    file('POSCAR', SI),
    '--to',
    'cif',
    '--cell',
    'conventional',
    '--tolerance',
    '0.02',
  ])
  expect([cif.exitCode, cif.stdout.match(/^Si/gm)?.length]).toEqual([0, 8])
})

it.each([
  [[], 'Say what is to be built: --supercell 2x2x1'],
  [['--supercell', '2x2'], 'It is a size, 2x2x1, or nine whole numbers'],
  [['--supercell', '0x1x1'], '--supercell: size has to be three whole numbers from 1 to 100'],
  [['--slab', '1,1,0'], '--slab: it has to be an object with one of layers, thickness, and not two.'],
  [['--slab', '1,1'], 'It is 3 numbers'],
  [['--layers', '3', '--supercell', '2x1x1'], '--layers: it goes with --slab only.'],
  [['--seed', '3', '--supercell', '2x1x1'], '--seed: it goes with --ordered only.'],
  [['--cell', 'small'], '--cell: cell has to be one of conventional, primitive, niggli.'],
  [['--substitute', 'Cl'], 'It is elements, Ga=Al,As=P, or sites and an element: 0,3=Al.'],
  [['--vacancy', 'Cl'], '"Cl" is no number.'],
  [['--strain', '3'], 'It is a percentage, 2%, six numbers'],
  [['--steps', '{}'], 'It is a list of steps'],
  [['--steps', '[{"slab":{"miller":1}}]'], '--steps: steps[0].slab.miller has to be three whole numbers'],
])('%j is a fault of the command', (flags, said) => {
  expect(() => stepsOf(flags)).toThrow(said)
})

it('says of each file what its structure does not allow, and goes on', async () => {
  const files = [file('a.xyz', CSCL), file('POSCAR', SI)]
  const { exitCode, stdout } = await runCli(['build', ...files, '--to', 'material', '--substitute', 'Cl=Br'])
  const [one, other] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([exitCode, one.ok, other.error.code, other.error.message]).toEqual([
    1,
    true,
    42249,
    'Step 1: The structure has no Cl. Name one of Si.',
  ])
})
