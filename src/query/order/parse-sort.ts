import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'
import type { SortKey } from '../ast/list-request.ts'
import { atIndex, atKey, type ParseContext, refusal, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { parseFieldName } from '../paths.ts'
import { plainValue } from '../values/extended-json.ts'

/** A key of a sort that was probably meant. */
type MeantKey = readonly [path: string, direction: 1 | -1]

const DIRECTION_WORDS = new Map<string, 1 | -1>([
  ['asc', 1],
  ['ascending', 1],
  ['desc', -1],
  ['descending', -1],
])
const DIRECTIONS = new Map<string, 1 | -1>([...DIRECTION_WORDS, ['1', 1], ['+1', 1], ['-1', -1]])

/** Longer than what anybody writes by hand. */
const LONGEST = 200

/** Finds what was probably meant by a sort as other systems take it: `name,desc`, `name:desc`, `-name,formula`; null where nothing. */
export function meantSort(text: string): readonly MeantKey[] | null {
  if (text.length > LONGEST) return null
  const keys: MeantKey[] = []
  for (const item of text.replaceAll(/[{}[\]"']/g, '').split(',')) {
    const [word = '', second, ...others] = item.trim().split(/[\s:=]+/)
    const direction = DIRECTIONS.get((second ?? 'asc').toLowerCase())
    const alone = second === undefined ? DIRECTIONS.get(word.toLowerCase()) : undefined
    const last = keys.at(-1)
    if (alone !== undefined && last !== undefined) keys[keys.length - 1] = [last[0], alone]
    else if (direction === undefined || others.length > 0 || !/^[+-]?[^+-]/.test(word)) return null
    else keys.push(word.startsWith('-') ? [word.slice(1), -1] : [word.replace(/^\+/, ''), direction])
  }
  return keys.length === 0 ? null : keys
}

/** Writes a sort as the object that a projection takes. */
export function printSort(keys: readonly MeantKey[]): string {
  return `{${keys.map(([path, direction]) => `${JSON.stringify(path)}:${direction}`).join(',')}}`
}

/** Sorting by more keys than this tells nothing more about the order of documents. */
const MAX_SORT_KEYS = 32

type Signs = ReadonlyMap<Json, 1 | -1>

interface Directions {
  readonly signs: Signs
  /** Ends the sentence "The direction must be …". */
  readonly expected: string
}

const DIRECTION_NUMBERS: Signs = new Map([
  [1, 1],
  [-1, -1],
])
const IN_OBJECTS: Directions = { signs: DIRECTION_NUMBERS, expected: '1 (ascending) or -1 (descending)' }
const IN_LISTS: Directions = {
  signs: new Map<Json, 1 | -1>([...DIRECTION_WORDS, ...DIRECTION_NUMBERS]),
  expected: '"asc", "desc", 1 or -1',
}

/** Reads a sort: MongoDB's `{"a":1,"b":-1}`, or Meteor's lists `[["a","asc"],["b","desc"]]` and `["a",["b","desc"]]` with words. */
export function parseSort(json: Json, context: ParseContext): readonly SortKey[] {
  const keys = isJsonArray(json) ? keysOfList(json, context) : keysOfObject(json, context)
  if (keys.length > MAX_SORT_KEYS) {
    throw refuse(context, `The sort at ${context.place} has ${keys.length} keys; at most ${MAX_SORT_KEYS} are allowed.`)
  }
  refuseRepeats(keys, context)
  return keys
}

function keysOfObject(json: Json, context: ParseContext): SortKey[] {
  if (!isJsonObject(json)) {
    const meant = typeof json === 'string' ? meantSort(json) : null
    const hint = `Write "sort":${meant === null ? '{"formula":1}' : printSort(meant)}.`
    throw refuse(context, `${context.place} must be an object of fields and directions, given ${show(json)}.`, hint)
  }
  return Object.entries(json).map(([name, direction]) => parseKey(name, direction, IN_OBJECTS, atKey(context, name)))
}

function keysOfList(items: readonly Json[], context: ParseContext): SortKey[] {
  return items.map((item, index) => {
    const at = atIndex(context, index)
    if (typeof item === 'string') return bareKey(item, at)
    if (!isJsonArray(item) || item.length !== 2 || typeof item[0] !== 'string') {
      throw refuse(at, `${at.place} must be a field name or a pair, given ${show(item)}.`, 'Write ["formula","desc"].')
    }
    const [name, direction = null] = item
    return parseKey(name, direction, IN_LISTS, at)
  })
}

/** A name alone sorts ascending. A direction alone is most likely a pair that lost its brackets: it is not guessed at. */
function bareKey(name: string, context: ParseContext): SortKey {
  if (DIRECTION_WORDS.has(name)) {
    throw refuse(
      context,
      `${context.place} is ${show(name)}, a direction where a field is expected.`,
      `Write each field and its direction as a pair: [["formula","${name}"]].`,
    )
  }
  refuseSign(name, context)
  return { path: parseFieldName(name, context), direction: 1 }
}

/** A sign before a name is how addresses write a direction; here it would be part of the name, and no record has such a field. */
function refuseSign(name: string, context: ParseContext): void {
  const meant = /^[+-]/.test(name) ? meantSort(name) : null
  if (meant === null) return
  throw refuse(
    context,
    `${context.place} has the direction in the name of the field.`,
    `Write "sort":${printSort(meant)}; a sign before the name is for addresses alone.`,
  )
}

function parseKey(name: string, direction: Json, { signs, expected }: Directions, context: ParseContext): SortKey {
  refuseSign(name, context)
  const path = parseFieldName(name, context)
  const sign = signs.get(plainValue(direction, context))
  if (sign === undefined) {
    const meant = typeof direction === 'string' ? meantSort(`${name} ${direction}`) : null
    const hint = meant === null ? undefined : `Write "sort":${printSort(meant)}.`
    throw refuse(context, `The direction at ${context.place} must be ${expected}, given ${show(direction)}.`, hint)
  }
  return { path, direction: sign }
}

function refuseRepeats(keys: readonly SortKey[], context: ParseContext): void {
  const seen = new Set<string>()
  for (const { path } of keys) {
    if (seen.has(path.text)) throw refuse(context, `The sort at ${context.place} has ${show(path.text)} twice.`)
    seen.add(path.text)
  }
}

function refuse(context: ParseContext, message: string, hint?: string): Error {
  return refusal(context, QUERY_ERRORS.invalidSort, message, hint)
}
