import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { type KnownPropertyName, PROPERTY_NAMES } from '../../../page/property-names.ts'
import { take, takeWhole } from '../../../structure/formats/json/json-fields.ts'
import { type Result, scalar } from '../../calculation.ts'

/** A field of records that is a number: its name, and the property that it is in the property's own unit. */
export type ScalarField = readonly [field: string, property: KnownPropertyName]

/** A number that a field is, or nothing; what is no number stays in the rest. */
export function takeNumber(record: JsonObject, field: string): number | undefined {
  const value = ownField(record, field)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  takeWhole(record, field)
  return value
}

/** Looks at a number and leaves it in the rest. */
export function peekNumber(record: JsonObject, field: string): number | undefined {
  const value = ownField(record, field)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Results of the fields that are numbers; of several for one property the first. `prefix` stands before their names. */
export function takeScalars(record: JsonObject, fields: readonly ScalarField[], prefix = ''): readonly Result[] {
  const found = new Map<string, Result>()
  for (const [field, property] of fields) {
    if (found.has(property)) continue
    const value = takeNumber(record, `${prefix}${field}`)
    if (value !== undefined) found.set(property, scalar(property, value, PROPERTY_NAMES[property].units ?? ''))
  }
  return [...found.values()]
}

export interface FundamentalGap {
  /** In eV. */
  readonly value: number
  readonly isDirect: boolean | undefined
  /** In eV. */
  readonly valence?: number | undefined
  /** In eV. */
  readonly conduction?: number | undefined
}

/** A band gap with its kind; without the kind, which the form of gaps needs, as a number alone. */
export function gapResult({ value, isDirect, valence, conduction }: FundamentalGap): Result {
  if (isDirect === undefined) return scalar('band_gap', value, 'eV')
  const gap = {
    type: isDirect ? 'direct' : 'indirect',
    value,
    units: 'eV',
    ...(valence === undefined ? {} : { eigenvalueValence: valence }),
    ...(conduction === undefined ? {} : { eigenvalueConduction: conduction }),
  }
  return { name: 'band_gaps', data: { values: [gap] } }
}

/** An object that is in a field and whose fields are taken by themselves. */
export function takeObject(record: JsonObject, field: string): JsonObject | undefined {
  const value = ownField(record, field)
  if (!isJsonObject(value)) return undefined
  take(record, field)
  return value
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A matrix of numbers, or nothing where it is none of so many rows and columns. */
export function matrixOf(value: Json | undefined, size: number): readonly (readonly number[])[] | undefined {
  if (!isJsonArray(value) || value.length !== size) return undefined
  const rows = value.flatMap((row) => (isJsonArray(row) && row.length === size && row.every(isNumber) ? [row] : []))
  return rows.length === size ? rows.map((row) => row.filter(isNumber)) : undefined
}

function isNumber(value: Json): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** A tensor of a field, in the property's own unit. */
export function takeTensor(record: JsonObject, field: string, property: KnownPropertyName): readonly Result[] {
  const value = matrixOf(ownField(record, field), 6)
  if (value === undefined) return []
  takeWhole(record, field)
  return [{ name: property, data: { value, units: PROPERTY_NAMES[property].units ?? '' } }]
}
