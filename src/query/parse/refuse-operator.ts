import { nearestName } from '../../kernel/names.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { EXPRESSION_OPERATORS } from '../expressions/registry.ts'
import { isLogicalOperator, LOGICAL_OPERATORS } from '../operators/logical.ts'
import { OTHER_NAMES } from '../operators/other-names.ts'
import { REFUSED_OPERATORS } from '../operators/refused.ts'
import { FIELD_OPERATORS } from '../operators/registry.ts'
import { atKey, clip, type ParseContext, refusal, show } from './parse-context.ts'

/** The names that may stand where field names stand. */
export const TOP_LEVEL_NAMES: readonly string[] = [...Object.keys(LOGICAL_OPERATORS), '$expr', '$comment']

/** Refuses a $-name that stands where a field name should, at the top of a filter. */
export function refuseTopLevel(name: string, context: ParseContext): Error {
  if (FIELD_OPERATORS.has(name)) {
    return misplaced(name, context, 'stands within a field', `Write {"field":{"${name}":…}}.`)
  }
  return refuse(name, context, TOP_LEVEL_NAMES)
}

/** Refuses a $-name that stands beside the operators of a field. */
export function refuseFieldOperator(name: string, context: ParseContext): Error {
  if (isLogicalOperator(name)) {
    const hint = name === '$nor' ? 'Use $not here, or $nor around the field.' : `Write {"${name}":[{"field":…},…]}.`
    return misplaced(name, context, 'joins whole conditions and stands outside of a field', hint)
  }
  if (name === '$expr') return misplaced(name, context, 'asks of the whole document', 'Write {"$expr":…} at the top.')
  return refuse(name, context, [...FIELD_OPERATORS.keys()])
}

/** Refuses a field name among operators. */
export function refuseFieldName(name: string, context: ParseContext): Error {
  const shown = clip(name, 120)
  return refusal(
    atKey(context, name),
    QUERY_ERRORS.misplacedOperator,
    `Operators and the field "${shown}" are mixed at ${context.place}.`,
    `For a field within, use the dotted path ending in ".${shown}".`,
  )
}

function refuse(name: string, context: ParseContext, known: readonly string[]): Error {
  const place = atKey(context, name)
  const shown = clip(name, 120)
  const refused = REFUSED_OPERATORS.get(name)
  if (refused !== undefined) {
    const message = `${shown} is not supported, at ${context.place}. ${refused.reason}`
    return refusal(place, QUERY_ERRORS.unsupportedOperator, message, refused.instead)
  }
  const message = `Unknown query operator "${shown}" at ${context.place}.`
  return refusal(place, QUERY_ERRORS.unknownOperator, message, hintFor(name, known))
}

function hintFor(name: string, known: readonly string[]): string {
  const elsewhere = OTHER_NAMES.get(name)
  if (elsewhere !== undefined) return elsewhere
  const near = nearestName(name, known)
  if (near !== null) return `Did you mean ${near}?`
  if (EXPRESSION_OPERATORS.has(name)) return `It is an operator of expressions: {"$expr":{"${name}":…}}.`
  const listed = `Known here are ${known.join(', ')}.`
  return name.includes('.') ? `Names of fields stand without $: ${show({ [name.slice(1)]: '…' })}. ${listed}` : listed
}

function misplaced(name: string, context: ParseContext, rule: string, hint: string): Error {
  const message = `${name} ${rule}, not at ${context.place}.`
  return refusal(atKey(context, name), QUERY_ERRORS.misplacedOperator, message, hint)
}
