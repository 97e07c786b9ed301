// Reading structure files, without importing them (`scripts/imports.ts`): `node --import tsx bench/structures.ts [--files 10000]`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { wholeNumber } from '../scripts/measured.ts'
import { findSources } from '../src/cli/console/structure-sources.ts'
import { materialToCrystal } from '../src/structure/formats/json/material.ts'
import { printStructure, readStructure } from '../src/structure/formats/read-structure.ts'
import { documentMaker } from './corpus/documents.ts'
import { readPrototypes } from './corpus/prototypes.ts'

const CIF_FILES = 1000

/** Rock salt as databases publish it: an asymmetric unit, and 192 operators to apply. */
const publishedCif = (serial: number): string => `data_${serial}
_publ_section_title
;
 Thermal expansion of rock salt, entry ${serial}
;
_cell_length_a ${(5 + serial / 10_000).toFixed(4)}(2)
_cell_length_b ${(5 + serial / 10_000).toFixed(4)}(2)
_cell_length_c ${(5 + serial / 10_000).toFixed(4)}(2)
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F m -3 m'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
_atom_site_U_iso_or_equiv
Na1 Na1+ 0 0 0 1 0.0132(4)
Cl1 Cl1- 0.5 0.5 0.5 1 0.0141(3)
`

const { values } = parseArgs({ options: { files: { type: 'string', default: '10000' } } })
const files = wholeNumber('files', values.files)
const work = mkdtempSync(join(tmpdir(), 'quarry-bench-structures-'))
try {
  const { body } = documentMaker({ seed: 1, prototypes: readPrototypes() })
  const crystalOf = (serial: number) => materialToCrystal(body(serial))
  const directory = join(work, 'poscars')
  mkdirSync(directory)
  for (let serial = 0; serial < files; serial++) {
    writeFileSync(join(directory, `${serial}.vasp`), printStructure(crystalOf(serial), 'poscar'))
  }
  const cifs = Array.from({ length: CIF_FILES }, (_, serial) =>
    serial % 2 === 0 ? publishedCif(serial) : printStructure(crystalOf(serial), 'cif'),
  )

  report(
    `read ${CIF_FILES} CIF files`,
    CIF_FILES,
    measure(() => {
      for (const text of cifs) readStructure(text)
    }),
  )
  const paths = findSources([directory], {}).structures.map(({ path }) => path)
  report(
    `read ${files} POSCAR files`,
    files,
    measure(() => {
      for (const path of paths) readStructure(readFileSync(path, 'utf8'))
    }),
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** What a part took: on the clock, and of all cores together, which is the same on a machine that has other things to do. */
interface Cost {
  readonly milliseconds: number
  readonly cpuMilliseconds: number
}

function measure(work: () => void): Cost {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(cpu)
  return { milliseconds: performance.now() - start, cpuMilliseconds: (user + system) / 1000 }
}

function report(what: string, count: number, { milliseconds, cpuMilliseconds }: Cost): void {
  const rate = Math.round((count / milliseconds) * 1000)
  const cpu = (cpuMilliseconds / count).toFixed(3)
  process.stdout.write(
    `${what.padEnd(42)} ${(milliseconds / 1000).toFixed(2).padStart(7)} s ${rate} files/s, ${cpu} ms CPU each\n`,
  )
}
