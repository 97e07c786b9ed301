import type { FilterNode } from '../ast/filter.ts'
import type { SortKey } from '../ast/list-request.ts'
import { pathsRead } from '../expressions/paths-read.ts'

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
    case 'expr': {
      const paths = pathsRead(filter.expression)
      for (const [name] of paths ?? []) names.add(name as string)
      return paths !== null
    }
  }
}
