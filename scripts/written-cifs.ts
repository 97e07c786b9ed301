import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printCrystal } from '../src/records/kinds/material/print-material.ts'
import { readMaterial } from '../src/records/kinds/material/structure-files.ts'
import { findSymmetry } from '../src/structure/symmetry/find-symmetry.ts'
import { DEFAULT_TOLERANCE_ANGSTROM } from '../src/structure/symmetry/symmetry-report.ts'
import { conclude } from './measured.ts'

// Writes CIFs of all samples and of a structure of each space group, and has gemmi, spglib and pymatgen (Debian's packages) read them.
const place = mkdtempSync(join(tmpdir(), 'quarry-cifs-'))
const made = join(place, 'made')
const written = join(place, 'written')
const samples = fileURLToPath(new URL('../samples/materials', import.meta.url))

/** There are so many groups, and a structure of each is made. */
const SPACE_GROUPS = 230

function python(script: string, ...parameters: readonly string[]): number {
  const path = fileURLToPath(new URL(`written-cifs/${script}`, import.meta.url))
  return spawnSync('/usr/bin/python3', [path, ...parameters], { stdio: 'inherit' }).status ?? 1
}

try {
  for (const directory of [made, written]) mkdirSync(directory)
  if (python('generate.py', made) !== 0) throw new Error('no structures could be made')
  let count = 0
  for (const directory of [samples, made]) {
    for (const fileName of readdirSync(directory)) {
      count += 1
      const { crystal, material } = readMaterial({ text: readFileSync(join(directory, fileName), 'utf8'), fileName })
      for (const [symmetry, extension] of [
        ['standard', 'cif'],
        ['none', 'p1.cif'],
      ] as const) {
        const finder = (sought: typeof crystal) => findSymmetry(sought, DEFAULT_TOLERANCE_ANGSTROM)
        const text = printCrystal(crystal, () => material, { format: 'cif', symmetry }, finder)
        writeFileSync(join(written, `${fileName}.${extension}`), text)
      }
    }
  }
  const isFine = python('check.py', written, String(count)) === 0
  process.exitCode = conclude(isFine, [
    { what: 'structures', count, least: readdirSync(samples).length + SPACE_GROUPS },
  ])
} finally {
  rmSync(place, { recursive: true, force: true })
}
