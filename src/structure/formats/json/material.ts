import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { parametersOf, requireCell, tidy, vectorsFromParameters } from '../../cell.ts'
import {
  type Crystal,
  type CrystalSite,
  isMolecule,
  type ReadOptions,
  type Rest,
  repeatsInPart,
  rightHanded,
} from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { countAtoms, reducedFormula } from '../../formula.ts'
import type { LatticeType } from '../../lattice.ts'
import type { Matrix3, Vector3 } from '../../linear-algebra.ts'
import { latticeTypeOfVectors } from '../../symmetry/lattice-type.ts'
import type { StructureFormat } from '../common/format.ts'
import { ALL_QUANTITIES } from '../common/quantities.ts'
import { elementNamed } from '../common/species.ts'
import { requireFewAtoms, shorten } from '../common/text.ts'
import {
  asFlags,
  asNumber,
  asVector,
  listField,
  objectField,
  parseJson,
  restOf,
  takeAll,
  textField,
  wrongField,
} from './json-fields.ts'
import { directionsOf, partialSites, printOccupancies, readOccupancies, statedDirections } from './material-extras.ts'
import { basisFractions, haveCell, isCartesian, readCell, readVectors } from './material-lattice.ts'

/** The record of a material itself, as this API and the clients of its wire format write it. */
export const materialFormat: StructureFormat = {
  name: 'material',
  title: 'Material JSON (ESSE)',
  extensions: ['json'],
  recognizes: (text) => /^\s*\{/.test(text) && /"basis"\s*:/.test(text) && /"lattice"\s*:/.test(text),
  parse: (text, options) => {
    const document = parseJson(text)
    if (isJsonObject(document)) return { ...materialToCrystal(document, options), rest: restOfMaterial(document) }
    throw wrongField('The document', document, 'an object')
  },
  print: (crystal) => `${JSON.stringify(crystalToMaterial(crystal))}\n`,
  writes: ALL_QUANTITIES,
}

const STRUCTURE_FIELDS = ['name', 'isNonPeriodic', 'periodicDirections', 'pbc', 'dimension_types', 'icsdId']
/** What a record says of its structure, and follows from it. */
const COMPUTED_FIELDS = (
  'formula unitCellFormula formulaReduced formulaHill formulaAnonymous anonymousFormula chemicalSystem elements nElements ' +
  'nSites hash scaledHash volume density volumePerAtom fingerprint prototype spaceGroup symmetry derivedProperties ' +
  'consistencyChecks slug schemaVersion exabyteId src'
).split(' ')
const BASIS_LISTS = ['coordinates', 'labels', 'constraints', 'disorder', 'magneticMoments', 'units', 'name', 'cell']
const ELEMENT_FIELDS = ['id', 'value', 'occurrence', 'oxidationState', 'isotope']

function restOfMaterial(document: JsonObject): Rest {
  takeAll(document, [...STRUCTURE_FIELDS, ...COMPUTED_FIELDS, 'lattice'])
  const basis = objectField(document, 'basis', '')
  takeAll(basis, BASIS_LISTS)
  for (const entry of listField(basis, 'elements', 'basis.')) if (isJsonObject(entry)) takeAll(entry, ELEMENT_FIELDS)
  return restOf(document)
}

/** Facts that a caller may know better. */
export interface MaterialNaming {
  readonly name?: string
  /** The Bravais type when symmetry has been found; else the vectors decide. */
  readonly latticeType?: LatticeType
}

/** The fields of a material that describe its structure; left-handed axes are reversed, because lengths and angles are kept. */
export function crystalToMaterial(given: Crystal, naming: MaterialNaming = {}): JsonObject {
  const crystal = rightHanded(given)
  const [a, b, c] = crystal.lattice.map((row) => row.map(tidy)) as [number[], number[], number[]]
  const { sites } = crystal
  const tagged = sites.flatMap((site, id) => (site.speciesTag === undefined ? [] : [{ id, value: site.speciesTag }]))
  const constrained = sites.flatMap((site, id) =>
    site.movable === undefined ? [] : [{ id, value: [...site.movable] }],
  )
  const formula = reducedFormula(countAtoms(sites))
  const { ofElements, lists } = printOccupancies(sites)
  return {
    name: naming.name ?? (crystal.title === '' ? formula : crystal.title),
    basis: {
      elements: sites.map((site, id) => ({ id, value: site.element, ...ofElements[id] })),
      coordinates: sites.map((site, id) => ({ id, value: [...site.fraction] })),
      units: 'crystal',
      ...(tagged.length === 0 ? {} : { labels: tagged }),
      ...(constrained.length === 0 ? {} : { constraints: constrained }),
      ...lists,
    },
    lattice: {
      type: naming.latticeType ?? latticeTypeOfVectors(crystal.lattice),
      ...parametersOf(crystal.lattice),
      units: { length: 'angstrom', angle: 'degree' },
      vectors: { a, b, c, alat: 1, units: 'angstrom' },
    },
    isNonPeriodic: isMolecule(crystal),
    ...(repeatsInPart(crystal) ? { periodicDirections: [...crystal.periodic] } : {}),
    ...(crystal.icsdId === undefined ? {} : { icsdId: crystal.icsdId }),
  }
}

/** Reads the structure of a material; given vectors are used when they agree with lengths and angles, and say more than these. */
export function materialToCrystal(material: JsonObject, options: ReadOptions = {}): Crystal {
  const [ofLattice, basis] = [objectField(material, 'lattice', ''), objectField(material, 'basis', '')]
  requireUnits(basis, ofLattice)
  const lattice = readLattice(ofLattice, isCartesian(basis))
  const elements = valuesById(basis, 'elements')
  const coordinates = valuesById(basis, 'coordinates')
  requireFewAtoms(elements.size, options)
  if (elements.size === 0)
    throw refusal(FORMAT_ERRORS.noStructure, 'basis.elements is empty.', { path: 'basis.elements' })
  if (elements.size !== coordinates.size || [...elements.keys()].some((id) => !coordinates.has(id))) {
    throw refusal(FORMAT_ERRORS.inconsistentCounts, 'basis.elements and basis.coordinates do not have the same ids.', {
      path: 'basis.coordinates',
    })
  }
  const labels = ownField(basis, 'labels') === undefined ? new Map<string, Json>() : valuesById(basis, 'labels')
  const constraints =
    ownField(basis, 'constraints') === undefined ? new Map<string, Json>() : valuesById(basis, 'constraints')
  refusePartialSites(basis)
  const occupancies = readOccupancies(basis)
  const ids = [...elements.keys()]
  const places = ids.map((id) => asVector(coordinates.get(id), `basis.coordinates (id ${id})`))
  const fractions = basisFractions(places, lattice, { basis, lattice: ofLattice })
  const sites = ids.map((id, index): CrystalSite => {
    const [tag, constraint] = [labels.get(id), constraints.get(id)]
    const movable = isJsonArray(constraint) ? asFlags(constraint, [true, true, true]) : undefined
    return {
      element: readElement(elements.get(id), id),
      fraction: fractions[index] as Vector3,
      ...occupancies.get(id),
      ...(typeof tag === 'number' ? { speciesTag: tag } : {}),
      ...(movable === undefined || !movable.includes(false) ? {} : { movable }),
    }
  })
  const icsd = ownField(material, 'icsdId')
  return {
    title: textField(material, 'name') ?? '',
    lattice,
    periodic: statedDirections(material)?.periodic ?? directionsOf(material),
    sites,
    warnings: [],
    ...(typeof icsd === 'number' ? { icsdId: icsd } : {}),
  }
}

function refusePartialSites(basis: JsonObject): void {
  const [first] = partialSites(basis)
  if (first === undefined) return
  const { path, share } = first
  const message = `${path} is ${shorten(JSON.stringify(share))}, which is not read: shares of atoms go by another name.`
  const hint = 'Write it as basis.elements[].occurrence, greater than 0 and at most 1.'
  throw refusal(FORMAT_ERRORS.disordered, message, { path, hint })
}

/** Lists such as `[{"id": 0, "value": "Si"}]`, in the order of the list. */
function valuesById(basis: JsonObject, key: string): Map<string, Json> {
  const values = new Map<string, Json>()
  for (const [index, entry] of listField(basis, key, 'basis.').entries()) {
    const id = isJsonObject(entry) ? ownField(entry, 'id') : undefined
    const value = isJsonObject(entry) ? ownField(entry, 'value') : undefined
    if (id === undefined || value === undefined || values.has(String(id))) {
      throw wrongField(`basis.${key}[${index}]`, entry, 'an object with a value and an id of its own')
    }
    values.set(String(id), value)
  }
  return values
}

function readElement(value: Json | undefined, id: string): string {
  const element = typeof value === 'string' ? elementNamed(value) : undefined
  if (element !== undefined) return element
  const message = `basis.elements (id ${id}) is ${shorten(JSON.stringify(value))}, no element.`
  throw refusal(FORMAT_ERRORS.unknownSpecies, message, { path: 'basis.elements' })
}

/** Vectors of a material have six decimals. */
const ROUNDING = 6e-7

/** Refuses units that no material has: what is in nanometres would be read as ångström. */
function requireUnits(basis: JsonObject, lattice: JsonObject): void {
  const [units, vectors] = [ownField(lattice, 'units') ?? {}, ownField(lattice, 'vectors')]
  if (!isJsonObject(units)) throw wrongField('lattice.units', units, 'an object: {"length": "bohr"}')
  requireOneOf(units, 'lattice.units.length', ['angstrom', 'bohr'])
  requireOneOf(units, 'lattice.units.angle', ['degree', 'radian'])
  if (isJsonObject(vectors)) requireOneOf(vectors, 'lattice.vectors.units', ['angstrom', 'bohr'])
  requireOneOf(basis, 'basis.units', ['crystal', 'cartesian'])
}

function requireOneOf(owner: JsonObject, path: string, words: readonly string[]): void {
  const value = ownField(owner, path.slice(path.lastIndexOf('.') + 1)) ?? undefined
  if (value === undefined || words.includes(value as string)) return
  throw wrongField(path, value, `${words.map((word) => `"${word}"`).join(' or ')}, or left out`)
}

function readLattice(lattice: JsonObject, hasPlaces: boolean): Matrix3 {
  for (const key of ['a', 'b', 'c', 'alpha', 'beta', 'gamma']) asNumber(ownField(lattice, key), `lattice.${key}`)
  const cell = readCell(lattice)
  const derived = vectorsFromParameters(cell, { path: 'lattice' })
  const given = givenVectors(lattice)
  if (given === null) return derived
  if (haveCell(given, cell)) return isRounded(given, derived) ? derived : given
  if (!hasPlaces) return derived
  const message = 'lattice.vectors have other lengths and angles than the lattice, and Cartesian coordinates no frame.'
  throw refusal(FORMAT_ERRORS.impossibleCell, message, { path: 'lattice.vectors', hint: 'Leave one of the two out.' })
}

/** Tells whether vectors are those of the lengths and angles but for their decimals: then the latter say more. */
function isRounded(given: Matrix3, derived: Matrix3): boolean {
  return given.every((row, i) => row.every((value, j) => Math.abs(value - (derived[i]?.[j] ?? 0)) <= ROUNDING))
}

function givenVectors(lattice: JsonObject): Matrix3 | null {
  const vectors = ownField(lattice, 'vectors')
  if (!isJsonObject(vectors) || ownField(vectors, 'a') === undefined) return null
  for (const key of ['a', 'b', 'c']) asVector(ownField(vectors, key), `lattice.vectors.${key}`)
  const given = readVectors(lattice)
  return given === null ? null : requireCell(given, { path: 'lattice.vectors' })
}
