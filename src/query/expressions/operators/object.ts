import { isJsonObject, type Json, ownField } from '../../../kernel/json.ts'
import { show } from '../../parse/parse-context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { arrayFrom, objectFrom, textFrom } from '../arguments.ts'
import { bsonSize } from '../bson-size.ts'
import {
  type ExpressionOperator,
  type OperatorGroup,
  overArguments,
  overOne,
  readNamed,
  type Two,
} from '../operator.ts'
import type { ParseSite } from '../parse-site.ts'
import { fieldOf, isArrayValue, isNullish, isPlainObject, objectOf } from '../read-value.ts'
import { spend, stepsToRead } from '../work-meter.ts'

/** The arguments are the name of the field, and the object. */
const getField: ExpressionOperator<Two, null> = {
  parse(operand, site) {
    const isLong = isJsonObject(operand) && Object.hasOwn(operand, 'field')
    const named = isLong ? readNamed(operand, site, ['field'], ['input']) : { field: operand, input: undefined }
    const field = site.parse(named.field, isLong ? 'field' : undefined)
    const input = site.parse(named.input === undefined ? '$$CURRENT' : named.input, 'input')
    return { args: [field, input], constants: null }
  },
  compile:
    ([field, input], _, site) =>
    (environment) => {
      spend(environment, 1, site.place)
      const name = textFrom(field(environment), site, 'field')
      const object = input(environment)
      if (object === null) return null
      return isPlainObject(object) ? fieldOf(object, name) : undefined
    },
}

const setField = settingField((operand, site) => readNamed(operand, site, ['field', 'input', 'value'], []))

const unsetField = settingField((operand, site) => ({
  ...readNamed(operand, site, ['field', 'input'], []),
  value: '$$REMOVE',
}))

/** Fields of objects by computed names, and names that a path cannot spell. */
export const OBJECT_OPERATORS: OperatorGroup = {
  $bsonSize: overOne((value, site, environment) => {
    if (isNullish(value)) return null
    return bsonSize(objectFrom(value, site), (steps) => spend(environment, steps, site.place))
  }),

  $getField: getField,

  $mergeObjects: overArguments(0, Number.POSITIVE_INFINITY, (values, site) => {
    const [only] = values
    const objects = values.length === 1 && isArrayValue(only) ? arrayFrom(only, site) : values
    const present = objects.filter((value) => !isNullish(value)).map((value) => objectFrom(value, site))
    return objectOf(present.flatMap((object) => Object.entries(object)))
  }),

  $setField: setField,
  $unsetField: unsetField,
}

/** The arguments are the object and the value; the constant is the name of the field. */
function settingField(
  read: (operand: Json, site: ParseSite) => Readonly<Record<'field' | 'input' | 'value', Json>>,
): ExpressionOperator<Two, string> {
  return {
    parse(operand, site) {
      const { field, input, value } = read(operand, site)
      const name = constantName(field, site)
      return { args: [site.parse(input, 'input'), site.parse(value, 'value')], constants: name }
    },
    compile:
      ([input, value], name, site) =>
      (environment) => {
        const target = input(environment)
        spend(environment, 1 + stepsToRead(target), site.place)
        if (isNullish(target)) return null
        const entries = Object.entries(objectFrom(target, site, 'input'))
        return withField(entries, name, value(environment))
      },
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
function constantName(json: Json, site: ParseSite): string {
  const literal = isJsonObject(json) && Object.keys(json).length === 1 ? ownField(json, '$literal') : undefined
  if (typeof literal === 'string') return literal
  if (typeof json === 'string' && !json.startsWith('$')) return json
  throw site.refuse(
    `needs a constant string as field, given ${show(json)}`,
    'Write {"$literal":"$name"} for such names.',
  )
}
