import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { type Crystal, type Site, toCrystal } from '../../../structure/crystal.ts'
import { directionsOf, readOccupancies } from '../../../structure/formats/json/material-extras.ts'
import {
  type AngleUnit,
  anglesMeet,
  angstromsIn,
  type CellParameters,
  cellParameters,
  degreesIn,
  isLeftHanded,
  type LengthUnit,
  latticeVectors,
} from '../../../structure/lattice.ts'
import { type Matrix3, scale, type Vector3 } from '../../../structure/linear-algebra.ts'
import { mayBeNear, type Nearness, type PairDistances, pairDistances } from '../../../structure/matching/fingerprint.ts'
import { findIsometry, type Isometry } from '../../../structure/matching/isometry.ts'

/** Tolerances of vectors against the lengths and angles beside them: errors of rounding to three decimals. */
const LENGTH_TOLERANCE = 0.002
const RELATIVE_LENGTH_TOLERANCE = 0.0005
const ANGLE_TOLERANCE = 0.05

/** The structure in a material's JSON, in Å and degrees. All readers here take what the schema has accepted. */
export interface MaterialStructure {
  readonly cell: CellParameters
  readonly vectors: Matrix3
  readonly sites: readonly Site[]
  readonly periodic: Crystal['periodic']
}

/** Reads cell and sites; the vectors are the record's own where they agree with its lengths and angles. */
export function readStructure(document: JsonObject): MaterialStructure {
  const lattice = objectField(document, 'lattice')
  const cell = readCell(lattice)
  const vectors = agreeingVectors(lattice) ?? latticeVectors(cell)
  const sites = readSites(document, vectors, angstromsIn(lengthUnitOf(lattice)))
  return { cell, vectors, sites, periodic: directionsOf(document) }
}

/** Takes vectors from lengths and angles: those of the record are rounded, so that another origin and other Wyckoff letters could come. */
export function crystalOf({ cell, sites, periodic }: MaterialStructure): Crystal {
  // A label is what tells species apart: atoms of one element that differ in it still are one element.
  const plain = sites.map(({ label: _label, moment: _moment, ...site }) => site)
  return { title: '', lattice: latticeVectors(cell), periodic, sites: plain, warnings: [] }
}

/** Lengths and angles of a `lattice` object. */
export function readCell(lattice: JsonObject): CellParameters {
  const angstroms = angstromsIn(lengthUnitOf(lattice))
  const degrees = degreesIn(angleUnitOf(lattice))
  const value = (key: string, unit: number): number => Number(ownField(lattice, key)) * unit
  return {
    a: value('a', angstroms),
    b: value('b', angstroms),
    c: value('c', angstroms),
    alpha: value('alpha', degrees),
    beta: value('beta', degrees),
    gamma: value('gamma', degrees),
  }
}

/** The vectors that a `lattice` object carries; null when it has none. */
export function readVectors(lattice: JsonObject): Matrix3 | null {
  const vectors = ownField(lattice, 'vectors')
  if (!isJsonObject(vectors)) return null
  const unit = (ownField(vectors, 'units') as LengthUnit | undefined) ?? lengthUnitOf(lattice)
  const factor = angstromsIn(unit) * Number(ownField(vectors, 'alat') ?? 1)
  const row = (key: string): Vector3 => scale(ownField(vectors, key) as unknown as Vector3, factor)
  return [row('a'), row('b'), row('c')]
}

/** The vectors that a `lattice` object carries when they are right-handed and have its lengths and angles; else null. */
export function agreeingVectors(lattice: JsonObject): Matrix3 | null {
  const vectors = readVectors(lattice)
  if (vectors === null || isLeftHanded(vectors)) return null
  return agree(readCell(lattice), cellParameters(vectors)) ? vectors : null
}

export function lengthUnitOf(lattice: JsonObject): LengthUnit {
  return (ownField(objectField(lattice, 'units'), 'length') as LengthUnit | undefined) ?? 'angstrom'
}

export function angleUnitOf(lattice: JsonObject): AngleUnit {
  return (ownField(objectField(lattice, 'units'), 'angle') as AngleUnit | undefined) ?? 'degree'
}

/** The three angles of a `lattice` object as it gives them. */
export function anglesOf(lattice: JsonObject): Vector3 {
  return [Number(ownField(lattice, 'alpha')), Number(ownField(lattice, 'beta')), Number(ownField(lattice, 'gamma'))]
}

/** Tells whether three vectors can be at these angles to each other when they are in this unit. */
export function meet([alpha, beta, gamma]: Vector3, unit: AngleUnit): boolean {
  const degrees = degreesIn(unit)
  return anglesMeet(alpha * degrees, beta * degrees, gamma * degrees)
}

export function isCartesian(document: JsonObject): boolean {
  return ownField(objectField(document, 'basis'), 'units') === 'cartesian'
}

function readSites(document: JsonObject, vectors: Matrix3, angstroms: number): Site[] {
  const basis = objectField(document, 'basis')
  const elements = siteValues(basis, 'elements')
  const positions = siteValues(basis, 'coordinates') as ReadonlyMap<Json, Vector3 & Json>
  const labels = siteValues(basis, 'labels')
  const ids = [...elements.keys()]
  let fractions = ids.map((id) => positions.get(id) as Vector3)
  if (isCartesian(document)) {
    fractions = toCrystal(
      fractions.map((position) => scale(position, angstroms)),
      vectors,
    )
  }
  const occupancies = readOccupancies(basis)
  return ids.map((id, index) => ({
    element: String(elements.get(id)),
    label: String(labels.get(id) ?? ''),
    fraction: fractions[index] as Vector3,
    ...occupancies.get(String(id)),
  }))
}

/** The values of a list of `{id, value}` by their ids, in the order of the list. */
function siteValues(basis: JsonObject, key: string): ReadonlyMap<Json, Json> {
  const list = ownField(basis, key)
  if (!isJsonArray(list)) return new Map()
  return new Map(
    list.filter(isJsonObject).map((item) => [ownField(item, 'id') ?? null, ownField(item, 'value') ?? null]),
  )
}

/** A field that is an object; an empty one where it is not. */
export function objectField(object: JsonObject, key: string): JsonObject {
  const value = ownField(object, key)
  return isJsonObject(value) ? value : {}
}

function agree(one: CellParameters, other: CellParameters): boolean {
  const lengthsAgree = (['a', 'b', 'c'] as const).every(
    (key) => Math.abs(one[key] - other[key]) <= Math.max(LENGTH_TOLERANCE, RELATIVE_LENGTH_TOLERANCE * one[key]),
  )
  return (
    lengthsAgree &&
    (['alpha', 'beta', 'gamma'] as const).every((key) => Math.abs(one[key] - other[key]) <= ANGLE_TOLERANCE)
  )
}

/** A material, others that may be the same crystal, by their texts, and how near they have to be. */
export interface MatchQuestion {
  readonly text: string
  /** Null for one that is gone. */
  readonly candidates: readonly (string | null)[]
  readonly within: Nearness
  /** Milliseconds on a processor; candidates for which there is none left are not compared. */
  readonly budgetMs: number
}

/** Isometries to the first candidates, null for another crystal, and the part of the budget that was spent. */
export interface MatchFound {
  readonly isometries: readonly (Isometry | null)[]
  readonly spentMs: number
}

/** Lays stored materials upon one, by their texts; null for one that is another crystal, or not so near. */
export function matcherFor(text: string, within: Nearness): (candidate: string) => Isometry | null {
  const crystal = crystalIn(text)
  let own: PairDistances | null | undefined
  return (candidate) => {
    const other = crystalIn(candidate)
    if (own === undefined) own = pairDistances(crystal)
    if (!mayBeNear(own, pairDistances(other), within)) return null
    return findIsometry(crystal, other, within)
  }
}

function crystalIn(text: string) {
  return crystalOf(readStructure(JSON.parse(text) as JsonObject))
}
