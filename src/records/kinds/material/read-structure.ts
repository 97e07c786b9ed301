import { isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import type { Crystal, Site } from '../../../structure/crystal.ts'
import { directionsOf, entriesOf, readOccupancies } from '../../../structure/formats/json/material-extras.ts'
import { agreeingVectors, basisFractions, readCell } from '../../../structure/formats/json/material-lattice.ts'
import {
  type AngleUnit,
  anglesMeet,
  type CellParameters,
  degreesIn,
  latticeVectors,
} from '../../../structure/lattice.ts'
import type { Matrix3, Vector3 } from '../../../structure/linear-algebra.ts'
import { mayBeNear, type Nearness, type PairDistances, pairDistances } from '../../../structure/matching/fingerprint.ts'
import { findIsometry, type Isometry } from '../../../structure/matching/isometry.ts'

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
  const sites = readSites(objectField(document, 'basis'), vectors, lattice)
  return { cell, vectors, sites, periodic: directionsOf(document) }
}

/** Takes vectors from lengths and angles: those of the record are rounded, so that another origin and other Wyckoff letters could come. */
export function crystalOf({ cell, sites, periodic }: MaterialStructure): Crystal {
  // A label is what tells species apart: atoms of one element that differ in it still are one element.
  const plain = sites.map(({ label: _label, moment: _moment, ...site }) => site)
  return { title: '', lattice: latticeVectors(cell), periodic, sites: plain, warnings: [] }
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

function readSites(basis: JsonObject, vectors: Matrix3, lattice: JsonObject): Site[] {
  const elements = siteValues(basis, 'elements')
  const positions = siteValues(basis, 'coordinates') as ReadonlyMap<Json, Vector3 & Json>
  const labels = siteValues(basis, 'labels')
  const ids = [...elements.keys()]
  const coordinates = ids.map((id) => positions.get(id) as Vector3)
  const fractions = basisFractions(coordinates, vectors, { basis, lattice })
  const occupancies = readOccupancies(basis)
  return ids.map((id, index) => {
    const site = {
      element: String(elements.get(id)),
      label: String(labels.get(id) ?? ''),
      fraction: fractions[index] as Vector3,
    }
    return occupancies.size === 0 ? site : { ...site, ...occupancies.get(String(id)) }
  })
}

/** The values of a list of `{id, value}` by their ids, in the order of the list. */
function siteValues(basis: JsonObject, key: string): ReadonlyMap<Json, Json> {
  const values = new Map<Json, Json>()
  for (const item of entriesOf(basis, key)) values.set(ownField(item, 'id') ?? null, ownField(item, 'value') ?? null)
  return values
}

/** A field that is an object; an empty one where it is not. */
export function objectField(object: JsonObject, key: string): JsonObject {
  const value = ownField(object, key)
  return isJsonObject(value) ? value : {}
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
