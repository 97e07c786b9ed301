import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { completeCell, fractionsOf } from '../../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  PERIODIC,
  type ReadOptions,
  type StructureWarning,
  toCartesian,
} from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Vector3 } from '../../linear-algebra.ts'
import { DroppedQuantities } from '../common/dropped-quantities.ts'
import { chooseFrame, type StructureFormat } from '../common/format.ts'
import { disordered, isWhole, requireElement } from '../common/species.ts'
import { requireFewAtoms } from '../common/text.ts'
import { asNumber, asVector, listField, parseJson, textField, wrongField } from './json-fields.ts'

/** A `structures` entry of the OPTIMADE API 1.x: a whole response, its data, or one entry. */
export const optimadeFormat: StructureFormat = {
  name: 'optimade',
  title: 'OPTIMADE structure',
  extensions: [],
  recognizes: (text) => /^\s*[[{]/.test(text) && /"cartesian_site_positions"\s*:/.test(text),
  hasFrames: true,
  parse: parseOptimade,
  print: printOptimade,
  hasDirections: true,
}

/** OPTIMADE has no field for a title; a field of one's own begins with a prefix. */
const TITLE = '_quarry_name'

/** Reads one entry; refuses entries whose sites are shared or empty. */
export function parseOptimade(text: string, options: ReadOptions = {}): Crystal {
  const warnings: StructureWarning[] = []
  const entry = chooseEntry(parseJson(text), options, warnings)
  const inner = ownField(entry, 'attributes')
  const attributes = isJsonObject(inner) ? inner : entry
  const places = listField(attributes, 'cartesian_site_positions', '').map((place, index) =>
    asVector(place, `cartesian_site_positions[${index}]`),
  )
  const names = listField(attributes, 'species_at_sites', '')
  requireFewAtoms(places.length, options)
  if (places.length === 0)
    throw refusal(FORMAT_ERRORS.noStructure, 'The entry has no sites.', { path: 'cartesian_site_positions' })
  if (places.length !== names.length) {
    throw refusal(
      FORMAT_ERRORS.inconsistentCounts,
      `${places.length} positions but ${names.length} species_at_sites.`,
      {
        path: 'species_at_sites',
      },
    )
  }
  refuseAssemblies(attributes)
  const dropped = new DroppedQuantities()
  const species = readSpecies(attributes, dropped)
  const elements = names.map((name, index) => {
    const element = typeof name === 'string' ? species.get(name) : undefined
    if (element === undefined) throw wrongField(`species_at_sites[${index}]`, name, 'the name of a listed species')
    return element
  })
  warnings.push(...dropped.warnings, ...implicitAtoms(attributes))
  const vectors = readVectors(attributes, warnings)
  const lattice = completeCell(vectors, places)
  const fractions = fractionsOf(places, lattice)
  const periodic = vectors.map((vector) => vector !== undefined)
  const directions = ownField(attributes, 'dimension_types')
  const flags = isJsonArray(directions) ? directions.map((value) => value === 1) : PERIODIC
  const title =
    textField(attributes, TITLE) ??
    textField(attributes, 'chemical_formula_descriptive') ??
    textField(attributes, 'chemical_formula_reduced')
  return {
    title: title ?? '',
    lattice,
    periodic: [0, 1, 2].map((axis) => periodic[axis] === true && flags[axis] === true) as [boolean, boolean, boolean],
    sites: elements.map((element, index): CrystalSite => ({ element, fraction: fractions[index] as Vector3 })),
    warnings,
  }
}

function chooseEntry(document: Json, options: ReadOptions, warnings: StructureWarning[]): JsonObject {
  const data =
    isJsonObject(document) && ownField(document, 'data') !== undefined ? ownField(document, 'data') : document
  const entries = isJsonArray(data) ? data : [data]
  if (entries.length === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The response holds no structures.', {})
  const entry = entries[chooseFrame(entries.length, options, warnings)]
  if (isJsonObject(entry)) return entry
  throw wrongField('data', entry, 'an object')
}

/** The element of each species; a species of several symbols, or with a vacancy, is disorder. */
/** Groups of sites that exclude each other. */
function refuseAssemblies(attributes: JsonObject): void {
  const assemblies = ownField(attributes, 'assemblies')
  if (!isJsonArray(assemblies) || assemblies.length === 0) return
  throw disordered('assemblies name groups of sites that exclude each other.', { path: 'assemblies' })
}

/** Atoms that the entry has and lists no sites for. */
function implicitAtoms(attributes: JsonObject): readonly StructureWarning[] {
  const features = ownField(attributes, 'structure_features')
  if (!isJsonArray(features) || !features.includes('implicit_atoms')) return []
  const message = 'The entry has atoms for which it lists no sites (implicit_atoms); they are left out.'
  return [{ code: 'atom-without-place', message }]
}

function readSpecies(attributes: JsonObject, dropped: DroppedQuantities): ReadonlyMap<string, string> {
  const elements = new Map<string, string>()
  const listed = ownField(attributes, 'species')
  if (!isJsonArray(listed)) {
    // Entries may leave the list out when names are symbols; then the names themselves are what there is.
    for (const name of listField(attributes, 'species_at_sites', '')) {
      if (typeof name === 'string')
        elements.set(name, requireElement(name, 'species_at_sites', { path: 'species_at_sites' }))
    }
    return elements
  }
  for (const [index, one] of listed.entries()) {
    const path = `species[${index}]`
    if (!isJsonObject(one)) throw wrongField(path, one, 'an object')
    const symbols = listField(one, 'chemical_symbols', `${path}.`)
    const shares = ownField(one, 'concentration')
    const share = isJsonArray(shares) ? asNumber(shares[0], `${path}.concentration[0]`) : 1
    const masses = ownField(one, 'mass')
    const mass = isJsonArray(masses) ? masses[0] : masses
    if (symbols.length !== 1 || symbols[0] === 'vacancy' || !isWhole(share) || isJsonArray(ownField(one, 'attached'))) {
      throw disordered(`${path} is no whole single atom: ${JSON.stringify(one).slice(0, 120)}.`, { path })
    }
    const name = textField(one, 'name')
    if (name === undefined) throw wrongField(`${path}.name`, undefined, 'a text')
    const symbol = String(symbols[0])
    const element = requireElement(symbol, `${path}.chemical_symbols[0]`, { path })
    dropped.noteType(symbol, element)
    if (typeof mass === 'number') dropped.noteMass(element, mass)
    elements.set(name, element)
  }
  return elements
}

function readVectors(attributes: JsonObject, warnings: StructureWarning[]): readonly (Vector3 | undefined)[] {
  const value = ownField(attributes, 'lattice_vectors')
  const rows = isJsonArray(value) ? value : []
  const vectors = [0, 1, 2].map((axis) => {
    const row = rows[axis]
    const empty =
      row === undefined || row === null || (isJsonArray(row) && row.every((component) => component === null))
    return empty ? undefined : asVector(row, `lattice_vectors[${axis}]`)
  })
  if (vectors.includes(undefined)) {
    warnings.push({
      code: 'no-lattice',
      message: 'Lattice vectors that are missing are made up, with space around the atoms.',
    })
  }
  return vectors
}

/** Writes the attributes that fix the structure, as one entry. */
export function printOptimade(crystal: Crystal): string {
  const places = toCartesian(
    crystal.sites.map((site) => site.fraction),
    crystal.lattice,
  )
  const elements = [...new Set(crystal.sites.map((site) => site.element))]
  const attributes = {
    ...(crystal.title === '' ? {} : { [TITLE]: crystal.title }),
    elements: [...elements].sort(),
    nelements: elements.length,
    dimension_types: crystal.periodic.map(Number),
    nperiodic_dimensions: crystal.periodic.filter(Boolean).length,
    lattice_vectors: crystal.lattice.map((row, axis) => (crystal.periodic[axis] ? row : [null, null, null])),
    cartesian_site_positions: places,
    nsites: places.length,
    species_at_sites: crystal.sites.map((site) => site.element),
    species: elements.map((element) => ({ name: element, chemical_symbols: [element], concentration: [1] })),
    structure_features: [],
  }
  return `${JSON.stringify({ type: 'structures', id: 'structure', attributes })}\n`
}
