import type { Condition, Word } from '../../query/conditions.ts'
import { numberText } from './cell-text.ts'
import { type Collection, columnAt, valueWords } from './collections.ts'

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
      return rangeWords(titleOf(collection, condition.path), condition)
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

function rangeWords(title: string, { min, max, open }: Extract<Condition, { kind: 'range' }>): string {
  const [low, high] = [numberText(min ?? 0), numberText(max ?? 0)]
  const isOpen = (end: 'min' | 'max'): boolean => open === end || open === 'both'
  if (min === null) return `${title} ${isOpen('max') ? '<' : '≤'} ${high}`
  if (max === null) return `${title} ${isOpen('min') ? '>' : '≥'} ${low}`
  return open === undefined
    ? `${title} ${low} – ${high}`
    : `${low} ${isOpen('min') ? '<' : '≤'} ${title} ${isOpen('max') ? '<' : '≤'} ${high}`
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

/** Fields that people ask for and that are no column and no filter. */
const TITLES: Readonly<Record<string, string>> = {
  _id: 'Id',
  anonymousFormula: 'Formula of letters',
  description: 'Description',
  elementClasses: 'Class of elements',
  oxidationStates: 'Oxidation state',
  'prototype.name': 'Prototype',
  'prototype.strukturbericht': 'Strukturbericht',
  'spaceGroup.number': 'Space group',
  'spaceGroup.pointGroup': 'Point group',
}

function titleOf(collection: Collection, path: string): string {
  const { title } = columnAt(collection, path)
  return title === path ? (TITLES[path] ?? path) : title
}
