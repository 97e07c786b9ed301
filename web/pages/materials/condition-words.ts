import type { Condition, Word } from '../../query/conditions.ts'
import { numberText } from './cell-text.ts'
import { type Collection, type Column, columnAt, valueWords } from './collections.ts'

const MODES = { all: 'with', any: 'with any of', none: 'without', only: 'only of' } as const

/** A condition as its chip says it. */
export function wordsOf(condition: Condition, collection: Collection): string {
  switch (condition.kind) {
    case 'elements':
      return `${MODES[condition.mode]} ${condition.symbols.join(', ')}`
    case 'system':
      return `system ${condition.symbols.join('-')}`
    case 'name':
      return `name has “${condition.text}”`
    case 'values':
      return `${titleOf(collection, condition.path)}: ${condition.values.map((value) => valueWords(collection, condition.path, value)).join(', ')}`
    case 'range':
      return rangeWords(columnAt(collection, condition.path), condition)
    case 'word':
      return wordWords(condition, collection)
    case 'exists':
      return `has ${titleOf(collection, condition.path)}`
    case 'form':
      return `formula like ${condition.text}`
    case 'anyOf':
      return condition.conditions.map((one) => wordsOf(one, collection)).join(' or ')
    case 'allOf':
      return condition.conditions.map((one) => wordsOf(one, collection)).join(' and ')
    case 'noneOf':
      return `not ${condition.conditions.map((one) => wordsOf(one, collection)).join(', nor ')}`
    case 'other':
      return JSON.stringify(condition.query)
  }
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

function wordWords({ text, fields, or = [] }: Word, collection: Collection): string {
  const where = fields.length > FEW_FIELDS ? '' : `${fields.map((path) => titleOf(collection, path)).join(' or ')} has `
  return [
    `${where}“${text}”`,
    ...or.filter(([path]) => !/id$/.test(path)).map(([path, value]) => `${titleOf(collection, path)}: ${value}`),
  ].join(' or ')
}

function titleOf(collection: Collection, path: string): string {
  return columnAt(collection, path).title
}
