import type { Condition, Word } from '../../query/conditions.ts'
import { readSpaceGroup, symbolOfGroup } from '../../query/search-line/tables.ts'
import { numberText } from './cell-text.ts'
import { type Collection, type Column, columnAt, valueWords } from './collections.ts'

const [GROUP_SYMBOL, GROUP_NUMBER] = ['spaceGroup.symbol', 'spaceGroup.number']
const MODES = { all: 'with', any: 'with any of', none: 'without', only: 'only of' } as const

type Values = Extract<Condition, { kind: 'values' }>

/** A piece of what is said: a text, or a value that is printed as that of its field is. */
export type WordPart = string | PrintedPart

interface PrintedPart {
  readonly path: string
  readonly text: string
  /** Of the space group, where it is one. */
  readonly number: number | null
}

/** A condition as text. */
export function wordsOf(condition: Condition, collection: Collection): string {
  return partsOf(condition, collection)
    .map((part) => (typeof part === 'string' ? part : part.text.replaceAll('_', '')))
    .join('')
}

/** A condition as its chip says it. */
export function partsOf(condition: Condition, collection: Collection): readonly WordPart[] {
  const all = (conditions: readonly Condition[], between: string) =>
    joined(
      conditions.map((one) => partsOf(one, collection)),
      between,
    )
  switch (condition.kind) {
    case 'elements':
      return [`${MODES[condition.mode]} ${condition.symbols.join(', ')}`]
    case 'system':
      return [`system ${condition.symbols.join('-')}`]
    case 'name':
      return [`name has “${condition.text}”`]
    case 'values':
      return valuesParts(condition, collection)
    case 'range':
      return [rangeWords(columnAt(collection, condition.path), condition)]
    case 'word':
      return wordParts(condition, collection)
    case 'exists':
      return [`has ${titleOf(collection, condition.path)}`]
    case 'form':
      return [`formula like ${condition.text}`]
    case 'anyOf':
      return all(condition.conditions, ' or ')
    case 'allOf':
      return all(condition.conditions, ' and ')
    case 'noneOf':
      return ['not ', ...all(condition.conditions, ', nor ')]
    case 'other':
      return [JSON.stringify(condition.query)]
  }
}

function joined(lists: readonly (readonly WordPart[])[], between: string): readonly WordPart[] {
  return lists.flatMap((parts, index) => (index === 0 ? parts : [between, ...parts]))
}

function valuesParts({ path, values }: Values, collection: Collection): readonly WordPart[] {
  const isNumber = path === GROUP_NUMBER
  const parts = values.map((value) =>
    isNumber ? groupParts(value) : [printed(path, valueWords(collection, path, value))],
  )
  return [`${titleOf(collection, isNumber ? GROUP_SYMBOL : path)}: `, ...joined(parts, ', ')]
}

function printed(path: string, text: string): PrintedPart {
  return { path, text, number: path === GROUP_SYMBOL ? readSpaceGroup(text) : null }
}

/** A space group by its number, which few know by heart. */
function groupParts(value: unknown): readonly WordPart[] {
  const symbol = typeof value === 'number' ? symbolOfGroup(value) : null
  return symbol === null
    ? [String(value)]
    : [{ path: GROUP_SYMBOL, text: symbol, number: Number(value) }, ` (${value})`]
}

function rangeWords({ title, unit }: Column, { min, max, open }: Extract<Condition, { kind: 'range' }>): string {
  const end = unit === undefined ? '' : ` ${unit}`
  const [low, high] = [numberText(min ?? 0), numberText(max ?? 0)]
  const isOpen = (side: 'min' | 'max'): boolean => open === side || open === 'both'
  if (min === null) return `${title} ${isOpen('max') ? '<' : '≤'} ${high}${end}`
  if (max === null) return `${title} ${isOpen('min') ? '>' : '≥'} ${low}${end}`
  return open === undefined
    ? `${title} ${low} – ${high}${end}`
    : `${low} ${isOpen('min') ? '<' : '≤'} ${title} ${isOpen('max') ? '<' : '≤'} ${high}${end}`
}

/** More fields than these are all that have words. */
const FEW_FIELDS = 2

function wordParts({ text, fields, or = [] }: Word, collection: Collection): readonly WordPart[] {
  const where = fields.length > FEW_FIELDS ? '' : `${fields.map((path) => titleOf(collection, path)).join(' or ')} has `
  const others = or
    .filter(([path]) => !/id$/.test(path))
    .map(([path, value]) => [`${titleOf(collection, path)}: `, printed(path, String(value))])
  return joined([[`${where}“${text}”`], ...others], ' or ')
}

function titleOf(collection: Collection, path: string): string {
  return columnAt(collection, path).title
}
