import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { completeCell, fractionsOf } from '../../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  type DisorderGroup,
  PERIODIC,
  type ReadOptions,
  type StructureWarning,
  toCartesian,
} from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Vector3 } from '../../linear-algebra.ts'
import { hasNonZero, type StructureFormat } from '../common/format.ts'
import { disordered, readShare } from '../common/species.ts'
import { SpeciesNames } from '../common/species-names.ts'
import { requireAtoms, requireFewAtoms } from '../common/text.ts'
import {
  asNumber,
  asVector,
  listField,
  objectField,
  parseJson,
  restOf,
  take,
  takeAll,
  takeWhole,
  textField,
  wrongField,
} from './json-fields.ts'
import { JsonSplitter, type JsonStructures } from './list-splitter.ts'
import { MAGNETIC_MOMENTS, OXIDATION_STATES, optimadeSites, VACANCY } from './optimade-species.ts'

/** A `structures` entry of the OPTIMADE API 1.x: a whole response, its data, or one entry. */
export const optimadeFormat: StructureFormat = {
  name: 'optimade',
  title: 'OPTIMADE structure',
  extensions: [],
  recognizes: (text) => /^\s*[[{]/.test(text) && /"cartesian_site_positions"\s*:/.test(text),
  splitter: (limits) => new JsonSplitter(limits, ENTRIES),
  parse: parseOptimade,
  print: printOptimade,
  writes: [
    'title',
    'moments',
    'crossMoments',
    'isotopes',
    'oxidationStates',
    'occupancies',
    'disorderGroups',
    'molecules',
    'directions',
  ],
}

/** OPTIMADE has no field for a title; a field of one's own begins with a prefix. */
const TITLE = '_quarry_name'

/** Reads one entry; species of several elements become as many entries of one site. */
export function parseOptimade(text: string, options: ReadOptions = {}): Crystal {
  const warnings: StructureWarning[] = []
  const entry = firstEntry(parseJson(text))
  const attributes = isJsonObject(ownField(entry, 'attributes')) ? objectField(entry, 'attributes', '') : entry
  takeAll(entry, ['type'])
  takeAll(attributes, DERIVED)
  const places = listField(attributes, 'cartesian_site_positions', '').map((place, index) =>
    asVector(place, `cartesian_site_positions[${index}]`),
  )
  const atSites = listField(attributes, 'species_at_sites', '')
  requireFewAtoms(places.length, options)
  if (places.length === 0)
    throw refusal(FORMAT_ERRORS.noStructure, 'The entry has no sites.', { path: 'cartesian_site_positions' })
  if (places.length !== atSites.length) {
    const message = `${places.length} positions but ${atSites.length} species_at_sites.`
    throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { path: 'species_at_sites' })
  }
  const names = new SpeciesNames('Use the symbol of an element, such as Si, or vacancy.')
  const species = readSpecies(attributes, names)
  const occupants = atSites.map((name, index) => {
    const found = typeof name === 'string' ? species.get(name) : undefined
    if (found === undefined) throw wrongField(`species_at_sites[${index}]`, name, 'the name of a listed species')
    if (found === VACANT)
      names.take(String(name), { element: null, sure: true }, { path: `species_at_sites[${index}]` })
    return found
  })
  const groupAt = readAssemblies(attributes, places.length)
  const moments = takeWhole(attributes, MAGNETIC_MOMENTS)
  warnings.push(...names.warnings, ...implicitAtoms(attributes))
  const vectors = readVectors(attributes, warnings)
  const lattice = completeCell(vectors, places)
  const fractions = fractionsOf(places, lattice)
  const periodic = vectors.map((vector) => vector !== undefined)
  const directions = takeWhole(attributes, 'dimension_types')
  const flags = isJsonArray(directions) ? directions.map((value) => value === 1) : PERIODIC
  const title =
    textField(attributes, TITLE) ??
    textField(attributes, 'chemical_formula_descriptive') ??
    textField(attributes, 'chemical_formula_reduced')
  return requireAtoms({
    title: title ?? '',
    lattice,
    periodic: [0, 1, 2].map((axis) => periodic[axis] === true && flags[axis] === true) as [boolean, boolean, boolean],
    sites: occupants.flatMap((species, index) => {
      const { probability = 1, ...group } = groupAt.get(index) ?? {}
      const moment =
        isJsonArray(moments) && hasNonZero(moments[index]) ? asVector(moments[index], MAGNETIC_MOMENTS) : undefined
      return species.map((one): CrystalSite => {
        const occurrence = readShare((one.occurrence ?? 1) * probability, `species_at_sites[${index}]`)
        const { occurrence: _share, ...named } = one
        return {
          ...named,
          fraction: fractions[index] as Vector3,
          ...(occurrence === undefined ? {} : { occurrence }),
          ...group,
          ...(moment === undefined ? {} : { moment }),
        }
      })
    }),
    warnings,
    rest: restOf(entry),
  })
}

/** What follows from sites, species and lattice. */
const DERIVED = [
  'elements',
  'nelements',
  'elements_ratios',
  'chemical_formula_reduced',
  'chemical_formula_hill',
  'chemical_formula_anonymous',
  'nperiodic_dimensions',
  'nsites',
  'structure_features',
]

/** Entries are the data of a response, or a list by themselves. */
const ENTRIES: JsonStructures = {
  isList: true,
  isStructure: (key) => (key === 'data' ? 'of-list' : false),
  alone: (text) => `{"data": [${text}]}`,
}

function firstEntry(document: Json): JsonObject {
  const data =
    isJsonObject(document) && ownField(document, 'data') !== undefined ? ownField(document, 'data') : document
  const [entry] = isJsonArray(data) ? data : [data]
  if (entry === undefined) throw refusal(FORMAT_ERRORS.noStructure, 'The response holds no structures.', {})
  if (isJsonObject(entry)) return entry
  throw wrongField('data', entry, 'an object')
}

interface GroupAt {
  readonly probability: number
  readonly disorder: DisorderGroup
}

/** The group that each site is in, and how probable it is. */
function readAssemblies(attributes: JsonObject, sites: number): ReadonlyMap<number, GroupAt> {
  const found = new Map<number, GroupAt>()
  const assemblies = take(attributes, 'assemblies')
  if (!isJsonArray(assemblies)) return found
  for (const [index, one] of assemblies.entries()) {
    const path = `assemblies[${index}]`
    if (!isJsonObject(one)) throw wrongField(path, one, 'an object')
    const groups = listField(one, 'sites_in_groups', `${path}.`)
    const probabilities = listField(one, 'group_probabilities', `${path}.`)
    if (groups.length !== probabilities.length) {
      throw wrongField(
        `${path}.group_probabilities`,
        probabilities.length,
        `one number for each of ${groups.length} groups`,
      )
    }
    const names = takeWhole(one, '_quarry_groups')
    const assembly = textField(one, '_quarry_assembly') ?? String(index + 1)
    for (const [group, members] of groups.entries()) {
      const probability = asNumber(probabilities[group], `${path}.group_probabilities[${group}]`)
      const name = isJsonArray(names) ? String(names[group]) : String(group + 1)
      for (const site of readSites(members, sites, `${path}.sites_in_groups[${group}]`)) {
        found.set(site, { probability, disorder: { assembly, group: name } })
      }
    }
  }
  return found
}

/** Atoms that the entry has and lists no sites for. */
function implicitAtoms(attributes: JsonObject): readonly StructureWarning[] {
  const features = ownField(attributes, 'structure_features')
  if (!isJsonArray(features) || !features.includes('implicit_atoms')) return []
  const message = 'The entry has atoms for which it lists no sites (implicit_atoms); they are left out.'
  return [{ code: 'atom-without-place', message }]
}

function readSites(members: Json | undefined, count: number, path: string): readonly number[] {
  if (!isJsonArray(members)) throw wrongField(path, members, 'a list of sites')
  return members.map((site) => {
    if (typeof site === 'number' && Number.isInteger(site) && site >= 0 && site < count) return site
    throw wrongField(path, site, `the index of one of ${count} sites`)
  })
}

type Occupant = Omit<CrystalSite, 'fraction'>

/** Occupants of a site that nothing is on; those of a site whose names are no atoms have been told. */
const VACANT: readonly Occupant[] = []

/** Occupants of the sites of each species; vacancies are left out. */
function readSpecies(attributes: JsonObject, names: SpeciesNames): ReadonlyMap<string, readonly Occupant[]> {
  const found = new Map<string, readonly Occupant[]>()
  const listed = take(attributes, 'species')
  if (!isJsonArray(listed)) {
    // Entries may leave the list out when names are symbols; then the names themselves are what there is.
    for (const name of listField(attributes, 'species_at_sites', '')) {
      if (typeof name !== 'string') continue
      const species = names.ofType(name, { path: 'species_at_sites' })
      found.set(name, species === null ? [] : [species])
    }
    return found
  }
  for (const [index, one] of listed.entries()) {
    const path = `species[${index}]`
    if (!isJsonObject(one)) throw wrongField(path, one, 'an object')
    const name = textField(one, 'name')
    if (name === undefined) throw wrongField(`${path}.name`, undefined, 'a text')
    if (isJsonArray(ownField(one, 'attached'))) {
      const message = `${path} has atoms attached that have no places: ${JSON.stringify(one).slice(0, 120)}.`
      const hint = 'Give every atom a site.'
      throw disordered(message, { path, hint })
    }
    found.set(name, readOccupants(one, path, names))
  }
  return found
}

function readOccupants(species: JsonObject, path: string, names: SpeciesNames): readonly Occupant[] {
  const listNamed = (name: string): readonly Json[] => {
    const value = takeWhole(species, name)
    return isJsonArray(value) ? value : value === undefined || value === null ? [] : [value]
  }
  const symbols = listField(species, 'chemical_symbols', `${path}.`)
  const [shares, masses, states] = ['concentration', 'mass', OXIDATION_STATES].map(listNamed)
  if (symbols.every((symbol) => symbol === VACANCY)) return VACANT
  return symbols.flatMap((given, index) => {
    const symbol = String(given)
    const share = asNumber(shares?.[index] ?? 1, `${path}.concentration[${index}]`)
    if (symbol === VACANCY || share === 0) return []
    const named = names.withMass(names.ofType(symbol, { path: `${path}.chemical_symbols[${index}]` }), masses?.[index])
    if (named === null) return []
    const occurrence = readShare(share, `${path}.concentration[${index}]`)
    const state = states?.[index]
    return [
      {
        ...named,
        ...(occurrence === undefined ? {} : { occurrence }),
        ...(typeof state === 'number' && state !== 0 ? { oxidationState: state } : {}),
      },
    ]
  })
}

function readVectors(attributes: JsonObject, warnings: StructureWarning[]): readonly (Vector3 | undefined)[] {
  const value = takeWhole(attributes, 'lattice_vectors')
  const rows = isJsonArray(value) ? value : []
  const vectors = [0, 1, 2].map((axis) => {
    const row = rows[axis]
    const empty =
      row === undefined || row === null || (isJsonArray(row) && row.every((component) => component === null))
    return empty ? undefined : asVector(row, `lattice_vectors[${axis}]`)
  })
  if (vectors.includes(undefined)) {
    const message = 'Lattice vectors that are missing are made up, with space around the atoms.'
    warnings.push({ code: 'no-lattice', message })
  }
  return vectors
}

/** Writes the attributes that fix the structure, as one entry. */
export function printOptimade(crystal: Crystal): string {
  const { fractions, speciesAtSites, species, assemblies, features, moments } = optimadeSites(crystal)
  const elements = [...new Set(crystal.sites.map((site) => site.element))]
  const attributes = {
    ...(crystal.title === '' ? {} : { [TITLE]: crystal.title }),
    elements: [...elements].sort(),
    nelements: elements.length,
    dimension_types: crystal.periodic.map(Number),
    nperiodic_dimensions: crystal.periodic.filter(Boolean).length,
    lattice_vectors: crystal.lattice.map((row, axis) => (crystal.periodic[axis] ? row : [null, null, null])),
    cartesian_site_positions: toCartesian(fractions, crystal.lattice),
    nsites: fractions.length,
    species_at_sites: speciesAtSites,
    species,
    ...(assemblies.length === 0 ? {} : { assemblies }),
    ...(moments === undefined ? {} : { [MAGNETIC_MOMENTS]: moments }),
    structure_features: features,
  }
  return `${JSON.stringify({ type: 'structures', id: 'structure', attributes })}\n`
}
