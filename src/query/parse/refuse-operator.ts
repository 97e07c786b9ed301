import { nearestName } from '../../kernel/nearest-name.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { isLogicalOperator, LOGICAL_OPERATORS } from '../operators/logical.ts'
import { REFUSED_OPERATORS } from '../operators/refused.ts'
import { FIELD_OPERATORS } from '../operators/registry.ts'
import { atKey, clip, type ParseContext, refusal } from './parse-context.ts'

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
  const near = nearestName(name, known)
  const hint = near === null ? `Known here are ${known.join(', ')}.` : `Did you mean ${near}?`
  return refusal(place, QUERY_ERRORS.unknownOperator, `Unknown query operator "${shown}" at ${context.place}.`, hint)
}

function misplaced(name: string, context: ParseContext, rule: string, hint: string): Error {
  const message = `${name} ${rule}, not at ${context.place}.`
  return refusal(atKey(context, name), QUERY_ERRORS.misplacedOperator, message, hint)
}
