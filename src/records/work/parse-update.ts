import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import { RECORD_ERRORS } from '../errors.ts'

/** One field that an update sets; `path` is never empty, nor any of its components. */
export interface FieldSetting {
  readonly path: readonly string[]
  readonly value: Json
}

/** Values that come into the list at a path, or leave it. */
export interface ListChange {
  readonly path: readonly string[]
  readonly values: readonly Json[]
}

/** Parsed update; no two of its paths are equal and none begins with another. */
export interface RecordUpdate {
  readonly set: readonly FieldSetting[]
  readonly unset: readonly (readonly string[])[]
  /** Values appended to lists that do not have them yet. */
  readonly add: readonly ListChange[]
  /** Values removed from lists, however often they have them. */
  readonly pull: readonly ListChange[]
}

const OPERATORS = ['$set', '$unset', '$addToSet', '$pull']
const LONGEST_PATH = 1024
const MOST_COMPONENTS = 64

/** Reads the body of an update: fields by name or dotted path, or `{"$set": …, "$unset": …, "$addToSet": …, "$pull": …}`. */
export function parseUpdate(body: JsonObject): RecordUpdate {
  const operators = Object.keys(body).filter((key) => key.startsWith('$'))
  const update =
    operators.length === 0 ? { set: readSettings(body), unset: [], add: [], pull: [] } : readOperators(body, operators)
  assertNoConflict(update)
  return update
}

/** Tells whether an update changes nothing. */
export function isEmptyUpdate({ set, unset, add, pull }: RecordUpdate): boolean {
  return [set, unset, add, pull].every((part) => part.length === 0)
}

function readOperators(body: JsonObject, operators: readonly string[]): RecordUpdate {
  for (const operator of operators) if (!OPERATORS.includes(operator)) throw unknownOperator(operator)
  const plain = Object.keys(body).find((key) => !key.startsWith('$'))
  if (plain !== undefined) {
    throw invalidUpdate(`An update with ${operators[0]} cannot have the field ${shown(plain)} beside it.`, plain, {
      hint: 'Move all fields into $set, or use no operators.',
    })
  }
  const unset = Object.keys(operand(body, '$unset')).map((path) => parsePath(path))
  return {
    set: readSettings(operand(body, '$set')),
    unset,
    add: readListChanges(body, '$addToSet'),
    pull: readListChanges(body, '$pull'),
  }
}

/** In place of a value, what means several; as in MongoDB, whose other conditions are refused. */
const SEVERAL = { $addToSet: '$each', $pull: '$in' } as const

function readListChanges(body: JsonObject, operator: keyof typeof SEVERAL): ListChange[] {
  return Object.entries(operand(body, operator)).map(([path, value]) => ({
    path: parsePath(path),
    values: valuesOf(value, operator, path),
  }))
}

function valuesOf(value: Json, operator: keyof typeof SEVERAL, path: string): readonly Json[] {
  if (!isJsonObject(value)) return [value]
  const [key, ...others] = Object.keys(value)
  if (key === undefined || !key.startsWith('$')) return [value]
  const several = SEVERAL[operator]
  const values = value[several]
  if (key === several && others.length === 0 && isJsonArray(values)) return values
  throw invalidUpdate(`${operator} takes a value for ${shown(path)}, or {"${several}":[…]} for several.`, path, {
    hint: `For example {"${operator}":{"tags":{"${several}":["checked","bulk"]}}}.`,
  })
}

function operand(body: JsonObject, operator: string): JsonObject {
  const value = Object.hasOwn(body, operator) ? body[operator] : {}
  if (isJsonObject(value)) return value
  throw invalidUpdate(`${operator} takes an object of fields.`, operator, {
    hint: `For example {"${operator}":{"name":"Silicon"}}.`,
  })
}

function readSettings(fields: JsonObject): FieldSetting[] {
  return Object.entries(fields).map(([path, value]) => ({ path: parsePath(path), value }))
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
    const hint = 'Name array elements by their index, for instance tags.0.'
    throw invalidUpdate(`The path ${shown(path)} has ${shown(operator)}, which an update cannot resolve.`, path, {
      hint,
    })
  }
  return components
}

/** After sorting by components, whatever a path is the beginning of follows it directly. */
function assertNoConflict({ set, unset, add, pull }: RecordUpdate): void {
  const paths = [...[...set, ...add, ...pull].map(({ path }) => path), ...unset].sort(compareComponents)
  for (let index = 1; index < paths.length; index++) {
    const [one, other] = [paths[index - 1] ?? [], paths[index] ?? []]
    if (!one.every((component, depth) => component === other[depth])) continue
    const path = other.join('.')
    throw new AppError(
      RECORD_ERRORS.updateConflict,
      `The update changes both ${shown(one.join('.'))} and ${shown(path)}.`,
      {
        path: path.slice(0, LONGEST_PATH),
        hint: 'Give each field once: the whole or its parts.',
      },
    )
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

function unknownOperator(operator: string): AppError {
  const nearest = nearestName(operator, OPERATORS)
  const hint =
    nearest === null
      ? 'An update has $set, $unset, $addToSet and $pull; for anything else read the record and send what it becomes.'
      : `Did you mean ${nearest}?`
  return invalidUpdate(`The update operator ${shown(operator)} is not supported.`, operator, { hint })
}

function invalidUpdate(message: string, path: string, { hint }: { readonly hint: string }): AppError {
  return new AppError(RECORD_ERRORS.invalidUpdate, message, { path: path.slice(0, LONGEST_PATH), hint })
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
