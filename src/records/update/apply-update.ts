import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField, setOwnField } from '../../kernel/json.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { describeGiven } from '../violation.ts'
import type { RecordUpdate } from './parse-update.ts'

type MutableObject = Record<string, Json>
type Container = MutableObject | Json[]

const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,8})$/

/** Carries an update out on a freshly parsed document, which it changes and gives back. */
export function applyUpdate(document: MutableObject, update: RecordUpdate): JsonObject {
  for (const path of update.unset) unsetField(document, path)
  for (const { path, value } of update.set) setField(document, path, value)
  return document
}

function setField(document: MutableObject, path: readonly string[], value: Json): void {
  let container: Container = document
  for (let depth = 1; depth < path.length; depth++) {
    const at = path.slice(0, depth)
    const child: Json = childOf(container, at.at(-1) ?? '') ?? assign(container, at, {}, path)
    if (!isContainer(child)) throw notAContainer(child, at, path)
    container = child
  }
  assign(container, path, value, path)
}

/** As in MongoDB, an element of an array becomes null so that the others keep their places; what is not there stays so. */
function unsetField(document: MutableObject, path: readonly string[]): void {
  let container: Container = document
  for (const component of path.slice(0, -1)) {
    const child = childOf(container, component)
    if (!isContainer(child)) return
    container = child
  }
  const last = path.at(-1) ?? ''
  if (childOf(container, last) === undefined) return
  if (Array.isArray(container)) container[Number(last)] = null
  else delete container[last]
}

function childOf(container: Container, component: string): Json | undefined {
  if (!Array.isArray(container)) return ownField(container, component)
  return ARRAY_INDEX.test(component) ? container[Number(component)] : undefined
}

/** Puts a value at the last component of `at`; `path` is what the client wrote. */
function assign(container: Container, at: readonly string[], value: Json, path: readonly string[]): Json {
  const component = at.at(-1) ?? ''
  if (!Array.isArray(container)) {
    setOwnField(container, component, value)
    return value
  }
  const index = ARRAY_INDEX.test(component) ? Number(component) : Number.POSITIVE_INFINITY
  if (index > container.length) throw noSuchElement(container, at, path)
  container[index] = value
  return value
}

function notAContainer(value: Json, at: readonly string[], path: readonly string[]): AppError {
  const parent = at.join('.')
  return invalidUpdate(
    `${JSON.stringify(path.join('.'))} cannot be set, since ${parent} is ${describeGiven(value)}.`,
    path,
    `Set ${parent} as a whole.`,
  )
}

function noSuchElement(array: readonly Json[], at: readonly string[], path: readonly string[]): AppError {
  const [parent, component] = [at.slice(0, -1).join('.'), JSON.stringify(at.at(-1))]
  return invalidUpdate(
    `${JSON.stringify(path.join('.'))} cannot be set: ${component} is no index of ${parent}, ${describeGiven(array)}.`,
    path,
    `Indexes from 0 to ${array.length} are possible; ${array.length} appends.`,
  )
}

function invalidUpdate(message: string, path: readonly string[], hint: string): AppError {
  return new AppError(RECORD_ERRORS.invalidUpdate, message, { path: path.join('.'), hint })
}

/** The document was parsed for this update alone, so it may be changed although the types of JSON are read-only. */
function isContainer(value: Json | undefined): value is Container {
  return value !== undefined && (isJsonArray(value) || isJsonObject(value))
}
