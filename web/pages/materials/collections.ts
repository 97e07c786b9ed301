import type { ComponentChildren, ComponentType } from 'preact'
import type { PageName } from '../../../src/page/addresses.ts'
import { propertyField } from '../../../src/page/property-fields.ts'

/** What the pages say of a kind of record. */
export interface Collection {
  /** As in the address. */
  readonly name: 'materials' | 'methods' | 'jobs' | 'properties'
  readonly title: string
  readonly one: string
  readonly columns: readonly Column[]
  /** By what its records are filtered, beside the search line. */
  readonly facets: readonly FacetChoice[]
  /** Whether its records have elements. */
  readonly hasElements: boolean
  /** Whether its records have crystals, which are drawn small before their names. */
  readonly hasCrystals?: boolean
  /** What the search line takes. */
  readonly searched: string
  /** Where words are looked for, beside what all records have. */
  readonly words?: readonly string[]
  /** Where one is made by hand. */
  readonly newPage?: PageName
  /** What a record is called where that is not its name. */
  readonly titleOf?: (record: Row) => string
  /** Shows columns that are more than a value of the record. */
  readonly cell?: ComponentType<CellProps>
  /** Around the table: asks once for what all cells need. */
  readonly around?: ComponentType<{ readonly records: readonly Row[]; readonly children: ComponentChildren }>
}

/** A record as a list has it: some of its fields. */
export type Row = Readonly<Record<string, unknown>>

export interface CellProps {
  readonly path: string
  readonly record: Row
  /** Where nothing is known of the column. */
  readonly otherwise: ComponentChildren
}

export interface Column {
  readonly path: string
  readonly title: string
  readonly unit?: string
  /** A phone leaves it out. */
  readonly isMinor?: boolean
  /** Fields that its cells are made of, where that is not its path. */
  readonly fields?: readonly string[]
}

/** A filter of the page: values to choose from, or a range of numbers. */
export interface FacetChoice {
  readonly path: string
  readonly title: string
  readonly unit?: string
  /** How its numbers are shown; without it, values are. */
  readonly scale?: 'linear' | 'log' | 'quantile'
  /** What people call a value. */
  readonly wordsOf?: (value: string) => string
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
  hasCrystals: true,
  searched: 'TiO2, Si-O, perovskite, gap > 1 eV …',
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
  searched: 'Words, field > 3 or {query}',
  newPage: 'newMethod',
}

/** What a path is called, and the unit of its numbers: as the page has it, or as the property that it leads to. */
export function columnAt({ columns, facets }: Collection, path: string): Column {
  const known = [...columns, ...facets].find((one) => one.path === path)
  const { title = path, unit } = known ?? propertyField(path) ?? {}
  const fields = columns.find((one) => one.path === path)?.fields
  return { path, title, ...(unit === undefined ? {} : { unit }), ...(fields === undefined ? {} : { fields }) }
}

/** A value as a filter calls it. */
export function valueIn({ wordsOf = String }: Pick<FacetChoice, 'wordsOf'>, value: unknown): string {
  return wordsOf(String(value))
}

/** A value of a field as the filter of that field calls it. */
export function valueWords({ facets }: Collection, path: string, value: unknown): string {
  return valueIn(facets.find((one) => one.path === path) ?? {}, value)
}

/** The collection whose list or record is at an address of the page. */
export function collectionAt(page: string): Collection {
  return page.startsWith('method') ? METHODS : MATERIALS
}
