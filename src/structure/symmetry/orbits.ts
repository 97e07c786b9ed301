import type { Cell } from '../crystal.ts'
import { addToList, combineRows, inverse, itemAt, length, mapVector, type Vector3 } from '../linear-algebra.ts'
import { wrapFraction } from '../near-pairs.ts'
import { nearestDifference } from './find-translation.ts'
import type { FoundSymmetry } from './symmetry-report.ts'

/** Sites that symmetry takes to each other: what crystallographers list of them. */
export interface Orbit {
  readonly element: string
  /** `c`, and how many sites of the conventional cell it has: together `8c`. */
  readonly wyckoffLetter: string
  readonly multiplicity: number
  /** `.3m` */
  readonly siteSymmetry: string
  /** One of them, in fractions of the conventional cell. */
  readonly coordinate: Vector3
  /** Its sites in the crystal, by index. */
  readonly sites: readonly number[]
}

/** Lists the orbits of a crystal in the order of its sites. */
export function orbitsOf(symmetry: FoundSymmetry): readonly Orbit[] {
  const { equivalentTo, wyckoffLetters, siteSymmetries, conventionalCell } = symmetry
  const orbits = standardOrbits(symmetry)
  const members = placesByValue(equivalentTo)
  const images = placesByValue(orbits)
  return [...members].map(([first, sites]) => {
    const places = (images.get(first) ?? []).map((index) =>
      mapVector(itemAt(conventionalCell.sites, index).fraction, tidyFraction),
    )
    return {
      element: itemAt(conventionalCell.sites, itemAt(images.get(first) ?? [], 0)).element,
      wyckoffLetter: itemAt(wyckoffLetters, first),
      multiplicity: places.length,
      siteSymmetry: itemAt(siteSymmetries, first),
      coordinate: places.reduce((best, one) => (comesBefore(one, best) ? one : best)),
      sites,
    }
  })
}

/** The places of a list at which each of its values stands, in the order of the first ones. */
function placesByValue(list: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>()
  for (const [place, value] of list.entries()) {
    addToList(places, value, place)
  }
  return places
}

/** For every site of the conventional cell the orbit that it belongs to, named by the first site of the crystal in it. */
function standardOrbits({
  conventionalCell,
  primitiveCell,
  originals,
  equivalentTo,
}: FoundSymmetry): readonly number[] {
  const toPrimitive = inverse(primitiveCell.lattice)
  const images = conventionalCell.sites.length / primitiveCell.sites.length
  return conventionalCell.sites.map(({ element, fraction }, index) => {
    const place = combineRows(combineRows(fraction, conventionalCell.lattice), toPrimitive)
    // The finder lists the images of a site one after the other.
    const expected = Math.floor(index / images)
    const at =
      distance(primitiveCell, expected, place) < NEAR_ANGSTROM ? expected : nearestSite(primitiveCell, element, place)
    return itemAt(equivalentTo, itemAt(originals, at))
  })
}

const NEAR_ANGSTROM = 1e-3

function nearestSite(cell: Cell, element: string, place: Vector3): number {
  let [nearest, least] = [-1, Number.POSITIVE_INFINITY]
  for (const [index, site] of cell.sites.entries()) {
    const far = site.element === element ? distance(cell, index, place) : Number.POSITIVE_INFINITY
    if (far < least) [nearest, least] = [index, far]
  }
  return nearest
}

/** In Å, from a site to the nearest image of a place. */
function distance({ lattice, sites }: Cell, index: number, place: Vector3): number {
  return length(combineRows(nearestDifference(place, itemAt(sites, index).fraction), lattice))
}

/** Eight decimals, from 0 to just below 1. */
function tidyFraction(value: number): number {
  return wrapFraction(Math.round(wrapFraction(value) * 1e8) / 1e8)
}

/** The representative is that with the smallest coordinates, the first of them first. */
function comesBefore(one: Vector3, other: Vector3): boolean {
  const at = one.findIndex((value, axis) => value !== other[axis])
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0)
}
