import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { AppError } from '../src/kernel/errors.ts'
import { printCrystal } from '../src/records/kinds/material/print-material.ts'
import { readMaterial } from '../src/records/kinds/material/structure-files.ts'
import { parametersOf } from '../src/structure/cell.ts'
import type { Cell, Crystal } from '../src/structure/crystal.ts'
import { niggliCell } from '../src/structure/niggli.ts'
import { findSymmetry } from '../src/structure/symmetry/find-symmetry.ts'
import { DEFAULT_TOLERANCE_ANGSTROM } from '../src/structure/symmetry/symmetry-report.ts'
import { conclude, wholeNumber } from './measured.ts'

// Writes CIFs of all samples, of structures of each space group and of the files of a folder, and has gemmi, spglib and pymatgen (Debian's packages) read them.
const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
  },
})
const each = wholeNumber('each', values.each)
const seed = wholeNumber('seed', values.seed)
const place = mkdtempSync(join(tmpdir(), 'quarry-cifs-'))
const made = join(place, 'made')
const written = join(place, 'written')
const samples = fileURLToPath(new URL('../samples/materials', import.meta.url))
const folders = [samples, made, ...(values.folder === undefined ? [] : [values.folder])]

/** There are so many groups, and structures of each are made. */
const SPACE_GROUPS = 230

function python(script: string, ...parameters: readonly string[]): number {
  const path = fileURLToPath(new URL(`written-cifs/${script}`, import.meta.url))
  return spawnSync('/usr/bin/python3', [path, ...parameters], { stdio: 'inherit' }).status ?? 1
}

/** Lengths and angles of the cells that are told of a crystal. */
function cellsOf(crystal: Crystal): string {
  const report = findSymmetry(crystal, DEFAULT_TOLERANCE_ANGSTROM)
  if (report.status !== 'computed') throw new Error(`the symmetry of ${crystal.title} was not found: ${report.reason}`)
  const told = ({ lattice }: Cell) => Object.values(parametersOf(lattice))
  return JSON.stringify({ conventional: told(report.conventionalCell), niggli: told(niggliCell(report.primitiveCell)) })
}

type Read = ReturnType<typeof readMaterial>

/** The crystal of a file; nothing, but its reason, of one of the folder that Quarry refuses. */
function read(directory: string, fileName: string): readonly [string, Read] | undefined {
  try {
    return [fileName, readMaterial({ text: readFileSync(join(directory, fileName), 'utf8'), fileName })]
  } catch (error) {
    if (directory !== values.folder || !(error instanceof AppError)) throw error
    process.stdout.write(`${fileName} is left out: ${error.message}\n`)
    return undefined
  }
}

function write(fileName: string, { crystal, material }: Read): void {
  const finder = (sought: Crystal) => findSymmetry(sought, DEFAULT_TOLERANCE_ANGSTROM)
  const print = (symmetry: 'standard' | 'none') =>
    printCrystal(crystal, () => material, { format: 'cif', symmetry }, finder).text
  writeFileSync(join(written, `${fileName}.json`), cellsOf(crystal))
  writeFileSync(join(written, `${fileName}.cif`), print('standard'))
  writeFileSync(join(written, `${fileName}.p1.cif`), print('none'))
}

try {
  for (const directory of [made, written]) mkdirSync(directory)
  if (python('generate.py', made, String(each), String(seed)) !== 0) throw new Error('no structures could be made')
  const files = folders.flatMap((directory) => readdirSync(directory).map((fileName) => read(directory, fileName)))
  const crystals = files.filter((one) => one !== undefined)
  for (const one of crystals) write(...one)
  const isFine = python('check.py', written, String(crystals.length)) === 0
  process.exitCode = conclude(isFine, [
    { what: 'structures', count: crystals.length, least: readdirSync(samples).length + SPACE_GROUPS * each },
  ])
} finally {
  rmSync(place, { recursive: true, force: true })
}
