import { type NamedProperty, PROPERTY_NAMES } from './property-names.ts'

/** Meaning of a name that everybody shares; null for a name of one's own. */
export function knownProperty(name: string): NamedProperty | null {
  return Object.hasOwn(PROPERTY_NAMES, name) ? PROPERTY_NAMES[name as keyof typeof PROPERTY_NAMES] : null
}

/** `band_gap` and `bandGap` as people write them. */
export function propertyTitle(name: string): string {
  return knownProperty(name)?.title ?? spelledOut(name)
}

/** Words of a name: `bandGap` and `band_gap` are "Band gap". */
export function spelledOut(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])(?=[a-z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/[_-]+/g, ' ')
    .trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/angstrom|\bA\b/g, 'Å'],
  [/\buB\b/g, 'μB'],
  [/\bunitcell\b/g, 'cell'],
  [/\bcm-1\b/g, 'cm⁻¹'],
  [/\^?-1\b/g, '⁻¹'],
  [/\^2/g, '²'],
  [/\^3/g, '³'],
]

/** A unit as it is printed: `eV/A^2` is eV/Å². */
export function unitText(units: string): string {
  return SIGNS.reduce((text, [written, sign]) => text.replace(written, sign), units)
}

const PROGRAMS: Readonly<Record<string, string>> = {
  vasp: 'VASP',
  espresso: 'Quantum ESPRESSO',
  qe: 'Quantum ESPRESSO',
  cp2k: 'CP2K',
  nwchem: 'NWChem',
  gpaw: 'GPAW',
  castep: 'CASTEP',
  abinit: 'ABINIT',
  siesta: 'SIESTA',
  lammps: 'LAMMPS',
}
const KINDS: Readonly<Record<string, string>> = {
  dft: 'DFT',
  gw: 'GW',
  gga: 'GGA',
  lda: 'LDA',
  'meta-gga': 'meta-GGA',
  hybrid: 'hybrid',
}
const FUNCTIONALS: Readonly<Record<string, string>> = {
  pbesol: 'PBEsol',
  r2scan: 'r²SCAN',
  'vdw-df': 'vdW-DF',
  'vdw-df2': 'vdW-DF2',
  'optb86b-vdw': 'optB86b-vdW',
  'optb88-vdw': 'optB88-vdW',
  revpbe: 'revPBE',
}

/** A program as its authors write it. */
export function programText(name: string): string {
  return PROGRAMS[name.toLowerCase()] ?? name
}

/** `dft`, `gga` and the like as people write them. */
export function modelText(name: string): string {
  return KINDS[name.toLowerCase()] ?? name
}

/** A functional, with what is added to it: `pbe+u` is PBE+U. */
export function functionalText(name: string): string {
  return name
    .split('+')
    .map((part) => FUNCTIONALS[part.toLowerCase()] ?? part.toUpperCase())
    .join('+')
}

/** The functional of a group: `vasp:dft:gga:pbe` is PBE (GGA). A group of another form is told as it is. */
export function functionalWords(group: string): string {
  const [, , subtype = '', functional = '', ...more] = group.split(':')
  return functional === '' || more.length > 0 ? group : `${functionalText(functional)} (${modelText(subtype)})`
}

/** A group in plain words: `vasp:dft:gga:pbe` is PBE (GGA), DFT with VASP. One of another form is told as it is. */
export function groupWords(group: string): string {
  const [program = '', model = '', subtype = '', functional = '', ...more] = group.split(':')
  if (functional === '' || more.length > 0) return group
  return `${functionalText(functional)} (${modelText(subtype)}), ${modelText(model)} with ${programText(program)}`
}
