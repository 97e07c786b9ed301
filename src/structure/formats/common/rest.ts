import { isJsonArray, isJsonObject, type Json, type JsonObject, setOwnField } from '../../../kernel/json.ts'
import type { Rest, StructureWarning } from '../../crystal.ts'
import { readNumber, shorten } from './text.ts'

/** Values by name that know which of them were asked for: a name that a reader forgets is in the rest, not gone. */
export class NamedValues<Value> {
  readonly #values = new Map<string, Value>()
  readonly #taken = new Set<string>()

  set(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  /** Takes a value. */
  get(name: string): Value | undefined {
    this.#taken.add(name)
    return this.#values.get(name)
  }

  /** Looks at a value and leaves it. */
  peek(name: string): Value | undefined {
    return this.#values.get(name)
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** What nobody has taken. */
  get rest(): readonly (readonly [name: string, value: Value])[] {
    return [...this.#values].filter(([name]) => !this.#taken.has(name))
  }
}

const LONGEST_EXACT = 17

/** A word as the value that it says: a number or a truth value where writing that gives no other word. */
export function valueOfText(text: string): Json {
  if (/^(?:true|\.true\.|t)$/i.test(text)) return true
  if (/^(?:false|\.false\.|f)$/i.test(text)) return false
  // 0012 is a name, and what has more digits than a double would change.
  if (/^[+-]?0\d/.test(text) || text.replace(/\D/g, '').length > LONGEST_EXACT) return text
  return readNumber(text) ?? text
}

/** Characters, as JSON, of what is kept of one structure. */
const MOST_KEPT = 16 * 1024
const LONGEST_VALUE = 1024
const MOST_LEVELS = 6

/** Parts the rest of a file: small values are kept, by their names; per-atom lists, what is large, and what has a name that no path can name are left out. */
export function settleRest({ values, leftOut }: Rest, atoms: number): Rest {
  const keeper = new RestKeeper(atoms, leftOut)
  return { values: keeper.keep(values, '', 1), leftOut: keeper.leftOut }
}

class RestKeeper {
  readonly leftOut: string[]
  readonly #atoms: number
  #room = MOST_KEPT

  constructor(atoms: number, leftOut: readonly string[]) {
    this.#atoms = atoms
    this.leftOut = [...leftOut]
  }

  keep(object: JsonObject, path: string, level: number): JsonObject {
    const kept: Record<string, Json> = {}
    for (const [key, given] of Object.entries(object)) {
      const value = this.#settled(key, unpackNumpy(given), path, level)
      if (!isEmpty(value)) setOwnField(kept, key, value)
    }
    return kept
  }

  /** The value as it is kept; null where nothing of it is. */
  #settled(key: string, value: Json, path: string, level: number): Json {
    const name = `${path}${key}`
    const isOfAtoms = isPerAtom(value, this.#atoms)
    if (isEmpty(value) || (isOfAtoms && !saysSomething(value))) return null
    const isNamed = isPlainName(key)
    if (isJsonObject(value) && isNamed && level < MOST_LEVELS) return this.keep(value, `${name}.`, level + 1)
    const cost = name.length + (isNamed && !isOfAtoms ? lengthOf(value) : Infinity)
    if (cost > this.#room) {
      this.leftOut.push(`${shorten(name)}${shapeOf(value)}`)
      return null
    }
    this.#room -= cost
    return value
  }
}

/** Characters of a value that is small and comes out of JSON as the file has it; infinite for others. */
function lengthOf(value: Json): number {
  if (!isExact(value)) return Infinity
  const { length } = JSON.stringify(value)
  return length <= LONGEST_VALUE ? length : Infinity
}

function isPlainName(key: string): boolean {
  return key !== '' && !/^\$|[.\0]/.test(key) && key.length <= 100 && key.isWellFormed()
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true
  return isJsonArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
}

/** A list of texts says something of the whole: the elements, the authors. */
function isPerAtom(value: Json, atoms: number): boolean {
  return isJsonArray(value) && value.length === atoms && !value.every((item) => typeof item === 'string')
}

/** Tells whether one of the values is there, and not 0. */
export function saysSomething(value: Json): boolean {
  if (isJsonArray(value)) return value.some(saysSomething)
  return value !== null && value !== 0 && value !== false && value !== ''
}

/** Tells whether a value comes out of JSON as the file has it. */
function isExact(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isExact)
  if (isJsonObject(value)) return Object.entries(value).every(([key, inner]) => isPlainName(key) && isExact(inner))
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  return (
    typeof value !== 'number' || (Number.isFinite(value) && (!Number.isInteger(value) || Math.abs(value) < 2 ** 53))
  )
}

/** An array as numpy arrays are written in JSON, as nested lists; all else as it is. */
function unpackNumpy(value: Json): Json {
  if (!isJsonObject(value)) return value
  const [array, ...others] = Object.entries(value)
  if (array === undefined || others.length > 0 || array[0] !== '__ndarray__') return value
  const [shape, , list] = isJsonArray(array[1]) ? array[1] : []
  const [, width] = isJsonArray(shape) ? shape : []
  if (!isJsonArray(list)) return value
  if (typeof width !== 'number' || width < 1 || isJsonArray(list[0])) return list
  return Array.from({ length: Math.ceil(list.length / width) }, (_, row) => list.slice(row * width, (row + 1) * width))
}

function shapeOf(value: Json): string {
  if (!isJsonArray(value)) return ''
  const [first] = value
  const isTable = isJsonArray(first) && value.every((row) => isJsonArray(row) && row.length === first.length)
  return isTable ? ` (${value.length} × ${first.length})` : ` (${value.length})`
}

const MOST_NAMED = 60

/** Names what of a file is in no record. */
export function leftOutWarning(names: readonly string[]): readonly StructureWarning[] {
  return told('left-out', 'Left out', names)
}

/** Names what of a structure, and of its file, the file that is written has no place for. */
export function notWrittenWarning(names: readonly string[]): readonly StructureWarning[] {
  return told('not-written', 'Not written', names)
}

/** The paths of what of a file a record would keep. */
export function namesIn(values: JsonObject): readonly string[] {
  return leavesOf(values, '')
}

function told(code: string, what: string, names: readonly string[]): readonly StructureWarning[] {
  if (names.length === 0) return []
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return [{ code, message: `${what}: ${names.slice(0, MOST_NAMED).join(', ')}${more}.` }]
}

function leavesOf(object: JsonObject, path: string): readonly string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    isJsonObject(value) ? leavesOf(value, `${path}${key}.`) : [shorten(`${path}${key}`)],
  )
}
