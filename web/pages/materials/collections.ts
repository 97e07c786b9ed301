import type { ComponentChildren, ComponentType } from 'preact'
import { fieldAt } from '../../../src/page/known-fields.ts'
import { ownerCalled } from '../../app/owner-called.ts'
import type { HelpName } from '../../parts/helps.ts'

/** What the pages say of a kind of record. */
export interface Collection {
  /** As in the address. */
  readonly name: string
  /** What its list is for. */
  readonly help: HelpName
  readonly title: string
  readonly one: string
  readonly columns: readonly Column[]
  /** By what its records are filtered, beside the search line and what every list has. */
  readonly facets: readonly FacetChoice[]
  /** Whether its records have elements. */
  readonly hasElements: boolean
  /** Whether its records have crystals, which are drawn small before their names. */
  readonly hasCrystals?: boolean
  /** What the search line takes. */
  readonly searched: string
  /** Where words are looked for, beside what all records have. */
  readonly words?: readonly string[]
  /** Whether a form makes one. */
  readonly isMadeByHand?: boolean
  /** What a record is called where that is not its name. */
  readonly titleOf?: (record: Row) => string
  /** Whether the table says all: then nothing is shown beside it. */
  readonly isWhole?: boolean
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
  /** Whether it is left out where all records have one value. */
  readonly hidesAlone?: boolean
  /** A text that may be another one in each record: where all are, there is nothing to choose. */
  readonly isFreeText?: boolean
  /** What people call a value. */
  readonly wordsOf?: (value: string) => string
}

/** A column, or a filter, of a field that has a name of its own everywhere. */
function of<More extends object>(path: string, more?: More) {
  return { path, ...fieldAt(path), ...more }
}

/** Short name of the account that a record belongs to. */
export const OWNER = 'owner.slug'
const MINOR = { isMinor: true }
export const TAGS: Column = of('tags', MINOR)
export const UPDATED: Column = of('updatedAt', MINOR)
export const TAG_FACET: FacetChoice = of('tags')

/** Whose records, and who sees them: where there is a choice, in every list. */
const ACCESS_FACETS: readonly FacetChoice[] = [
  of(OWNER, { hidesAlone: true, wordsOf: ownerCalled }),
  of('isPublic', {
    hidesAlone: true,
    wordsOf: (value: string) => (value === 'true' ? 'everybody' : 'its account alone'),
  }),
]

export const MATERIALS: Collection = {
  name: 'materials',
  help: 'materials',
  title: 'Materials',
  one: 'material',
  columns: [
    of('name'),
    of('formula', { fields: ['formula', 'isDisordered', 'isEntitySet'] }),
    of('spaceGroup.symbol', { ...MINOR, fields: ['spaceGroup.symbol', 'spaceGroup.number'] }),
    of('lattice.type'),
    of('nSites', MINOR),
    of('volume', MINOR),
    of('density', MINOR),
    TAGS,
  ],
  facets: [
    // Found by the server: what a client calls the lattice may be anything.
    of('spaceGroup.crystalSystem'),
    of('nElements'),
    of('volume', { scale: 'log' as const }),
    of('density', { scale: 'linear' as const }),
    of('nSites', { scale: 'log' as const }),
    of('properties.band_gap.value', { scale: 'linear' as const }),
    of('properties.energy_above_hull.value', { scale: 'linear' as const }),
    of('tags'),
  ],
  hasElements: true,
  hasCrystals: true,
  searched: 'TiO2, Si-O, perovskite, gap > 1 eV …',
}

/** All filters of a list. */
export function facetsOf({ facets }: Collection): readonly FacetChoice[] {
  return [...ACCESS_FACETS, ...facets]
}

/** What a path is called, and the unit of its numbers: as the page has it, or as everybody knows it. */
export function columnAt(collection: Collection, path: string): Column {
  const { columns } = collection
  const { title, unit } = [...columns, ...facetsOf(collection)].find((one) => one.path === path) ?? fieldAt(path)
  const fields = columns.find((one) => one.path === path)?.fields
  return { path, title, ...(unit === undefined ? {} : { unit }), ...(fields === undefined ? {} : { fields }) }
}

/** A value as a filter calls it. */
export function valueIn({ wordsOf = String }: Pick<FacetChoice, 'wordsOf'>, value: unknown): string {
  return wordsOf(String(value))
}

/** A value of a field as the filter of that field calls it. */
export function valueWords(collection: Collection, path: string, value: unknown): string {
  return valueIn(facetsOf(collection).find((one) => one.path === path) ?? {}, value)
}
