import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { completeCell, fractionsOf, parametersOf, requireCell, vectorsFromParameters } from '../../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  isMolecule,
  NOT_PERIODIC,
  PERIODIC,
  type ReadOptions,
  type StructureWarning,
  toCartesian,
} from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { itemAt, type Matrix3, type Vector3 } from '../../linear-algebra.ts'
import { sitesWithSpecies } from '../../near-pairs.ts'
import type { StructureFormat } from '../common/format.ts'
import { readShare } from '../common/species.ts'
import { SpeciesNames } from '../common/species-names.ts'
import { requireAtoms, requireFewAtoms } from '../common/text.ts'
import { ENTRIES, readEntry } from './entries.ts'
import {
  asFlags,
  asMatrix,
  asNumber,
  asVector,
  listField,
  objectField,
  restOf,
  take,
  takeAll,
  takeWhole,
  textField,
  wrongField,
} from './json-fields.ts'
import { JsonSplitter } from './list-splitter.ts'
import { readMoment, readSpin } from './pymatgen-moments.ts'

/** `Structure` and `Molecule` of pymatgen as `as_dict` writes them. */
export const pymatgenFormat: StructureFormat = {
  name: 'pymatgen',
  title: 'pymatgen JSON',
  extensions: [],
  recognizes: (text) =>
    /^\s*[[{]/.test(text) && /"sites"\s*:/.test(text) && /"species"\s*:/.test(text) && /"xyz"\s*:|"abc"\s*:/.test(text),
  splitter: (limits) => new JsonSplitter(limits, ENTRIES),
  parse: parsePymatgen,
  print: printPymatgen,
  writes: [
    'title',
    'moments',
    'crossMoments',
    'isotopes',
    'oxidationStates',
    'fixedAtoms',
    'fixedDirections',
    'occupancies',
    'disorderGroups',
    'molecules',
    'directions',
  ],
}

/** Reads a structure, also one that an entry (`ComputedStructureEntry`) or a document of the Materials Project carries under `structure`. */
export function parsePymatgen(text: string, options: ReadOptions = {}): Crystal {
  const document = readEntry(text, hasSites)
  const structure = isJsonObject(ownField(document, 'structure')) ? objectField(document, 'structure', '') : document
  for (const owner of [structure, document]) takeAll(owner, MARKS)
  const sites = listField(structure, 'sites', '')
  requireFewAtoms(sites.length, options)
  if (sites.length === 0) throw refusal(FORMAT_ERRORS.noStructure, 'sites is empty.', { path: 'sites' })
  const names = new SpeciesNames('Use the symbol of an element, such as Si.')
  const read = sites.flatMap((site, index) => readSite(site, `sites[${index}]`, names))
  const lattice = ownField(structure, 'lattice') === undefined ? undefined : objectField(structure, 'lattice', '')
  const cell = lattice === undefined ? undefined : readLattice(lattice)
  const box =
    cell ??
    completeCell(
      [],
      read.map((site) => site.xyz ?? [0, 0, 0]),
    )
  const fractions = read.map(({ abc, xyz, path }) => {
    if (cell !== undefined && abc !== undefined) return abc
    if (xyz === undefined) throw wrongField(`${path}.xyz`, undefined, 'three coordinates in ångström')
    return fractionsOf([xyz], box)[0] as Vector3
  })
  return requireAtoms({
    title: textField(document, 'name') ?? '',
    lattice: box,
    periodic: lattice === undefined ? NOT_PERIODIC : asFlags(takeWhole(lattice, 'pbc'), PERIODIC),
    sites: read.map(({ site }, index) => ({ ...site, fraction: fractions[index] as Vector3 })),
    warnings: [...(cell === undefined ? [NO_LATTICE] : []), ...names.warnings],
    rest: restOf(document),
  })
}

/** Tells a structure, and an entry or document that has one. */
function hasSites(entry: JsonObject): boolean {
  const inner = ownField(entry, 'structure')
  return ownField(entry, 'sites') !== undefined || (isJsonObject(inner) && ownField(inner, 'sites') !== undefined)
}

/** What pymatgen writes to know its own objects by. */
const MARKS = ['@module', '@class', '@version']

const NO_LATTICE: StructureWarning = {
  code: 'no-lattice',
  message: 'There is no lattice: the molecule is put in a box.',
}

function readLattice(lattice: JsonObject): Matrix3 {
  takeAll(lattice, [...MARKS, 'a', 'b', 'c', 'alpha', 'beta', 'gamma', 'volume'])
  if (ownField(lattice, 'matrix') !== undefined)
    return requireCell(asMatrix(takeWhole(lattice, 'matrix'), 'lattice.matrix'))
  const number = (key: string): number => asNumber(ownField(lattice, key), `lattice.${key}`)
  return vectorsFromParameters({
    a: number('a'),
    b: number('b'),
    c: number('c'),
    alpha: number('alpha'),
    beta: number('beta'),
    gamma: number('gamma'),
  })
}

interface SiteReading {
  readonly site: Omit<CrystalSite, 'fraction'>
  readonly abc: Vector3 | undefined
  readonly xyz: Vector3 | undefined
  readonly path: string
}

/** One reading for each species of the site. */
function readSite(value: Json, path: string, names: SpeciesNames): readonly SiteReading[] {
  if (!isJsonObject(value)) throw wrongField(path, value, 'an object')
  takeAll(value, MARKS)
  const [abc, xyz] = [takeWhole(value, 'abc'), takeWhole(value, 'xyz')]
  const properties = objectOf(take(value, 'properties'))
  const flags = takeWhole(properties, 'selective_dynamics')
  const label = labelOf(value)
  const moment = readMoment(properties)
  const group = textField(properties, 'disorder_group') ?? ''
  const ofSite = {
    ...(label === undefined ? {} : { label }),
    ...(isJsonArray(flags) && flags.includes(false) ? { movable: asFlags(flags, [true, true, true]) } : {}),
    ...(moment === undefined ? {} : { moment }),
    ...(group === '' ? {} : { disorder: { assembly: textField(properties, 'disorder_assembly') ?? '', group } }),
  }
  const isotopes = takeWhole(properties, 'isotopes')
  const place = {
    abc: abc === undefined ? undefined : asVector(abc, `${path}.abc`),
    xyz: xyz === undefined ? undefined : asVector(xyz, `${path}.xyz`),
    path,
  }
  return listField(value, 'species', `${path}.`).flatMap((one, index) => {
    const isotope = isJsonArray(isotopes) ? isotopes[index] : undefined
    const species = readSpecies(one, { path: `${path}.species[${index}]`, names, hasMoment: moment !== undefined })
    if (species === null) return []
    return [{ ...place, site: { ...ofSite, ...species, ...(typeof isotope === 'number' ? { isotope } : {}) } }]
  })
}

/** The label of a site; one that says more than an element, its number, its charge or its shares stays in the rest too. */
function labelOf(site: JsonObject): string | undefined {
  const label = ownField(site, 'label')
  if (typeof label !== 'string' || !/^[A-Z][a-z]?[\d.+-]*$|:/.test(label))
    return typeof label === 'string' ? label : undefined
  return textField(site, 'label')
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

type SpeciesOnSite = Pick<CrystalSite, 'element' | 'occurrence' | 'oxidationState' | 'isotope' | 'moment'>

interface SpeciesContext {
  readonly path: string
  readonly names: SpeciesNames
  /** Whether the site says its moment, beside which that of the species stays in the rest. */
  readonly hasMoment: boolean
}

function readSpecies(value: Json, { path, names, hasMoment }: SpeciesContext): SpeciesOnSite | null {
  const name = isJsonObject(value) ? textField(value, 'element') : undefined
  if (name === undefined || !isJsonObject(value)) throw wrongField(`${path}.element`, value, 'the symbol of an element')
  const occurrence = readShare(takeWhole(value, 'occu'), `${path}.occu`)
  const state = takeWhole(value, 'oxidation_state')
  // Older files of pymatgen have the spin of a species among its properties.
  const moment = hasMoment ? undefined : (readSpin(value) ?? readSpin(objectOf(take(value, 'properties'))))
  const species = names.ofType(name, { path })
  if (species === null) return null
  return {
    ...species,
    ...(occurrence === undefined ? {} : { occurrence }),
    ...(typeof state === 'number' && state !== 0 ? { oxidationState: state } : {}),
    ...(moment === undefined ? {} : { moment }),
  }
}

/** Writes what `Structure.from_dict` or `Molecule.from_dict` reads. */
export function printPymatgen(crystal: Crystal): string {
  const places = toCartesian(
    crystal.sites.map((site) => site.fraction),
    crystal.lattice,
  )
  const molecule = isMolecule(crystal)
  const selective = crystal.sites.some((site) => site.movable !== undefined)
  const magnetic = crystal.sites.some((site) => site.moment !== undefined)
  const grouped = crystal.sites.some((site) => site.disorder !== undefined)
  const isNamed = ({ isotope }: CrystalSite): boolean => isotope === undefined
  const sites = sitesWithSpecies(crystal, isNamed).map((members) => {
    const [first] = members
    const site = itemAt(crystal.sites, first ?? 0)
    const isotope = namedIsotope(site) === undefined ? site.isotope : undefined
    return {
      species: members.map((index) => printSpecies(itemAt(crystal.sites, index))),
      ...(molecule ? {} : { abc: site.fraction }),
      xyz: places[first ?? 0],
      label: site.label ?? site.element,
      properties: {
        ...(selective ? { selective_dynamics: site.movable ?? [true, true, true] } : {}),
        ...(magnetic ? { magmom: site.moment ?? [0, 0, 0] } : {}),
        ...(grouped
          ? { disorder_assembly: site.disorder?.assembly ?? null, disorder_group: site.disorder?.group ?? null }
          : {}),
        ...(isotope === undefined ? {} : { isotopes: [isotope] }),
      },
    }
  })
  const head = {
    '@module': 'pymatgen.core.structure',
    '@class': molecule ? 'Molecule' : 'Structure',
    ...(crystal.title === '' ? {} : { name: crystal.title }),
    charge: 0,
  }
  if (molecule) return `${JSON.stringify({ ...head, spin_multiplicity: null, sites })}\n`
  const lattice = { matrix: crystal.lattice, pbc: crystal.periodic, ...parametersOf(crystal.lattice) }
  return `${JSON.stringify({ ...head, lattice, sites })}\n`
}

const HYDROGEN_NAMES: Readonly<Record<number, string>> = { 2: 'D', 3: 'T' }

function namedIsotope({ element, isotope = 0 }: CrystalSite): string | undefined {
  return element === 'H' ? HYDROGEN_NAMES[isotope] : undefined
}

function printSpecies(site: CrystalSite): object {
  const { element, occurrence = 1, oxidationState } = site
  return {
    element: namedIsotope(site) ?? element,
    occu: occurrence,
    ...(oxidationState === undefined ? {} : { oxidation_state: oxidationState }),
  }
}
