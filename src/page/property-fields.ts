import { groupWords, knownProperty, propertyTitle, unitText } from './property-words.ts'

/** A field of what materials show of their properties. */
export interface PropertyField {
  readonly title: string
  readonly unit?: string
  /** Whether people ask for it before all others of its property. */
  readonly isMain: boolean
}

/** Words that parts of a property that have its unit have after its title. */
const MEASURED: Readonly<Record<string, string>> = { value: '', direct: 'direct', max: 'largest' }
const OTHERS: Readonly<Record<string, string>> = {
  type: 'kind',
  units: 'unit',
  group: 'method',
  jobId: 'job',
  propertyId: 'record',
}

/** Title and unit of a path such as `properties.band_gap.value`; null for a path to anything else. */
export function propertyField(path: string): PropertyField | null {
  const [first, name = '', ...rest] = path.split('.')
  if (first !== 'properties' || name === '') return null
  if (rest.at(-2) === 'potentials') return potentialField(name, rest)
  if (rest.length > 2) return null
  const field = rest.at(-1)
  const group = rest.length === 2 ? rest[0] : undefined
  const title = titled(propertyTitle(name), field)
  const unit = field !== undefined && Object.hasOwn(MEASURED, field) ? knownProperty(name)?.units : undefined
  return {
    title: group === undefined ? title : `${title}: ${groupWords(group)}`,
    ...(typeof unit === 'string' ? { unit: unitText(unit) } : {}),
    isMain: group === undefined && field !== undefined && !['units', 'jobId', 'propertyId'].includes(field),
  }
}

/** The potential of an element that an energy was computed with. */
function potentialField(name: string, rest: readonly string[]): PropertyField {
  const group = rest.length === 3 ? `: ${groupWords(rest[0] ?? '')}` : ''
  return { title: `${propertyTitle(name)}, potential of ${rest.at(-1)}${group}`, isMain: false }
}

function titled(title: string, field: string | undefined): string {
  if (field === undefined || MEASURED[field] === '') return title
  const word = MEASURED[field] ?? OTHERS[field]
  // Groups have names of their own.
  return word === undefined && field.includes(':') ? `${title}: ${groupWords(field)}` : `${title}, ${word ?? field}`
}
