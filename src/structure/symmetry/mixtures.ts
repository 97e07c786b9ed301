import type { Cell, Crystal, CrystalSite } from '../crystal.ts'
import { itemAt } from '../linear-algebra.ts'
import { speciesByPlace } from '../near-pairs.ts'
import { isPartial, occupancyOf } from '../occupancy.ts'
import type { FoundSymmetry } from './symmetry-report.ts'

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
