import { fieldAt, knownField } from '../../../src/page/known-fields.ts'
import { propertyField } from '../../../src/page/property-fields.ts'
import { KNOWN_FIELDS } from '../../properties/own-fields.ts'
import type { KnownField } from './use-fields.ts'

/** A field that somebody chooses. */
export interface ChosenField {
  readonly path: string
  readonly title: string
  readonly unit?: string
}

/** Fields that stand together in a list of fields. */
export interface FieldGroup {
  readonly title: string
  /** Whether few ask for these. */
  readonly isFolded: boolean
  readonly fields: readonly ChosenField[]
}

type Group = readonly [title: string, isFolded: boolean, isOf: (path: string) => boolean]

/** What people ask of a property: its number, not how it was found. */
function isQuantity(path: string): boolean {
  const property = propertyField(path)
  return property?.isMain === true && (property.unit !== undefined || path.endsWith('.value'))
}

const within = (name: string) => (path: string) => path === name || path.startsWith(`${name}.`)

/** In the order in which people look for them; a field is in the first group that takes it. */
const GROUPS: readonly Group[] = [
  ['Properties', false, isQuantity],
  ['More of properties', true, within('properties')],
  ['Own fields', false, (path) => !KNOWN_FIELDS.has(path.split('.')[0] ?? '')],
  ['Lattice', true, within('lattice')],
  ['Composition', true, within('composition')],
  ['Basis', true, within('basis')],
  ['In general', false, (path) => knownField(path) !== null],
  ['All others', true, () => true],
]
const SHOWN = ['Properties', 'Own fields', 'In general']

/** What a field is called: as everybody knows it, else as its schema says, else by its own words. */
export function chosenField({ path, title, unit }: Pick<KnownField, 'path' | 'title' | 'unit'>): ChosenField {
  const known = knownField(path)
  if (known !== null) return { path, ...known }
  return { path, title: title ?? fieldAt(path).title, ...(unit === null ? {} : { unit }) }
}

/** Fields in groups, those that people want first; the others are folded, at the end. */
export function groupFields(fields: readonly KnownField[]): readonly FieldGroup[] {
  const groups = GROUPS.map(([title, isFolded]) => ({ title, isFolded, fields: [] as ChosenField[] }))
  for (const field of fields)
    groups[GROUPS.findIndex(([, , isOf]) => isOf(field.path))]?.fields.push(chosenField(field))
  const shown = SHOWN.flatMap((title) => groups.filter((group) => group.title === title))
  return [...shown, ...groups.filter(({ isFolded }) => isFolded)].filter((group) => group.fields.length > 0)
}

/** Fields that are called so, by title or path. */
export function fieldsCalled(fields: readonly KnownField[], typed: string): readonly ChosenField[] {
  const wanted = typed.trim().toLowerCase()
  return fields.map(chosenField).filter(({ path, title }) => `${path} ${title}`.toLowerCase().includes(wanted))
}
