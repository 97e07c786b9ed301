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
import type { Matrix3, Vector3 } from '../../linear-algebra.ts'
import { DroppedQuantities, type DroppedQuantity, hasNonZero } from '../common/dropped-quantities.ts'
import type { StructureFormat } from '../common/format.ts'
import { disordered, isWhole, requireElement } from '../common/species.ts'
import { requireFewAtoms } from '../common/text.ts'
import {
  asFlags,
  asMatrix,
  asNumber,
  asVector,
  listField,
  objectField,
  parseJson,
  textField,
  wrongField,
} from './json-fields.ts'

/** `Structure` and `Molecule` of pymatgen as `as_dict` writes them. */
export const pymatgenFormat: StructureFormat = {
  name: 'pymatgen',
  title: 'pymatgen JSON',
  extensions: [],
  recognizes: (text) =>
    /^\s*\{/.test(text) && /"sites"\s*:/.test(text) && /"species"\s*:/.test(text) && /"xyz"\s*:|"abc"\s*:/.test(text),
  parse: parsePymatgen,
  print: printPymatgen,
  hasDirections: true,
}

/** Reads a structure, also one that an entry or a document of the Materials Project carries under `structure`. */
export function parsePymatgen(text: string, options: ReadOptions = {}): Crystal {
  const document = parseJson(text)
  if (!isJsonObject(document)) throw wrongField('The document', document, 'an object')
  const inner = ownField(document, 'structure')
  const structure = isJsonObject(inner) ? inner : document
  const sites = listField(structure, 'sites', '')
  requireFewAtoms(sites.length, options)
  if (sites.length === 0) throw refusal(FORMAT_ERRORS.noStructure, 'sites is empty.', { path: 'sites' })
  const dropped = new DroppedQuantities()
  if (hasNonZero(ownField(structure, 'charge'))) dropped.note('Charges', 'charge')
  const read = sites.map((site, index) => readSite(site, `sites[${index}]`, dropped))
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
  return {
    title: textField(document, 'name') ?? '',
    lattice: box,
    periodic: lattice === undefined ? NOT_PERIODIC : asFlags(ownField(lattice, 'pbc'), PERIODIC),
    sites: read.map(({ site }, index) => ({ ...site, fraction: fractions[index] as Vector3 })),
    warnings: [...(cell === undefined ? [NO_LATTICE] : []), ...dropped.warnings],
  }
}

const NO_LATTICE: StructureWarning = {
  code: 'no-lattice',
  message: 'There is no lattice: the molecule is put in a box.',
}

function readLattice(lattice: JsonObject): Matrix3 {
  if (ownField(lattice, 'matrix') !== undefined)
    return requireCell(asMatrix(ownField(lattice, 'matrix'), 'lattice.matrix'))
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

/** What a site has beside its place, by the names of pymatgen. */
const PROPERTIES: ReadonlyMap<string, DroppedQuantity> = new Map([
  ['magmom', 'Magnetic moments'],
  ['spin', 'Magnetic moments'],
  ['charge', 'Charges'],
])

function readSite(value: Json, path: string, dropped: DroppedQuantities): SiteReading {
  if (!isJsonObject(value)) throw wrongField(path, value, 'an object')
  const [abc, xyz] = [ownField(value, 'abc'), ownField(value, 'xyz')]
  const properties = ownField(value, 'properties')
  const flags = isJsonObject(properties) ? ownField(properties, 'selective_dynamics') : undefined
  noteProperties(properties, dropped)
  const label = textField(value, 'label')
  return {
    site: {
      element: readSpecies(value, path, dropped),
      ...(label === undefined ? {} : { label }),
      ...(isJsonArray(flags) && flags.includes(false) ? { movable: asFlags(flags, [true, true, true]) } : {}),
    },
    abc: abc === undefined ? undefined : asVector(abc, `${path}.abc`),
    xyz: xyz === undefined ? undefined : asVector(xyz, `${path}.xyz`),
    path,
  }
}

function noteProperties(properties: Json | undefined, dropped: DroppedQuantities): void {
  if (!isJsonObject(properties)) return
  for (const [name, value] of Object.entries(properties)) {
    const quantity = PROPERTIES.get(name)
    if (quantity === undefined) continue
    // A moment may be an object with its axis.
    const moment = isJsonObject(value) ? ownField(value, 'moment') : value
    if (hasNonZero(moment)) dropped.note(quantity, name)
  }
}

function readSpecies(site: JsonObject, path: string, dropped: DroppedQuantities): string {
  const species = listField(site, 'species', `${path}.`)
  const occupancies = species.map((one) =>
    isJsonObject(one) ? asNumber(ownField(one, 'occu') ?? 1, `${path}.species.occu`) : 1,
  )
  if (species.length !== 1 || !isWhole(occupancies[0])) {
    throw disordered(`${path} is disordered: ${JSON.stringify(species).slice(0, 120)}.`, { path })
  }
  const only = species[0]
  const name = isJsonObject(only) ? textField(only, 'element') : undefined
  if (name === undefined) throw wrongField(`${path}.species[0].element`, only, 'the symbol of an element')
  const element = requireElement(name, `${path}.species[0].element`, { path })
  dropped.noteType(name, element)
  if (isJsonObject(only)) {
    if (hasNonZero(ownField(only, 'oxidation_state'))) dropped.note('Oxidation states', 'oxidation_state')
    noteProperties(ownField(only, 'properties'), dropped)
  }
  return element
}

/** Writes what `Structure.from_dict` or `Molecule.from_dict` reads. */
export function printPymatgen(crystal: Crystal): string {
  const places = toCartesian(
    crystal.sites.map((site) => site.fraction),
    crystal.lattice,
  )
  const molecule = isMolecule(crystal)
  const selective = crystal.sites.some((site) => site.movable !== undefined)
  const sites = crystal.sites.map((site, index) => ({
    species: [{ element: site.element, occu: 1 }],
    ...(molecule ? {} : { abc: site.fraction }),
    xyz: places[index],
    label: site.label ?? site.element,
    properties: selective ? { selective_dynamics: site.movable ?? [true, true, true] } : {},
  }))
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
