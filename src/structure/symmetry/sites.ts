import type { Cell, Crystal, CrystalSite } from '../crystal.ts'
import { addToList, combineRows, inverse, itemAt, length, mapVector, type Vector3 } from '../linear-algebra.ts'
import { speciesByPlace, wrapFraction } from '../near-pairs.ts'
import { isPartial, occupancyOf } from '../occupancy.ts'
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

/** A crystal as symmetry sees it: every place once, named by what is on it. */
export interface MixedCrystal {
  /** The names of its sites are elements, or those of mixtures, which `speciesOf` knows. */
  readonly cell: Cell
  /** For each entry of the crystal the site that it is on. */
  readonly siteOf: readonly number[]
  /** For each site its entries, in the order in which their mixture names them. */
  readonly members: readonly (readonly number[])[]
  readonly speciesOf: ReadonlyMap<string, readonly CrystalSite[]>
}

const ALL: Crystal['periodic'] = [true, true, true]
/** Resolution of shares: refined ones of equivalent sites differ by as much. */
const SHARE_STEP = 0.005

/** Puts the species of each site together; nothing where every site has one whole atom. */
export function mixturesOf({ lattice, sites }: Cell): MixedCrystal | undefined {
  if (!sites.some(isPartial)) return undefined
  const members = speciesByPlace({ lattice, periodic: ALL, sites }).map((indices) =>
    indices.toSorted((one, other) => (nameOf(itemAt(sites, one)) < nameOf(itemAt(sites, other)) ? -1 : 1)),
  )
  const siteOf: number[] = new Array(sites.length).fill(0)
  const speciesOf = new Map<string, readonly CrystalSite[]>()
  const mixed = members.map((indices, site): CrystalSite => {
    for (const index of indices) siteOf[index] = site
    const species = indices.map((index) => itemAt(sites, index))
    const name = species.map(nameOf).join('+')
    if (!speciesOf.has(name)) speciesOf.set(name, species)
    return { element: name, fraction: itemAt(species, 0).fraction }
  })
  return { cell: { lattice, sites: mixed }, siteOf, members, speciesOf }
}

function nameOf(site: CrystalSite): string {
  if (!isPartial(site)) return site.element
  return `${site.element}@${Math.round(occupancyOf(site) / SHARE_STEP)}`
}

/** Symmetry found for the sites, as that of their species. */
export function withSpecies(found: FoundSymmetry, { siteOf, members, speciesOf }: MixedCrystal): FoundSymmetry {
  const ofEntries = <Item>(list: readonly Item[]): readonly Item[] => siteOf.map((site) => itemAt(list, site))
  const { conventionalCell, primitiveCell } = found
  const images = conventionalCell.sites.length / primitiveCell.sites.length
  return {
    ...found,
    wyckoffLetters: ofEntries(found.wyckoffLetters),
    siteSymmetries: ofEntries(found.siteSymmetries),
    equivalentTo: siteOf.map((site, entry) => {
      const place = itemAt(members, site).indexOf(entry)
      return itemAt(itemAt(members, itemAt(found.equivalentTo, site)), place)
    }),
    conventionalCell: spread(conventionalCell, images, speciesOf),
    primitiveCell: spread(primitiveCell, 1, speciesOf),
    originals: found.originals.flatMap((site) => itemAt(members, site)),
  }
}

/** Writes every species of the sites of a cell; the images of a species stay one after the other. */
function spread(cell: Cell, images: number, speciesOf: MixedCrystal['speciesOf']): Cell {
  const sites: CrystalSite[] = []
  for (let start = 0; start < cell.sites.length; start += images) {
    const block = cell.sites.slice(start, start + images)
    for (const species of speciesOf.get(block[0]?.element ?? '') ?? []) {
      for (const { fraction } of block) sites.push(occupant(species, fraction))
    }
  }
  return { lattice: cell.lattice, sites }
}

/** A species at another place: what belongs to the place alone stays behind. */
function occupant(
  { element, occurrence, oxidationState, isotope }: CrystalSite,
  fraction: CrystalSite['fraction'],
): CrystalSite {
  return {
    element,
    fraction,
    ...(occurrence === undefined ? {} : { occurrence }),
    ...(oxidationState === undefined ? {} : { oxidationState }),
    ...(isotope === undefined ? {} : { isotope }),
  }
}
