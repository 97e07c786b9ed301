import { isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { describeDirections, type Site } from '../../../structure/crystal.ts'
import { ELEMENTS, isElementSymbol } from '../../../structure/elements/element.ts'
import { isHydrogenIsotope } from '../../../structure/formats/common/species.ts'
import {
  directionsOf,
  entriesOf,
  partialSites,
  statedDirections,
} from '../../../structure/formats/json/material-extras.ts'
import {
  agreeingVectors,
  angleUnitOf,
  isCartesian,
  lengthUnitOf,
  readCell,
  readVectors,
} from '../../../structure/formats/json/material-lattice.ts'
import { anglesMeet, isLeftHanded, vectorsVolume } from '../../../structure/lattice.ts'
import { speciesByPlace } from '../../../structure/near-pairs.ts'
import { isPartial, MOST_AT_ONE_PLACE, totalAt } from '../../../structure/occupancy.ts'
import { below, describeGiven, type Violation } from '../../schema.ts'
import { anglesOf, meet, objectField, readStructure } from './read-structure.ts'

/** Lengths in Å outside of which a volume or a density means nothing. */
const SHORTEST = 0.01
const LONGEST = 100_000

/** Finds in a material what its schema cannot say: lists that do not fit together, symbols of no element, cells that cannot be. */
export function checkMaterial(document: JsonObject, isSound: (field: string) => boolean): readonly Violation[] {
  const violations: Violation[] = []
  const basis = ownField(document, 'basis')
  const lattice = ownField(document, 'lattice')
  if (isJsonObject(basis)) {
    if (isSound('/basis/elements')) violations.push(...checkSymbols(entriesOf(basis, 'elements')))
    if (isSound('/basis')) violations.push(...checkBasis(basis))
    violations.push(...checkShares(basis))
  }
  violations.push(...checkDirections(document))
  if (isJsonObject(lattice) && isSound('/lattice')) violations.push(...checkLattice(document, lattice))
  if (violations.length === 0 && isSound('/basis') && isSound('/lattice')) violations.push(...checkSums(document))
  return violations
}

function checkBasis(basis: JsonObject): Violation[] {
  const elements = entriesOf(basis, 'elements')
  const ids = new Set(elements.map((item) => ownField(item, 'id') ?? null))
  const violations = checkIdsOnce(elements, 'elements')
  const coordinates = entriesOf(basis, 'coordinates')
  violations.push(...checkIdsOnce(coordinates, 'coordinates'))
  if (coordinates.length !== elements.length) {
    const expected = `an array of ${elements.length}, one for each of basis.elements`
    violations.push({ pointer: '/basis/coordinates', expected, given: `an array of ${coordinates.length}` })
  }
  violations.push(...checkIdsKnown(coordinates, 'coordinates', ids))
  for (const list of ['labels', 'constraints', 'disorder', 'magneticMoments']) {
    const items = entriesOf(basis, list)
    violations.push(...checkIdsOnce(items, list), ...checkIdsKnown(items, list, ids))
  }
  return violations
}

/** A share of an atom under another name than `occurrence` would not be read. */
function checkShares(basis: JsonObject): Violation[] {
  return partialSites(basis).map(({ path, share }) => ({
    pointer: `/${path.replaceAll('.', '/')}`,
    expected: '1, or nothing: the share of the cells in which an atom is there is basis.elements[].occurrence',
    given: describeGiven(share),
  }))
}

/** The shares of the species of one site add up to 1 at most; the rest is vacancy. */
function checkSums(document: JsonObject): Violation[] {
  const { vectors, periodic, sites } = readStructure(document)
  if (!sites.some(isPartial)) return []
  const overfull = speciesByPlace({ lattice: vectors, periodic, sites }).filter(
    (members) =>
      members.some((index) => isPartial(sites[index] as Site)) &&
      totalAt(members.map((index) => sites[index] as Site)) > MOST_AT_ONE_PLACE + 1e-9,
  )
  return overfull.slice(0, MOST_VIOLATIONS).map((members) => {
    const shares = members.map((index) => `${sites[index]?.element} ${sites[index]?.occurrence ?? 1}`)
    return {
      pointer: `/basis/elements/${members.at(-1)}/occurrence`,
      expected: 'occurrences that add up to 1 at most on each site',
      given: `one site with ${shares.join(', ')}`,
    }
  })
}

const MOST_VIOLATIONS = 20

/** Checks the directions of repetition: one field tells fewer than three, `isNonPeriodic` none. */
function checkDirections(document: JsonObject): Violation[] {
  const stated = statedDirections(document)
  if (stated === undefined) return []
  const isNonPeriodic = ownField(document, 'isNonPeriodic') === true
  const known = directionsOf(document)
  if (stated.path === 'periodicDirections') {
    if (isNonPeriodic === !stated.periodic.includes(true)) return []
    const expected = isNonPeriodic
      ? 'no direction of repetition beside isNonPeriodic'
      : 'a direction of repetition at least, or isNonPeriodic for none'
    return [{ pointer: '/periodicDirections', expected, given: `repetition ${describeDirections(stated.periodic)}` }]
  }
  if (stated.periodic.every((flag, axis) => flag === known[axis])) return []
  const expected = 'the same as periodicDirections and isNonPeriodic, which are what is read'
  const given = `repetition ${describeDirections(stated.periodic)}`
  return [{ pointer: `/${stated.path.replace('.', '/')}`, expected, given }]
}

function checkSymbols(elements: readonly JsonObject[]): Violation[] {
  const violations: Violation[] = []
  elements.forEach((item, index) => {
    const symbol = ownField(item, 'value')
    if (typeof symbol !== 'string' || isElementSymbol(symbol)) return
    const pointer = `/basis/elements/${index}/value`
    violations.push({
      pointer,
      expected: `the symbol of an element${suggestion(symbol)}`,
      given: describeGiven(symbol),
    })
  })
  return violations
}

/** Suggests a symbol: `SI` is silicon, `Fe1` is iron with a label. */
function suggestion(symbol: string): string {
  if (isHydrogenIsotope(symbol)) return ` ("H" with "isotope": ${symbol === 'T' ? 3 : 2}?)`
  const [, letters = '', rest = ''] = /^([A-Za-z]{1,2})(.*)$/s.exec(symbol) ?? []
  const meant = ELEMENTS.find((element) => element.symbol.toLowerCase() === letters.toLowerCase())
  if (meant === undefined) return ''
  return rest === ''
    ? ` ("${meant.symbol}"?)`
    : ` ("${meant.symbol}"? what tells atoms of one element apart goes to basis.labels)`
}

function checkIdsOnce(items: readonly JsonObject[], list: string): Violation[] {
  const seen = new Set<Json>()
  const violations: Violation[] = []
  items.forEach((item, index) => {
    const id = ownField(item, 'id') ?? null
    if (seen.has(id)) violations.push(wrongId(list, index, 'an id that no other item of the list has', id))
    seen.add(id)
  })
  return violations
}

function checkIdsKnown(items: readonly JsonObject[], list: string, known: ReadonlySet<Json>): Violation[] {
  const violations: Violation[] = []
  items.forEach((item, index) => {
    const id = ownField(item, 'id') ?? null
    if (!known.has(id)) violations.push(wrongId(list, index, 'the id of one of basis.elements', id))
  })
  return violations
}

function wrongId(list: string, index: number, expected: string, id: Json): Violation {
  return { pointer: below(below(below('/basis', list), index), 'id'), expected, given: describeGiven(id) }
}

function checkLattice(document: JsonObject, lattice: JsonObject): Violation[] {
  const cell = readCell(lattice)
  const violations: Violation[] = []
  for (const key of ['a', 'b', 'c'] as const) {
    if (cell[key] >= SHORTEST && cell[key] <= LONGEST) continue
    const given = `${describeGiven(ownField(lattice, key))} ${lengthUnitOf(lattice)}`
    violations.push({ pointer: `/lattice/${key}`, expected: 'a length from 0.01 Å to 100,000 Å', given })
  }
  const { alpha, beta, gamma } = cell
  if (!anglesMeet(alpha, beta, gamma)) {
    const given = `alpha ${alpha}°, beta ${beta}°, gamma ${gamma}°`
    const expected = `angles at which three vectors can span a volume${otherAngleUnit(lattice)}`
    violations.push({ pointer: '/lattice', expected, given })
  }
  return violations.length > 0 ? violations : checkVectors(document, lattice)
}

/** The unit in which the angles would be possible. */
function otherAngleUnit(lattice: JsonObject): string {
  const given = anglesOf(lattice)
  if (angleUnitOf(lattice) === 'radian') {
    return meet(given, 'degree') ? ' (they can in degrees: leave lattice.units.angle out)' : ''
  }
  return meet(given, 'radian') ? ' (they can in radians: lattice.units.angle is "radian")' : ''
}

/** Vectors that disagree with lengths and angles are computed anew, but Cartesian coordinates have a meaning in their frame only. */
function checkVectors(document: JsonObject, lattice: JsonObject): Violation[] {
  const vectors = readVectors(lattice)
  if (vectors === null || agreeingVectors(lattice) !== null) return []
  const pointer = '/lattice/vectors'
  if (vectors.flat().every(Number.isFinite) && vectorsVolume(vectors) > 0 && isLeftHanded(vectors)) {
    const expected = 'right-handed vectors (negate all three, and crystal coordinates with them)'
    return [{ pointer, expected, given: 'left-handed ones' }]
  }
  if (!isCartesian(objectField(document, 'basis'))) return []
  const expected = 'vectors with the lengths and angles of the lattice, since the coordinates are Cartesian'
  return [{ pointer, expected, given: 'vectors of another cell' }]
}
