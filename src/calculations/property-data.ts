import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'
import { nearestName } from '../kernel/names.ts'
import {
  type KnownPropertyName,
  type NamedProperty,
  PROPERTY_NAMES,
  type PropertyForm,
} from '../page/property-names.ts'
import { convert } from '../page/units.ts'

/** Fault of the data of a property. */
export interface DataFault {
  /** Below the data, as a JSON pointer: `/value`. */
  readonly pointer: string
  /** Ends the sentence "Expected …". */
  readonly expected: string
}

/** Data of a property, held against what its name asks for. */
export interface PropertyReading {
  /** In the unit of the name; what was sent in another one is kept as `given`. */
  readonly data: JsonObject
  readonly faults: readonly DataFault[]
  /** Few scalars that say what is to be said of it in a list: a value with its unit, the smallest gap. */
  readonly summary: JsonObject
}

/** What everybody means by a name; null for a name of one's own. */
export function propertyNamed(name: string): NamedProperty | null {
  return Object.hasOwn(PROPERTY_NAMES, name) ? PROPERTY_NAMES[name as KnownPropertyName] : null
}

/** The known names of properties that are one number, with their titles and units. */
export function scalarProperties(): readonly (NamedProperty & { readonly name: string })[] {
  return Object.entries(PROPERTY_NAMES).flatMap(([name, named]) =>
    named.form === 'scalar' ? [{ name, ...named }] : [],
  )
}

/** A known name that one of one's own is nearly; null where none is near. */
export function nearPropertyName(name: string): string | null {
  return propertyNamed(name) === null ? nearestName(name, Object.keys(PROPERTY_NAMES)) : null
}

/** Whether a value is below what its name can have. */
export function isBelowLeast(data: JsonObject): boolean {
  const least = propertyNamed(String(ownField(data, 'name')))?.least
  if (least === undefined) return false
  const values = ownField(data, 'values')
  const each = isJsonArray(values) ? values.map((one) => (isJsonObject(one) ? ownField(one, 'value') : null)) : []
  return [ownField(data, 'value'), ...each].some((value) => typeof value === 'number' && value < least)
}

/** Reads the data of a property: checks what its name asks for, brings numbers into its unit. Data of other names are taken as they are. */
export function readPropertyData(data: JsonObject): PropertyReading {
  const known = propertyNamed(String(ownField(data, 'name')))
  if (known === null) return { data, faults: [], summary: ownSummary(data) }
  const { units } = known
  const reading = units === null ? { data, faults: [] } : inUnits(data, known.form, units)
  const faults = [...reading.faults, ...FORMS[known.form].faults(reading.data)]
  return { data: reading.data, faults, summary: faults.length > 0 ? {} : FORMS[known.form].summary(reading.data) }
}

/** A name of one's own says as much in a list as its scalars do. */
function ownSummary(data: JsonObject): JsonObject {
  const names = ['value', 'units', 'description'].filter((field) => isScalar(ownField(data, field)))
  return Object.fromEntries(names.map((field) => [field, data[field] as Json]))
}

function isScalar(value: Json | undefined): boolean {
  return ['number', 'string', 'boolean'].includes(typeof value)
}

function inUnits(data: JsonObject, form: PropertyForm, units: string): Pick<PropertyReading, 'data' | 'faults'> {
  const said = ownField(data, 'units') ?? units
  const factor = typeof said === 'string' ? convert(1, said, units) : null
  if (factor === null)
    return { data, faults: [{ pointer: '/units', expected: `${units}, or a unit that can be converted to it` }] }
  if (factor === 1) return { data: withGiven(data, units), faults: [] }
  const { field } = FORMS[form]
  const given = { ...(ownField(data, field) === undefined ? {} : { [field]: data[field] as Json }), units: said }
  const scaled = (value: Json): Json => scaledBy(value, (one) => convert(one, said as string, units) ?? one)
  const converted = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, FORMS[form].isMeasured(name) ? scaled(value) : value]),
  )
  return { data: { ...converted, units, given }, faults: [] }
}

/** What was given before is kept as long as it says the same. */
function withGiven(data: JsonObject, units: string): JsonObject {
  const { given, ...others } = data
  const isOf = isJsonObject(given) && isSameAsGiven(given, data, units)
  return { ...others, units, ...(isOf ? { given: given as Json } : {}) }
}

function isSameAsGiven(given: JsonObject, data: JsonObject, units: string): boolean {
  return Object.entries(given).every(([field, value]) => {
    if (field === 'units') return true
    const converted = scaledBy(value, (one) => convert(one, String(ownField(given, 'units')), units) ?? one)
    return JSON.stringify(converted) === JSON.stringify(ownField(data, field))
  })
}

/** Numbers of whatever depth, each put through a function; the places of sites stay what they are. */
function scaledBy(value: Json, scale: (value: number) => number): Json {
  if (typeof value === 'number') return scale(value)
  if (isJsonArray(value)) return value.map((item) => scaledBy(item, scale))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === 'id' ? item : scaledBy(item, scale)]),
  )
}

/** More elements, or longer names, are no potentials of one energy. */
const MOST_POTENTIALS = 30
const LONGEST_POTENTIAL = 200

function arePotentials(potentials: Json | undefined): potentials is JsonObject {
  if (!isJsonObject(potentials)) return false
  const titles = Object.values(potentials)
  return (
    titles.length <= MOST_POTENTIALS &&
    titles.every((title) => typeof title === 'string' && title.length <= LONGEST_POTENTIAL)
  )
}

/** What data of a form look like. */
interface FormOfData {
  /** The field that has the numbers. */
  readonly field: string
  /** Tells fields whose numbers are in the unit of the name. */
  readonly isMeasured: (field: string) => boolean
  readonly faults: (data: JsonObject) => readonly DataFault[]
  readonly summary: (data: JsonObject) => JsonObject
}

const FORMS: Readonly<Record<PropertyForm, FormOfData>> = {
  scalar: {
    ...ofField('value', isNumber, 'a number'),
    summary: ({ value, units, potentials }) => ({
      value: value as Json,
      units: units as Json,
      ...(arePotentials(potentials) ? { potentials } : {}),
    }),
  },
  tensor: {
    ...ofField('value', (value) => isJsonArray(value) && value.every(isRow), 'rows of numbers'),
    summary: ({ units }) => ({ units: units as Json }),
  },
  sites: {
    ...ofField(
      'values',
      (value) => isJsonArray(value) && value.every(isOfSite),
      'a list of {"id","value"}, one for each site',
    ),
    summary: ({ values, units }) => ({ max: largestOf(values as readonly JsonObject[]), units: units as Json }),
  },
  contributions: {
    field: 'contributions',
    isMeasured: (field) => !['name', 'units', 'given'].includes(field),
    faults: () => [],
    summary: ({ units }) => ({ units: units as Json }),
  },
  curves: { field: 'yDataSeries', isMeasured: () => false, faults: faultsOfCurves, summary: summaryOfCurves },
  gaps: {
    ...ofField(
      'values',
      (value) => isJsonArray(value) && value.every(isGap),
      'a list of {"type":"direct" or "indirect","value"}',
    ),
    isMeasured: () => false,
    summary: summaryOfGaps,
  },
  steps: {
    ...ofField('data', isJsonArray, 'a list of steps'),
    summary: ({ data }) => ({ steps: (data as readonly Json[]).length }),
  },
  spectrum: { ...ofField('values', isJsonArray, 'a list of {"part","frequencies","components"}'), summary: () => ({}) },
}

function ofField(field: string, isRight: (value: Json | undefined) => boolean, expected: string) {
  return {
    field,
    isMeasured: (name: string) => name === field,
    faults: (data: JsonObject): readonly DataFault[] =>
      isRight(ownField(data, field)) ? [] : [{ pointer: `/${field}`, expected }],
  }
}

function isNumber(value: Json | undefined): boolean {
  return typeof value === 'number'
}

function isRow(value: Json | undefined): boolean {
  return isJsonArray(value) && value.every(isNumber)
}

function isOfSite(value: Json): boolean {
  if (!isJsonObject(value) || !isNumber(ownField(value, 'id'))) return false
  const given = ownField(value, 'value')
  return isNumber(given) || isRow(given)
}

function largestOf(values: readonly JsonObject[]): number {
  return values.reduce((most, { value }) => {
    const size = isJsonArray(value) ? Math.hypot(...(value as readonly number[])) : Math.abs(value as number)
    return Math.max(most, size)
  }, 0)
}

function isGap(value: Json): boolean {
  return (
    isJsonObject(value) &&
    isNumber(ownField(value, 'value')) &&
    ['direct', 'indirect'].includes(String(ownField(value, 'type')))
  )
}

/** The smallest gap, and the smallest direct one, in eV; where there is none, none is direct or indirect. */
function summaryOfGaps({ values }: JsonObject): JsonObject {
  const gaps = (values as readonly JsonObject[]).map(({ type, value, units = 'eV' }) => ({
    type: type as string,
    value: convert(value as number, String(units), 'eV') ?? Number.NaN,
  }))
  const smallest = (some: typeof gaps) =>
    some.reduce<(typeof gaps)[number] | null>(
      (least, gap) => (least === null || gap.value < least.value ? gap : least),
      null,
    )
  const [least, direct] = [smallest(gaps), smallest(gaps.filter(({ type }) => type === 'direct'))]
  if (least === null || !Number.isFinite(least.value)) return {}
  if (least.value === 0) return { value: 0, units: 'eV' }
  return { value: least.value, units: 'eV', type: least.type, ...(direct === null ? {} : { direct: direct.value }) }
}

function faultsOfCurves(data: JsonObject): readonly DataFault[] {
  const [points, series] = [ownField(data, 'xDataArray'), ownField(data, 'yDataSeries')]
  if (!isJsonArray(points)) return [{ pointer: '/xDataArray', expected: 'a list of points' }]
  if (!isJsonArray(series) || !series.every(isRow))
    return [{ pointer: '/yDataSeries', expected: 'a list of curves, each a list of numbers' }]
  const odd = series.findIndex((curve) => (curve as readonly Json[]).length !== points.length)
  return odd < 0
    ? []
    : [{ pointer: `/yDataSeries/${odd}`, expected: `${points.length} numbers, one for each point of xDataArray` }]
}

function summaryOfCurves({ xDataArray, yDataSeries }: JsonObject): JsonObject {
  return { points: (xDataArray as readonly Json[]).length, series: (yDataSeries as readonly Json[]).length }
}
