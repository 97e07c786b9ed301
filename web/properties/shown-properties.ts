import type { PropertyForm } from '../../src/page/property-names.ts'
import { knownProperty, propertyTitle } from '../../src/page/property-words.ts'
import { quantityText } from './quantity.ts'

/** What is told of one property without its data. */
export interface PropertyEntry {
  /** Empty where the value is of no group. */
  readonly group: string
  readonly propertyId: string | null
  readonly jobId: string | null
  readonly summary: Readonly<Record<string, unknown>>
  /** Why it is not to be compared with others. */
  readonly caveat?: string | undefined
}

/** All that is there under one name: the best of all groups first. */
export interface ShownProperty {
  readonly name: string
  readonly title: string
  /** Null for a name of one's own. */
  readonly form: PropertyForm | null
  readonly entries: readonly [PropertyEntry, ...PropertyEntry[]]
}

type Fields = Readonly<Record<string, unknown>>

/** Names in the order in which people ask for them; others come after them. */
const ORDER = [
  'band_gap',
  'band_gaps',
  'formation_energy',
  'energy_above_hull',
  'total_energy',
  'fermi_energy',
  'total_magnetization',
  'bulk_modulus',
  'shear_modulus',
  'zero_point_energy',
  'surface_energy',
  'pressure',
  'total_force',
  'band_structure',
  'density_of_states',
  'phonon_dispersions',
  'phonon_dos',
  'dielectric_tensor',
]

/** Reads what a material shows of its properties. */
export function shownProperties(properties: unknown): readonly ShownProperty[] {
  if (!isFields(properties)) return []
  const shown = Object.entries(properties).flatMap(([name, fields]) =>
    isFields(fields) ? [shownOf(name, fields)] : [],
  )
  return inOrder(shown)
}

function shownOf(name: string, fields: Fields): ShownProperty {
  const first = entryOf(fields, typeof fields['group'] === 'string' ? fields['group'] : '')
  const others = Object.entries(fields).flatMap(([group, inner]) =>
    isFields(inner) && idOf(inner['propertyId']) !== null && group !== first.group ? [entryOf(inner, group)] : [],
  )
  return { name, title: propertyTitle(name), form: formOf(name), entries: [first, ...others] }
}

function entryOf(fields: Fields, group: string): PropertyEntry {
  const { propertyId, jobId, group: _, ...others } = fields
  const summary = Object.fromEntries(Object.entries(others).filter(([, value]) => !isFields(value)))
  return { group, propertyId: idOf(propertyId), jobId: idOf(jobId), summary }
}

/** A record of a property, as far as its summary says it. */
export interface PropertyRecord {
  readonly _id: string
  readonly data: Fields & { readonly name: string }
  readonly summary?: Fields
  readonly group?: string
  readonly caveat?: string
  readonly precision?: Fields
  readonly exabyteId?: string | readonly string[]
  readonly source?: {
    readonly info?: {
      readonly jobId?: string
      readonly methodId?: string
      readonly file?: string
      readonly elements?: readonly string[]
    }
  }
  readonly isBest?: boolean
  readonly createdAt?: string
}

/** Records of properties, each by itself: one name may be there several times. */
export function shownRecords(records: readonly PropertyRecord[]): readonly ShownProperty[] {
  return inOrder(
    records.map(({ _id, data: { name }, summary = {}, group = '', source, caveat }) => ({
      name,
      title: propertyTitle(name),
      form: formOf(name),
      entries: [{ group, propertyId: _id, jobId: source?.info?.jobId ?? null, summary, caveat }],
    })),
  )
}

/** A material shows gaps of all kinds as one field, which has the form of a scalar. */
function formOf(name: string): PropertyForm | null {
  return name === 'band_gap' ? 'gaps' : (knownProperty(name)?.form ?? null)
}

function inOrder(shown: readonly ShownProperty[]): readonly ShownProperty[] {
  const rank = ({ name }: ShownProperty) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return shown.toSorted((one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title))
}

/** What the summary of a property says in a few words; null where only its data say it. */
export function summaryText({ summary }: PropertyEntry): string | null {
  const { value, units, type, max, points, series, steps } = summary
  const unit = typeof units === 'string' ? units : ''
  if (typeof value === 'number')
    return [quantityText(value, unit), type].filter((part) => typeof part === 'string').join(' ')
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  if (typeof max === 'number') return `at most ${quantityText(max, unit)}`
  if (typeof points === 'number') return `${counted(series, 'curve')} of ${counted(points, 'point')}`
  return typeof steps === 'number' ? counted(steps, 'step') : null
}

/** What is told beside the value. */
export function remarkText({ summary: { direct, type, description }, caveat }: PropertyEntry): string | null {
  if (caveat !== undefined) return caveat
  if (typeof direct === 'number' && type !== 'direct') return `direct gap ${quantityText(direct, 'eV')}`
  return typeof description === 'string' ? description : null
}

function counted(count: unknown, one: string): string {
  return `${String(count)} ${one}${count === 1 ? '' : 's'}`
}

/** How exact a value is: mesh of k-points, cutoff. */
export interface Precision {
  readonly kpoints: string
  /** eV. */
  readonly cutoff: string
}

/** Reads what a record says of its precision; empty where it says nothing. */
export function precisionOf(precision: unknown): Precision {
  const { kgrid, kpoints, cutoff } = isFields(precision) ? precision : ({} as Fields)
  const mesh = Array.isArray(kgrid) ? kgrid.join(' × ') : typeof kpoints === 'number' ? `${kpoints} in all` : ''
  return { kpoints: mesh, cutoff: typeof cutoff === 'number' ? String(Number(cutoff.toFixed(1))) : '' }
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
