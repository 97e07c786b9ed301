import { propertyField } from '../../../src/page/property-fields.ts'

/** What the pages say of a kind of record. */
export interface Collection {
  /** As in the address. */
  readonly name: string
  readonly title: string
  readonly one: string
  readonly columns: readonly Column[]
  /** By what its records are filtered, beside the search line. */
  readonly facets: readonly FacetChoice[]
  /** Whether its records have elements. */
  readonly hasElements: boolean
  /** What the search line takes. */
  readonly searched: string
}

export interface Column {
  readonly path: string
  readonly title: string
  readonly unit?: string
  /** A phone leaves it out. */
  readonly isMinor?: boolean
}

/** A filter of the page: values to choose from, or a range of numbers. */
export interface FacetChoice {
  readonly path: string
  readonly title: string
  readonly unit?: string
  /** How its numbers are shown; without it, values are. */
  readonly scale?: 'linear' | 'log' | 'quantile'
}

const UPDATED: Column = { path: 'updatedAt', title: 'Updated', isMinor: true }
const TAGS: Column = { path: 'tags', title: 'Tags', isMinor: true }
const TAG_FACET: FacetChoice = { path: 'tags', title: 'Tags' }

export const MATERIALS: Collection = {
  name: 'materials',
  title: 'Materials',
  one: 'material',
  columns: [
    { path: 'name', title: 'Name' },
    { path: 'formula', title: 'Formula' },
    { path: 'spaceGroup.symbol', title: 'Space group', isMinor: true },
    { path: 'lattice.type', title: 'Lattice' },
    { path: 'nSites', title: 'Sites', isMinor: true },
    { path: 'volume', title: 'Volume', unit: 'Å³', isMinor: true },
    { path: 'density', title: 'Density', unit: 'g/cm³', isMinor: true },
    TAGS,
  ],
  facets: [
    { path: 'lattice.type', title: 'Lattice' },
    { path: 'spaceGroup.crystalSystem', title: 'Crystal system' },
    { path: 'nElements', title: 'Number of elements' },
    { path: 'volume', title: 'Volume', unit: 'Å³', scale: 'log' },
    { path: 'density', title: 'Density', unit: 'g/cm³', scale: 'linear' },
    { path: 'nSites', title: 'Sites', scale: 'log' },
    { path: 'properties.band_gap.value', title: 'Band gap', unit: 'eV', scale: 'linear' },
    { path: 'properties.energy_above_hull.value', title: 'Energy above the hull', unit: 'eV/atom', scale: 'linear' },
    TAG_FACET,
  ],
  hasElements: true,
  searched: 'Formula, name, elements, Si-O, Fm-3m or {query}',
}

export const METHODS: Collection = {
  name: 'methods',
  title: 'Methods',
  one: 'method',
  columns: [
    { path: 'name', title: 'Name' },
    { path: 'type', title: 'Type' },
    { path: 'subtype', title: 'Subtype' },
    TAGS,
    UPDATED,
  ],
  facets: [{ path: 'type', title: 'Type' }, { path: 'subtype', title: 'Subtype' }, TAG_FACET],
  hasElements: false,
  searched: 'Name or {query}',
}

/** What a path is called, and the unit of its numbers: as the page has it, or as the property that it leads to. */
export function columnAt({ columns, facets }: Collection, path: string): Column {
  const known = [...columns, ...facets].find((one) => one.path === path)
  const { title = path, unit } = known ?? propertyField(path) ?? {}
  return { path, title, ...(unit === undefined ? {} : { unit }) }
}

/** The collection whose list or record is at an address of the page. */
export function collectionAt(page: string): Collection {
  return page.startsWith('method') ? METHODS : MATERIALS
}
