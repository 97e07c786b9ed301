import { isJsonObject, type Json, ownField } from '../../../kernel/json.ts'
import type { ExpressionValue } from '../../ast/expression.ts'
import { show } from '../../parse/parse-context.ts'
import { arrayFrom, objectFrom, textFrom } from '../arguments.ts'
import { bsonSize } from '../bson-size.ts'
import type { CallSite } from '../call-site.ts'
import { evaluateNode } from '../evaluate.ts'
import { type ExpressionOperator, type OperatorGroup, overArguments, overOne, readNamed } from '../operator.ts'
import { fieldOf, isArrayValue, isNullish, isPlainObject, objectOf } from '../read-value.ts'
import { spend, stepsToRead } from '../work-meter.ts'

/** Fields of objects by computed names, and names that a path cannot spell. */
export const OBJECT_OPERATORS: OperatorGroup = {
  $bsonSize: overOne((value, site, environment) => {
    if (isNullish(value)) return null
    return bsonSize(objectFrom(value, site), (steps) => spend(environment, steps, site.place))
  }),

  $getField: (operand, site) => {
    const isLong = isJsonObject(operand) && Object.hasOwn(operand, 'field')
    const named = isLong ? readNamed(operand, site, ['field'], ['input']) : { field: operand, input: undefined }
    const field = site.parse(named.field, isLong ? 'field' : undefined)
    const input = site.parse(named.input === undefined ? '$$CURRENT' : named.input, 'input')
    return (environment) => {
      spend(environment, 1, site.place)
      const name = textFrom(evaluateNode(field, environment), site, 'field')
      const object = evaluateNode(input, environment)
      if (object === null) return null
      return isPlainObject(object) ? fieldOf(object, name) : undefined
    }
  },

  $mergeObjects: overArguments(0, Number.POSITIVE_INFINITY, (values, site) => {
    const [only] = values
    const objects = values.length === 1 && isArrayValue(only) ? arrayFrom(only, site) : values
    const present = objects.filter((value) => !isNullish(value)).map((value) => objectFrom(value, site))
    return objectOf(present.flatMap((object) => Object.entries(object)))
  }),

  $setField: (operand, site) => {
    const named = readNamed(operand, site, ['field', 'input', 'value'], [])
    return settingField(named.field, named.input, named.value, site)
  },

  $unsetField: (operand, site) => {
    const named = readNamed(operand, site, ['field', 'input'], [])
    return settingField(named.field, named.input, '$$REMOVE', site)
  },
}

function settingField(
  fieldJson: Json,
  inputJson: Json,
  valueJson: Json,
  site: CallSite,
): ReturnType<ExpressionOperator> {
  const name = constantName(fieldJson, site)
  const input = site.parse(inputJson, 'input')
  const value = site.parse(valueJson, 'value')
  return (environment) => {
    const target = evaluateNode(input, environment)
    spend(environment, 1 + stepsToRead(target), site.place)
    if (isNullish(target)) return null
    const entries = Object.entries(objectFrom(target, site, 'input'))
    return withField(entries, name, evaluateNode(value, environment))
  }
}

function withField(
  entries: readonly (readonly [string, ExpressionValue])[],
  name: string,
  value: ExpressionValue,
): ExpressionValue {
  return value === undefined ? objectOf(entries.filter(([key]) => key !== name)) : objectOf([...entries, [name, value]])
}

/** The name must be known when the query is parsed; a name that begins with `$` is written with `$literal`. */
function constantName(json: Json, site: CallSite): string {
  const literal = isJsonObject(json) && Object.keys(json).length === 1 ? ownField(json, '$literal') : undefined
  if (typeof literal === 'string') return literal
  if (typeof json === 'string' && !json.startsWith('$')) return json
  throw site.refuse(
    `needs a constant string as field, given ${show(json)}`,
    'Write {"$literal":"$name"} for such names.',
  )
}
