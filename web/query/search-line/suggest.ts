import { ELEMENT_CLASS_NAMES } from '../../../src/page/elements.ts'
import { CRYSTAL_SYSTEMS } from '../../../src/page/symmetry-names.ts'
import type { JsonObject } from '../conditions.ts'
import { bareName } from './field-names.ts'
import { quoted } from './meaning.ts'
import { ELEMENT_NAMES } from './tables.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What could stand in the place of what is being typed. */
export interface Suggestion {
  readonly title: string
  /** What it is, and how many records have it. */
  readonly kind: string
  readonly count?: number
  /** What is written, from this character of the line to where the typing is. */
  readonly text: string
  readonly from: number
}

/** Values of records that are looked for: the field, what its values are called, the key before them. */
interface ValueField {
  readonly path: string
  readonly kind: string
  readonly key: string
}

const NAME: ValueField = { path: 'name', kind: 'name', key: 'name' }
const TAG: ValueField = { path: 'tags', kind: 'tag', key: 'tag' }
const PROTOTYPE: ValueField = { path: 'prototype.name', kind: 'prototype', key: 'prototype' }

const MOST = 9
const MOST_OF_A_KIND = 3
/** Records that are counted for a suggestion: as long as a person does not wait. */
const BUDGET_MS = 200
const VALUES_ASKED = 30
const SHORTEST = 2
const MOST_WORDS = 3

/** What is being typed: up to three words at the end, the longest first. */
function beginnings(text: string): readonly { readonly from: number; readonly words: string }[] {
  const from = Math.max(...[',', ';', '(', '>', '<', '='].map((sign) => text.lastIndexOf(sign))) + 1
  const starts = [...text.slice(from).matchAll(/\S+/g)].map(({ index }) => from + index)
  return starts
    .slice(-MOST_WORDS)
    .map((start) => ({ from: start, words: text.slice(start).toLowerCase() }))
    .filter(({ words }) => words.length >= SHORTEST)
}

/** The last word, where values of records may be meant by it; null behind a sign, and where it is short. */
export function valueTyped(text: string): string | null {
  const word = /[\p{L}][\p{L}\d-]*$/u.exec(text)?.[0] ?? ''
  return word.length < SHORTEST || /[<>=]\s*[^,]*$/.test(text) ? null : word
}

/** The question that finds values with a word in them. */
export function valuesQuestion(word: string, { hasElements }: Vocabulary): JsonObject {
  const $regex = word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const fields = valueFields(hasElements)
  return {
    query: { $or: fields.map(({ path }) => ({ [path]: { $regex, $options: 'i' } })) },
    facets: fields.map(({ path }) => ({ path, limit: VALUES_ASKED })),
    budgetMs: BUDGET_MS,
  }
}

function valueFields(hasElements: boolean): readonly ValueField[] {
  return hasElements ? [TAG, PROTOTYPE, NAME] : [TAG, NAME]
}

/** Counted values of a field. */
export interface CountedValues {
  readonly path: string
  readonly values?: readonly { readonly value: unknown; readonly count: number }[]
}

/** Suggestions for the end of a text, from what is known and from values that were found. */
export function suggestionsFor(
  text: string,
  vocabulary: Vocabulary,
  found: readonly CountedValues[],
): readonly Suggestion[] {
  const all: Suggestion[] = []
  for (const { from, words } of beginnings(text)) {
    all.push(
      ...knownNames(vocabulary)
        .filter((one) => isBegun(one.title, words))
        .map((one) => ({ ...one, from })),
    )
  }
  const word = valueTyped(text)
  if (word !== null) all.push(...valuesIn(text, word, found))
  const kinds = new Map<string, number>()
  const seen = new Set<string>()
  return all
    .filter(({ kind, text: written }) => {
      const count = (kinds.get(kind) ?? 0) + 1
      kinds.set(kind, count)
      const isNew = !seen.has(written)
      seen.add(written)
      return isNew && count <= MOST_OF_A_KIND
    })
    .slice(0, MOST)
}

function isBegun(title: string, words: string): boolean {
  const name = title.toLowerCase()
  return (
    (name.startsWith(words) || bareName(name).startsWith(bareName(words))) && bareName(words) !== '' && name !== words
  )
}

function valuesIn(text: string, word: string, found: readonly CountedValues[]): readonly Suggestion[] {
  const sought = word.toLowerCase()
  return found.flatMap(({ path, values = [] }) => {
    const field = [TAG, PROTOTYPE, NAME].find((one) => one.path === path)
    return values.flatMap(({ value, count }) => {
      if (field === undefined || typeof value !== 'string' || !value.toLowerCase().includes(sought)) return []
      const { kind, key } = field
      // Where the key is there already, it is not written twice.
      const at = text.length - word.length
      const before = new RegExp(`${key}s?:\\s*"?$`, 'i').exec(text.slice(0, at))?.[0].length ?? 0
      const written = /^[\w-]+$/.test(value) ? value : quoted(value)
      return [{ title: value, kind, count, text: `${key}: ${written}`, from: at - before }]
    })
  })
}

type Known = Omit<Suggestion, 'from'>

function knownNames({ hasElements, aliases, fields }: Vocabulary): readonly Known[] {
  const called = aliases.map(({ title }) => ({ title, kind: 'field', text: `${title} > ` }))
  const own = fields
    .filter(({ path }) => !aliases.some((one) => one.path === path) && !path.includes(':'))
    .flatMap(({ path, types, count }) => {
      const isNumber = types.includes('number')
      if (!isNumber && !types.includes('string')) return []
      return [{ title: path, kind: 'field', count, text: isNumber ? `${path} > ` : `${path}: ` }]
    })
  if (!hasElements) return [...called, ...own]
  return [
    ...ELEMENT_NAMES.map(([symbol, name]) => ({ title: name, kind: `element ${symbol}`, text: symbol })),
    ...CRYSTAL_SYSTEMS.map((name) => ({ title: name, kind: 'crystal system', text: name })),
    ...ELEMENT_CLASS_NAMES.map((name) => ({ title: name, kind: 'class of elements', text: name })),
    ...called,
    ...own,
    ...['space group', 'prototype:', 'tag:', 'formula:'].map((name) => ({
      title: name,
      kind: 'key',
      text: `${name} `,
    })),
  ]
}
