import { isJsonObject, type Json, ownField } from '../../../kernel/json.ts'
import { show } from '../../context.ts'
import { readLiteral } from '../../patterns/parse-literal.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { arrayFrom, objectFrom, textFrom } from '../language/arguments.ts'
import { type ExpressionEvaluator, environmentOf, spend, stepsToRead, withVariable } from '../language/environment.ts'
import type { ParseSite } from '../language/expression-context.ts'
import {
  type ArgumentNames,
  type ExpressionOperator,
  type One,
  type OperatorGroup,
  overArguments,
  overOne,
  readNamed,
  type Several,
  type Two,
} from '../language/operator.ts'
import { fieldOf, isArrayValue, isNullish, isPlainObject, objectOf, typeName } from '../language/read-value.ts'

/** Bytes of one value by its type, without its name: https://bsonspec.org/spec.html */
const FIXED_SIZES: Readonly<Record<string, number>> = { null: 0, bool: 1, int: 4, long: 8, double: 8, date: 8 }

/** Counts the bytes that an object would take in BSON; `pay` is told of the steps that it takes. */
export function bsonSize(value: ExpressionValue, pay: (steps: number) => void): number {
  if (typeof value === 'string') return 4 + Buffer.byteLength(value) + 1
  if (!isArrayValue(value) && !isPlainObject(value)) return FIXED_SIZES[typeName(value)] ?? 0
  const entries = Object.entries(value)
  pay(entries.length)
  const fields = entries.map(([name, field]) => 1 + Buffer.byteLength(name) + 1 + bsonSize(field, pay))
  return 4 + fields.reduce((sum, size) => sum + size, 0) + 1
}

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

/** The arguments are the values of the variables and, last, what is computed with them; the constants name the variables. */
const letVariables: ExpressionOperator<Several, ArgumentNames> = {
  parse(operand, site) {
    const named = readNamed(operand, site, ['vars', 'in'], [])
    if (!isJsonObject(named.vars)) throw site.refuse(`needs an object as vars, given ${show(named.vars)}`)
    // The variables do not see each other.
    const values = Object.entries(named.vars).map(([name, json]) => site.parse(json, `vars.${name}`))
    const names = Object.keys(named.vars)
    return { args: [...values, site.parse(named.in, 'in', names)], constants: names }
  },
  compile(args, names, site) {
    const body = args.at(-1) as ExpressionEvaluator
    const values = args.slice(0, -1)
    return (environment) => {
      spend(environment, 1 + names.length, site.place)
      const computed = values.map((value) => value(environment))
      return body(names.reduce((scope, name, at) => withVariable(scope, name, computed[at]), environment))
    }
  },
}

/** A value that is not read as an expression; nothing is paid for it. */
const literal: ExpressionOperator<One, null> = {
  parse: (operand, site) => ({ args: [readLiteral(operand, site.context)], constants: null }),
  compile([constant]) {
    const value = constant({ ...environmentOf({}), meter: { spent: Number.NEGATIVE_INFINITY } })
    return () => value
  },
}

/** Names for values, and values that are not read as expressions. */
export const VARIABLE_OPERATORS: OperatorGroup = { $let: letVariables, $const: literal, $literal: literal }
