import type { Condition, Scalar } from '../conditions.ts'
import type { Piece } from './piece.ts'

/** Fields of which a record has one value: two of them beside each other are alternatives. */
const OF_ONE_VALUE = new Set([
  '_id',
  'formula',
  'anonymousFormula',
  'spaceGroup.number',
  'spaceGroup.crystalSystem',
  'spaceGroup.pointGroup',
  'prototype.strukturbericht',
  'prototype.name',
  'lattice.type',
])

/** Conditions of which all hold, as one. */
export function allOf(conditions: readonly Condition[]): Condition {
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? only : { kind: 'allOf', conditions }
}

/** Conditions of which one holds, as one. */
export function oneOfAny(conditions: readonly Condition[]): Condition {
  const [first] = conditions
  if (conditions.length === 1 && first !== undefined) return first
  const symbols = conditions.flatMap((one) => (isElement(one) ? one.symbols : []))
  if (conditions.every(isElement)) return { kind: 'elements', mode: 'any', symbols: [...new Set(symbols)] }
  const [path] = conditions.map((one) => (one.kind === 'values' ? one.path : null))
  if (path === null || path === undefined) return { kind: 'anyOf', conditions }
  const values: Scalar[] = []
  for (const one of conditions) {
    if (one.kind !== 'values' || one.path !== path) return { kind: 'anyOf', conditions }
    values.push(...one.values)
  }
  return { kind: 'values', path, values: [...new Set(values)] }
}

function isElement(one: Condition): one is Condition & { readonly kind: 'elements' } {
  return one.kind === 'elements' && (one.mode === 'any' || (one.mode === 'all' && one.symbols.length === 1))
}

/** A condition that does not hold. */
export function negated(condition: Condition): Condition {
  if (isElement(condition)) return { ...condition, mode: 'none' }
  if (condition.kind === 'anyOf') return { kind: 'noneOf', conditions: condition.conditions }
  return { kind: 'noneOf', conditions: [condition] }
}

/** Pieces with those put together that are of one thing: elements that are all asked for, or none of which is; values of which a record has one. */
export function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const at = all.findIndex((other) => togetherWith(other, piece) !== null)
    const other = all[at]
    const both = other === undefined ? null : togetherWith(other, piece)
    if (both === null) all.push(piece)
    else all[at] = both
  }
  return all
}

function togetherWith(one: Piece, other: Piece): Piece | null {
  const [first, second] = [one.condition, other.condition]
  if (JSON.stringify(first) === JSON.stringify(second)) return one
  if (first.kind === 'elements' && second.kind === 'elements') {
    if (first.mode !== second.mode || (first.mode !== 'all' && first.mode !== 'none')) return null
    const symbols = [...new Set([...first.symbols, ...second.symbols])]
    const text = symbols.map((symbol) => (first.mode === 'none' ? `not ${symbol}` : symbol)).join(', ')
    return { text, condition: { ...first, symbols }, otherwise: [] }
  }
  const isAlternative =
    (first.kind === 'system' && second.kind === 'system') ||
    (isAnyOfSystems(first) && second.kind === 'system') ||
    (first.kind === 'values' && second.kind === 'values' && first.path === second.path && OF_ONE_VALUE.has(first.path))
  if (!isAlternative) return null
  const conditions = first.kind === 'anyOf' ? [...first.conditions, second] : [first, second]
  return { text: `${one.text} or ${other.text}`, condition: oneOfAny(conditions), otherwise: [] }
}

function isAnyOfSystems(condition: Condition): boolean {
  return condition.kind === 'anyOf' && condition.conditions.every(({ kind }) => kind === 'system')
}
