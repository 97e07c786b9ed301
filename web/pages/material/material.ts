import { ionText } from '../../../src/page/ion-text.ts'
import { valueAt } from '../../parts/value-at.ts'

/** A material as the page reads it: whatever the record has, by its paths. */
export type Material = Readonly<Record<string, unknown>>

/** The text at a path; undefined where there is none. */
export function textAt(material: Material, path: string): string | undefined {
  const value = valueAt(material, path)
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberAt(material: Material, path: string): number | undefined {
  const value = valueAt(material, path)
  return typeof value === 'number' ? value : undefined
}

/** Elements of a material in alphabetical order; none where they are not known. */
export function elementsOf(material: Material): readonly string[] {
  return textAt(material, 'chemicalSystem')?.split('-') ?? []
}

/** The space group, where it is known. */
export function spaceGroupOf(material: Material): { readonly symbol: string; readonly number: number } | null {
  const symbol = textAt(material, 'spaceGroup.symbol')
  const number = numberAt(material, 'spaceGroup.number')
  return symbol === undefined || number === undefined ? null : { symbol, number }
}

/** One of the properties that the server computes. */
export function propertyOf(material: Material, name: string): Material | undefined {
  const list = valueAt(material, 'derivedProperties')
  return Array.isArray(list) ? list.find((one: Material) => one?.['name'] === name) : undefined
}

/** An atom of the basis. */
export interface SiteRow {
  /** How much of the site it has; 1 where it is there in every cell. */
  readonly occurrence: number
  /** `Fe3+`; the element where its state is not told. */
  readonly species: string
  readonly element: string
  readonly label: string
  readonly place: readonly number[]
  readonly wyckoffLetter: string
}

/** The atoms in the order of the basis. */
export function sitesOf(material: Material): readonly SiteRow[] {
  const places = valuesById(material, 'basis.coordinates')
  const labels = valuesById(material, 'basis.labels')
  const letters = propertyOf(material, 'symmetry')?.['wyckoffLetters']
  return entriesOf(material).map(({ id, value, occurrence = 1, oxidationState }, index) => ({
    element: String(value),
    species: oxidationState === undefined ? String(value) : ionText(String(value), oxidationState),
    occurrence,
    label: String(labels.get(id) ?? ''),
    place: (places.get(id) as readonly number[] | undefined) ?? [],
    wyckoffLetter: Array.isArray(letters) ? String(letters[index] ?? '') : '',
  }))
}

interface Entry {
  readonly id: unknown
  readonly value: unknown
  readonly occurrence?: number
  readonly oxidationState?: number
}

function entriesOf(material: Material): readonly Entry[] {
  const list = valueAt(material, 'basis.elements')
  return Array.isArray(list) ? list : []
}

function valuesById(material: Material, path: string): ReadonlyMap<unknown, unknown> {
  const list = valueAt(material, path)
  return new Map(Array.isArray(list) ? list.map(({ id, value }: { id: unknown; value: unknown }) => [id, value]) : [])
}

/** A number with as many digits as are worth reading. */
export function rounded(value: number, digits = 4): string {
  return Number(value.toFixed(digits)).toString()
}

/** A fraction of a lattice vector, to five decimals; what is rounded to nothing has no sign. */
export function fractionText(value: number): string {
  return (Math.round(value * 1e5) / 1e5 + 0).toFixed(5)
}

const MOST_NAMED = 8

/** Sites as a person counts them, the first few of many. */
export function namesOfSites(sites: readonly number[]): string {
  const named = sites.slice(0, MOST_NAMED).map((site) => site + 1)
  return sites.length > MOST_NAMED ? `${named.join(', ')} and ${sites.length - MOST_NAMED} more` : named.join(', ')
}
