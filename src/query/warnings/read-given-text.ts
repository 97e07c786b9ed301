import type { Json } from '../../kernel/json.ts'

const NUMBER = String.raw`[-+−]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][-+]?\d+)?`
const ALONE = new RegExp(`^\\s*(${NUMBER})\\s*$`)
const WITH_UNIT = new RegExp(`^\\s*(${NUMBER})\\s*([^\\d\\s.,+-].{0,20})$`, 'u')
const COMPARED = new RegExp(`^\\s*(\\$?(?:gte|lte|gt|lt|eq|ne)|>=|<=|>|<|==?|!=|≥|≤)\\s*(${NUMBER})\\s*$`)
const BETWEEN = new RegExp(`^\\s*(${NUMBER})\\s*(?:-|–|\\.\\.+|to|:)\\s*(${NUMBER})\\s*$`)
const OPERATORS: Readonly<Record<string, string>> = {
  '>': '$gt',
  '>=': '$gte',
  '≥': '$gte',
  '<': '$lt',
  '<=': '$lte',
  '≤': '$lte',
  '!=': '$ne',
}
const TRUTHS: Readonly<Record<string, boolean>> = { true: true, yes: true, t: true, '1': true, on: true, wahr: true }
const FALSEHOODS: Readonly<Record<string, boolean>> = { false: false, no: false, f: false, '0': false, off: false }

/** What a text that stands in place of a number means, as a condition; null when it is no number. `unit` is what was left out. */
export function readNumberText(text: string): { readonly condition: Json; readonly unit: string | null } | null {
  const [, alone] = ALONE.exec(text) ?? []
  if (alone !== undefined) return { condition: numberOf(alone), unit: null }
  const [, sign, compared] = COMPARED.exec(text) ?? []
  if (sign !== undefined && compared !== undefined) {
    const operator = OPERATORS[sign] ?? (sign.startsWith('=') ? '$eq' : `$${sign.replace('$', '')}`)
    return { condition: operator === '$eq' ? numberOf(compared) : { [operator]: numberOf(compared) }, unit: null }
  }
  const [, from, to] = BETWEEN.exec(text) ?? []
  if (from !== undefined && to !== undefined)
    return { condition: { $gte: numberOf(from), $lte: numberOf(to) }, unit: null }
  const [, measured, unit] = WITH_UNIT.exec(text) ?? []
  return measured === undefined || unit === undefined ? null : { condition: numberOf(measured), unit: unit.trim() }
}

/** What a text, or a number, in place of true or false means; null when it is neither. */
export function readTruth(value: Json): boolean | null {
  const word = String(value).trim().toLowerCase()
  return TRUTHS[word] ?? FALSEHOODS[word] ?? null
}

function numberOf(text: string): number {
  return Number(text.replace('−', '-').replace(',', '.'))
}
