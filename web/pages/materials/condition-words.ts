import type { Condition } from '../../query/conditions.ts'
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
      return rangeWords(titleOf(collection, condition.path), condition.min, condition.max)
    case 'other':
      return JSON.stringify(condition.query)
  }
}

function rangeWords(title: string, min: number | null, max: number | null): string {
  if (min === null) return `${title} ≤ ${numberText(max ?? 0)}`
  return max === null ? `${title} ≥ ${numberText(min)}` : `${title} ${numberText(min)} – ${numberText(max)}`
}

export function titleOf(collection: Collection, path: string): string {
  return columnAt(collection, path).title
}
