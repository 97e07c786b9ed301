import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { UPDATE_OPERATORS, type ValueChange } from './update-operators.ts'

/** Change of the value at a path, which is never empty, nor any of its components. */
export interface FieldChange {
  readonly operator: string
  readonly path: readonly string[]
  readonly change: ValueChange
  /** Where `$rename` puts the value. */
  readonly target?: readonly string[]
}

/** Parsed update; no two of its paths are equal and none begins with another. */
export type RecordUpdate = readonly FieldChange[]

const OPERATORS = [...Object.keys(UPDATE_OPERATORS), '$rename']
const LONGEST_PATH = 1024
const MOST_COMPONENTS = 64

/** Reads the body of an update: fields by name or dotted path, or operators, each with fields: `{"$set": …, "$inc": …}`. */
export function parseUpdate(body: JsonObject): RecordUpdate {
  const operators = Object.keys(body).filter((key) => key.startsWith('$'))
  assertOperators(body, operators)
  const update =
    operators.length === 0
      ? readChanges('$set', body)
      : operators.flatMap((operator) => readChanges(operator, operand(body, operator)))
  assertNoConflict(update)
  return update
}

function assertOperators(body: JsonObject, operators: readonly string[]): void {
  for (const operator of operators) if (!OPERATORS.includes(operator)) throw unknownOperator(operator)
  const plain = Object.keys(body).find((key) => !key.startsWith('$'))
  if (plain !== undefined && operators.length > 0) {
    throw invalidUpdate(`An update with ${operators[0]} cannot have the field ${shown(plain)} beside it.`, plain, {
      hint: 'Move all fields into $set, or use no operators.',
    })
  }
}

function readChanges(operator: string, fields: JsonObject): FieldChange[] {
  return Object.entries(fields).map(([text, operand]): FieldChange => {
    const path = parsePath(text)
    if (operator === '$rename') return { operator, path, change: (value) => value, target: readTarget(operand, text) }
    const refusal = (message: string, hint: string): AppError =>
      invalidUpdate(`${operator} of ${shown(text)} ${message}.`, text, { hint })
    const change = UPDATE_OPERATORS[operator]?.(operand, { path, refusal }) ?? ((value) => value)
    return { operator, path, change }
  })
}

function readTarget(operand: Json, path: string): readonly string[] {
  const hint = 'For example {"$rename":{"oldName":"newName"}}.'
  if (operand === path) throw invalidUpdate(`$rename of ${shown(path)} gives it the name that it has.`, path, { hint })
  if (typeof operand === 'string') return parsePath(operand)
  throw invalidUpdate(`$rename of ${shown(path)} takes the new path, a text.`, path, { hint })
}

function operand(body: JsonObject, operator: string): JsonObject {
  const value = Object.hasOwn(body, operator) ? body[operator] : {}
  if (isJsonObject(value)) return value
  throw invalidUpdate(`${operator} takes an object of fields.`, operator, {
    hint: `For example {"${operator}":{"name":"Silicon"}}.`,
  })
}

function parsePath(path: string): readonly string[] {
  const components = path.split('.')
  if (components.includes('')) {
    throw invalidUpdate(`The path ${shown(path)} has an empty component.`, path, {
      hint: 'Write paths like lattice.a.',
    })
  }
  if (path.length > LONGEST_PATH || components.length > MOST_COMPONENTS) {
    const hint = `A path has at most ${MOST_COMPONENTS} components and ${LONGEST_PATH} characters.`
    throw invalidUpdate(`The path ${shown(path)} is too long.`, path, { hint })
  }
  const operator = components.find((component) => component.startsWith('$'))
  if (operator !== undefined) {
    const hint =
      'Positions ($, $[], $[name]) are not resolved: name elements by their index, tags.0, or use $pull and $push.'
    throw invalidUpdate(`The path ${shown(path)} has ${shown(operator)}, which an update cannot resolve.`, path, {
      hint,
    })
  }
  return components
}

/** After sorting by components, whatever a path is the beginning of follows it directly. */
function assertNoConflict(update: RecordUpdate): void {
  const paths = update.flatMap(({ path, target }) => (target === undefined ? [path] : [path, target]))
  paths.sort(compareComponents)
  for (let index = 1; index < paths.length; index++) {
    const [one, other] = [paths[index - 1] ?? [], paths[index] ?? []]
    if (!one.every((component, depth) => component === other[depth])) continue
    const path = other.join('.')
    const isSame = one.length === other.length
    const message = isSame
      ? `The update changes ${shown(path)} twice.`
      : `The update changes both ${shown(one.join('.'))} and ${shown(path)}.`
    const hint = isSame ? 'Name each field once, in one operator.' : 'Give each field once: the whole or its parts.'
    throw new AppError(RECORD_ERRORS.updateConflict, message, { path: path.slice(0, LONGEST_PATH), hint })
  }
}

function compareComponents(one: readonly string[], other: readonly string[]): number {
  const length = Math.min(one.length, other.length)
  for (let depth = 0; depth < length; depth++) {
    const [left = '', right = ''] = [one[depth], other[depth]]
    if (left !== right) return left < right ? -1 : 1
  }
  return one.length - other.length
}

/** Operators of MongoDB that are not here, with what to write in their place. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  $currentDate: 'Write the time: {"$set":{"checkedAt":"2024-01-31T12:00:00.000Z"}}. The record has its own updatedAt.',
  $setOnInsert: 'An update inserts nothing: use $set.',
  $bit: 'Read the number, and $set what it becomes.',
  $pushAll: 'Use {"$push":{"tags":{"$each":["a","b"]}}}.',
}

function unknownOperator(operator: string): AppError {
  const nearest = nearestName(operator, OPERATORS)
  const others = `An update has ${OPERATORS.join(', ')}; for anything else read the record and send what it becomes.`
  const hint = ELSEWHERE[operator] ?? (nearest === null ? others : `Did you mean ${nearest}?`)
  return invalidUpdate(`The update operator ${shown(operator)} is not supported.`, operator, { hint })
}

function invalidUpdate(message: string, path: string, { hint }: { readonly hint: string }): AppError {
  return new AppError(RECORD_ERRORS.invalidUpdate, message, { path: path.slice(0, LONGEST_PATH), hint })
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
