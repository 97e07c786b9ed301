import { parametersOf } from '../../cell.ts'
import { type Crystal, type CrystalSite, isMolecule, PERIODIC, rightHanded } from '../../crystal.ts'
import { countAtoms } from '../../formula.ts'
import { vectorsVolume } from '../../lattice.ts'
import { itemAt, type Matrix3 } from '../../linear-algebra.ts'
import { nearPairs, ONE_SITE_ANGSTROM } from '../../near-pairs.ts'
import { printOperator } from '../../symmetry/operator.ts'
import { orbitsOf } from '../../symmetry/sites.ts'
import { operatorsOfSetting, SPACE_GROUP_SETTINGS, type SpaceGroupSetting } from '../../symmetry/space-group-setting.ts'
import type { FoundSymmetry, SymmetryReport } from '../../symmetry/symmetry-report.ts'
import type { PrintOptions } from '../common/format.ts'
import { printCounts } from '../common/species.ts'
import { decimal, oneLine } from '../common/text.ts'
import { IMPOSSIBLE_ANGSTROM } from './expand.ts'
import { printMoments } from './magnetic.ts'
import { occupancyColumns, typeSymbol } from './species-on-site.ts'

/** Writes the asymmetric unit of the standard cell where symmetry is to be sought and found; else the whole cell in P 1. */
export function printCif(given: Crystal, { symmetry }: PrintOptions = {}): string {
  const crystal = rightHanded(given)
  const { lattice, comment, group, atoms } = contentsOf(crystal, symmetry)
  const title = oneLine(crystal.title, printCounts(countAtoms(crystal.sites)))
  return `${[
    ...(comment === '' ? [] : [`# ${comment}`]),
    `data_${title.replace(/[^A-Za-z0-9_.()-]+/g, '_').slice(0, 60)}`,
    `_chemical_name_common ${quoteCif(title)}`,
    ...cellItems(lattice),
    ...group,
    ...atoms,
  ].join('\n')}\n`
}

interface Contents {
  readonly lattice: Matrix3
  /** Note at the top of the file. */
  readonly comment: string
  /** Name and operators of the space group. */
  readonly group: readonly string[]
  readonly atoms: readonly string[]
}

function contentsOf(crystal: Crystal, findSymmetry: PrintOptions['symmetry']): Contents {
  const all = [
    ...atomLoop(
      [],
      crystal.sites.map((site) => ({ site, position: '' })),
    ),
    ...momentsOf(crystal),
  ]
  const inP1 = { lattice: crystal.lattice, group: P1, atoms: all }
  if (crystal.sites.some(({ moment }) => moment !== undefined))
    return { ...inP1, comment: 'P 1: atoms have magnetic moments.' }
  if (findSymmetry === undefined) return { ...inP1, comment: '' }
  if (isMolecule(crystal)) return { ...inP1, comment: 'P 1: a molecule in a box has no space group.' }
  const report = findSymmetry()
  const setting = settingOf(report)
  if (setting === undefined || report.status !== 'computed') return { ...inP1, comment: whyNot(report) }
  if (hasImpossiblePairs(report)) return { ...inP1, comment: TOO_NEAR }
  if (!areAlike(crystal, report)) return { ...inP1, comment: MORE_THAN_PLACES }
  return {
    lattice: report.conventionalCell.lattice,
    comment: commentOn(report, crystal.sites.length),
    group: groupItems(setting),
    atoms: asymmetricUnit(crystal, report),
  }
}

/** The setting that the standard cell is in; none where nothing is to be said of symmetry. */
function settingOf(report: SymmetryReport): SpaceGroupSetting | undefined {
  return report.status === 'computed' && report.number > 1 ? SPACE_GROUP_SETTINGS[report.hallNumber - 1] : undefined
}

const TOO_NEAR =
  'P 1: two atoms are so near that programs would take them for one on a special position if symmetry made them.'

function hasImpossiblePairs({ conventionalCell: { lattice, sites } }: FoundSymmetry): boolean {
  const fractions = sites.map(({ fraction }) => fraction)
  for (const { distance } of nearPairs(lattice, PERIODIC, fractions, IMPOSSIBLE_ANGSTROM)) {
    // Species of one site are no pair of atoms.
    if (distance > ONE_SITE_ANGSTROM) return true
  }
  return false
}

const MORE_THAN_PLACES =
  'P 1: atoms that symmetry takes to each other differ in their disorder groups, charges, isotopes or moments.'

/** Tells whether all atoms of each orbit say the same beside their places. */
function areAlike(crystal: Crystal, report: FoundSymmetry): boolean {
  const said = ({ disorder, oxidationState, isotope, moment }: CrystalSite): string =>
    JSON.stringify([disorder?.assembly, disorder?.group, oxidationState, isotope, moment])
  return orbitsOf(report).every(({ sites }) => {
    const first = said(itemAt(crystal.sites, itemAt(sites, 0)))
    return sites.every((index) => said(itemAt(crystal.sites, index)) === first)
  })
}

function whyNot(report: SymmetryReport): string {
  const why =
    report.status === 'computed'
      ? `no other symmetry was found within ${report.tolerance} Å`
      : `the symmetry was not computed: ${report.reason}`
  return oneLine(`P 1: ${why}.`, '')
}

function commentOn({ number, tolerance }: FoundSymmetry, sites: number): string {
  const other = sites === 1 ? 'the one atom' : `all ${sites} atoms`
  return `The standard cell of space group ${number}, found within ${tolerance} Å; written without symmetry, it has ${other} of the original cell.`
}

function cellItems(lattice: Matrix3): readonly string[] {
  const cell = parametersOf(lattice)
  return [
    ...(['a', 'b', 'c'] as const).map((edge) => `_cell_length_${edge} ${withoutNoise(cell[edge])}`),
    ...(['alpha', 'beta', 'gamma'] as const).map((angle) => `_cell_angle_${angle} ${withoutNoise(cell[angle])}`),
    `_cell_volume ${decimal(Number(vectorsVolume(lattice).toFixed(6)))}`,
  ]
}

/** The finder counts in parts of 1e-10: 5.4299999999 is 5.43. */
function withoutNoise(value: number): string {
  const rounded = Number(value.toFixed(9))
  return decimal(Math.abs(rounded - value) < 2e-10 ? rounded : value)
}

const P1: readonly string[] = [
  "_space_group_name_H-M_alt 'P 1'",
  '_space_group_IT_number 1',
  'loop_',
  '_space_group_symop_id',
  '_space_group_symop_operation_xyz',
  "1 'x, y, z'",
]

function groupItems(setting: SpaceGroupSetting): readonly string[] {
  return [
    `_space_group_name_H-M_alt ${quoteCif(nameOf(setting))}`,
    `_space_group_name_Hall ${quoteCif(setting.hallSymbol)}`,
    `_space_group_IT_number ${setting.number}`,
    'loop_',
    '_space_group_symop_id',
    '_space_group_symop_operation_xyz',
    ...operatorsOfSetting(setting).map(
      (operator, index) => `${index + 1} '${printOperator(operator).replaceAll(',', ', ')}'`,
    ),
  ]
}

/** With the mark of the origin or the axes, where there is a choice of these: `F d -3 m :1`. */
function nameOf({ fullSymbol, shortSymbol, number, choice }: SpaceGroupSetting): string {
  const isMonoclinic = number >= 3 && number <= 15
  const symbol = (isMonoclinic ? fullSymbol : shortSymbol).replaceAll('_', '')
  return /^[12HR]$/.test(choice) ? `${symbol} :${choice}` : symbol
}

/** One atom of each orbit. */
function asymmetricUnit(crystal: Crystal, report: FoundSymmetry): readonly string[] {
  const atoms = orbitsOf(report).map(({ coordinate, multiplicity, wyckoffLetter, sites }) => ({
    site: { ...itemAt(crystal.sites, itemAt(sites, 0)), fraction: coordinate },
    position: `${multiplicity} ${wyckoffLetter} `,
  }))
  return atomLoop(['_atom_site_symmetry_multiplicity', '_atom_site_Wyckoff_symbol'], atoms)
}

/** Moments by the labels of the list of atoms. */
function momentsOf({ lattice, sites }: Crystal): readonly string[] {
  const labelOf = labels()
  const labelled = sites.map((site) => [labelOf(site), site.moment] as const)
  return printMoments(
    lattice,
    labelled.flatMap(([label, moment]) => (moment === undefined ? [] : [[label, moment] as const])),
  )
}

/** Numbers the atoms of each element. */
function labels(): (site: CrystalSite) => string {
  const seen = new Map<string, number>()
  return ({ element }) => {
    const number = (seen.get(element) ?? 0) + 1
    seen.set(element, number)
    return `${element}${number}`
  }
}

/** A row of the list of atoms; `position` are the values of the tags that only some lists have. */
interface ListedSite {
  readonly site: CrystalSite
  readonly position: string
}

function atomLoop(positionTags: readonly string[], atoms: readonly ListedSite[]): readonly string[] {
  const columns = occupancyColumns(atoms.map(({ site }) => site))
  const labelOf = labels()
  const rows = atoms.map(({ site, position }) => {
    const place = site.fraction.map(decimal).join(' ')
    return `${typeSymbol(site)} ${labelOf(site)} ${position}${place} ${columns.valuesOf(site)}`
  })
  return [
    'loop_',
    '_atom_site_type_symbol',
    '_atom_site_label',
    ...positionTags,
    '_atom_site_fract_x',
    '_atom_site_fract_y',
    '_atom_site_fract_z',
    ...columns.tags,
    ...rows,
  ]
}

/** Quotes a text so that it ends where it should. */
function quoteCif(text: string): string {
  if (!/'(?=\s|$)/.test(text)) return `'${text}'`
  if (!/"(?=\s|$)/.test(text)) return `"${text}"`
  return `\n;${text}\n;`
}
