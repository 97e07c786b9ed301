import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'
import type { FilterNode } from '../ast/filter.ts'
import type { SortKey } from '../ast/list-request.ts'

/**
 * Names the top-level fields that a filter and a sort look at: a document with these alone matches and sorts like the whole
 * one. Null when that is not known.
 */
export function neededFields(filter: FilterNode, sort: readonly SortKey[]): ReadonlySet<string> | null {
  const names = new Set(sort.map((key) => key.path.parts[0] as string))
  return collectFields(filter, names) ? names : null
}

function collectFields(filter: FilterNode, names: Set<string>): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'nor':
      return filter.clauses.every((clause) => collectFields(clause, names))
    case 'field':
      names.add(filter.path.parts[0] as string)
      return true
    case 'expr':
      return collectFromExpression(filter.source, names)
  }
}

/** Variables that hold the whole document, and operators that name a field without a `$`. */
const WHOLE = /^\$\$(ROOT|CURRENT)\b/
const NAMES_FIELDS = ['$getField', '$setField', '$unsetField']

/** Takes every text that may be a path for one: a field too many does no harm. */
function collectFromExpression(source: Json, names: Set<string>): boolean {
  if (typeof source === 'string') {
    if (WHOLE.test(source)) return false
    if (source.startsWith('$') && !source.startsWith('$$')) names.add(source.slice(1).split('.', 1)[0] as string)
    return true
  }
  if (isJsonArray(source)) return source.every((item) => collectFromExpression(item, names))
  if (!isJsonObject(source)) return true
  return Object.entries(source).every(([key, value]) => {
    return !NAMES_FIELDS.includes(key) && collectFromExpression(value, names)
  })
}
