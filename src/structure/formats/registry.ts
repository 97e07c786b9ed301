import { abinitFormat } from './abinit/abinit.ts'
import { aimsFormat } from './aims.ts'
import { castepFormat } from './castep.ts'
import { cifFormat } from './cif/cif.ts'
import type { StructureFormat } from './common/format.ts'
import { cp2kFormat } from './cp2k/cp2k.ts'
import { cubeFormat } from './cube.ts'
import { espressoFormat } from './espresso/espresso.ts'
import { genFormat } from './gen.ts'
import { gulpFormat } from './gulp/gulp.ts'
import { aseFormat } from './json/ase.ts'
import { jarvisFormat } from './json/jarvis.ts'
import { materialFormat } from './json/material.ts'
import { nomadFormat } from './json/nomad.ts'
import { optimadeFormat } from './json/optimade.ts'
import { pymatgenFormat } from './json/pymatgen.ts'
import { lammpsDataFormat } from './lammps/data.ts'
import { lammpsDumpFormat } from './lammps/dump.ts'
import { pdbFormat } from './pdb.ts'
import { phonopyFormat } from './phonopy.ts'
import { poscarFormat } from './poscar.ts'
import { resFormat } from './res/res.ts'
import { siestaFormat } from './siesta/siesta.ts'
import { xsfFormat } from './xsf.ts'
import { xyzFormat } from './xyz.ts'

/** All formats, the most telling first: detection by content asks them in this order. */
export const STRUCTURE_FORMATS: readonly StructureFormat[] = [
  nomadFormat,
  optimadeFormat,
  jarvisFormat,
  pymatgenFormat,
  aseFormat,
  materialFormat,
  espressoFormat,
  cp2kFormat,
  aimsFormat,
  castepFormat,
  genFormat,
  siestaFormat,
  gulpFormat,
  abinitFormat,
  phonopyFormat,
  resFormat,
  xsfFormat,
  cubeFormat,
  lammpsDataFormat,
  lammpsDumpFormat,
  xyzFormat,
  poscarFormat,
  pdbFormat,
  cifFormat,
]

/** Names that clients use beside the formats' own. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  contcar: 'poscar',
  vasp: 'poscar',
  extxyz: 'xyz',
  mmcif: 'cif',
  qe: 'espresso',
  'espresso-in': 'espresso',
  'fhi-aims': 'aims',
  'castep-cell': 'castep',
  dftb: 'gen',
  fdf: 'siesta',
  gin: 'gulp',
  'abinit-in': 'abinit',
  abi: 'abinit',
  shelx: 'res',
  ins: 'res',
  airss: 'res',
  axsf: 'xsf',
  lammps: 'lammps-data',
  lammpstrj: 'lammps-dump',
  'lammps-dump-text': 'lammps-dump',
  json: 'material',
  esse: 'material',
}

/** Lists the names of formats, in the order of detection, for messages and help. */
export function formatNames(which: (format: StructureFormat) => boolean = () => true): string {
  return STRUCTURE_FORMATS.filter(which)
    .map(({ name }) => name)
    .join(', ')
}

export function isWritten({ print }: StructureFormat): boolean {
  return print !== undefined
}

/** Looks a format up by the name that clients use, in any letter case. */
export function findFormat(name: string): StructureFormat | undefined {
  const key = name.toLowerCase()
  const wanted = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : key
  return STRUCTURE_FORMATS.find((format) => format.name === wanted)
}
