import { type Json, setOwnField } from '../../../../kernel/json.ts'
import type { Rest } from '../../../../structure/crystal.ts'
import { wordsOf } from '../../../../structure/formats/common/text.ts'
import type { ElementReader, Tag } from './xml-elements.ts'
import { valueIn } from './xml-values.ts'

/** Texts of one place: the first of them, as long as they are short. */
interface ElementEntry {
  readonly path: readonly string[]
  count: number
  /** Numbers of the first. */
  readonly width: number
  /** Values while they are few; empty when they are many. */
  values: Json[]
  length: number
}

/** Elements that only hold others, and have no name that says what. */
const PLAIN = new Set(['array', 'varray', 'set', 'r', 'rc', 'c', 'v', 'i'])
/** Elements whose names say enough of them. */
const NAMED = new Set(['i', 'v', 'array', 'varray', 'separator', 'structure'])
/** Elements that describe others. */
const DESCRIPTIONS = new Set(['field', 'dimension'])
/** Characters that are kept of what is said at one place. */
const LONGEST = 1024
const MOST_PLACES = 2000
const MOST_VALUES = 8

/** Elements that no reader uses, by their places in the document: small values, and for the others how many there are. */
export class UnusedElements {
  readonly #said = new Map<string, ElementEntry>()
  #further = 0

  /** Reader of an element that is not used, in an element with that path. */
  reader(tag: Tag, path: readonly string[]): ElementReader {
    const own = pathOf(tag, path)
    return {
      within: (inner) => this.reader(inner, own),
      end: (text) => {
        if (text.trim() !== '' && !DESCRIPTIONS.has(tag.name)) this.add(own, tag, text)
      },
    }
  }

  /** Takes what an element says at a place. */
  add(path: readonly string[], tag: Tag, text: string): void {
    const key = path.join('\0')
    const said = this.#said.get(key) ?? this.#begin(key, path, text)
    if (said === null) return
    said.count++
    said.length += text.length
    if (said.length > LONGEST || said.count > MOST_VALUES) said.values = []
    else said.values.push(valueIn(tag, text))
  }

  /** Takes a value that a reader has set aside. */
  keep(path: readonly string[], value: Json): void {
    const text = JSON.stringify(value)
    this.#said.set(path.join('\0'), { path, count: 1, width: 1, values: [value], length: text.length })
  }

  #begin(key: string, path: readonly string[], text: string): ElementEntry | null {
    if (this.#said.size >= MOST_PLACES) {
      this.#further++
      return null
    }
    const said = { path, count: 0, width: wordsOf(text).length, values: [], length: 0 }
    this.#said.set(key, said)
    return said
  }

  get rest(): Rest {
    const values: Record<string, Json> = {}
    const leftOut: string[] = []
    for (const said of this.#said.values()) {
      const [first] = said.values
      const isSet = first !== undefined && set(values, said.path, said.count === 1 ? first : said.values)
      if (!isSet) leftOut.push(`${said.path.join('.')} (${said.count}${said.width > 1 ? ` × ${said.width}` : ''})`)
    }
    if (this.#further > 0) leftOut.push(`further elements (${this.#further})`)
    return { values, leftOut }
  }
}

/** Names by which a place is called: those that elements have, or else what they are. */
export function pathOf({ name, attributes }: Tag, path: readonly string[]): readonly string[] {
  const { name: given, comment, param } = attributes
  const said = (given ?? '').trim()
  if (said !== '') return [...path, NAMED.has(name) ? said : `${name} ${said}`]
  if (PLAIN.has(name)) return path
  const about = comment ?? param
  return [...path, about === undefined ? name : `${name} ${about}`]
}

/** Sets a value at a path; false where a value is on the way, or already there. */
function set(values: Record<string, Json>, path: readonly string[], value: Json): boolean {
  let inner = values
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(inner, name)) setOwnField(inner, name, {})
    const next: unknown = inner[name]
    if (!isOpen(next)) return false
    inner = next
  }
  const last = path.at(-1)
  if (last === undefined || Object.hasOwn(inner, last)) return false
  setOwnField(inner, last, value)
  return true
}

function isOpen(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
