import { clip } from '../parse/parse-context.ts'
import { type Inquiry, pathWithoutIndexes } from './inquiry.ts'
import { suggestPaths } from './suggest-paths.ts'
import { QUERY_WARNINGS } from './warnings.ts'

/** What a request does with a field, and what comes of it when no record has it. */
export type Use = 'condition' | 'absence' | 'sort' | 'inclusion' | 'exclusion'

const CONSEQUENCES: Readonly<Record<Use, string>> = {
  condition: 'so the condition holds for none of them',
  absence: 'so the condition holds for all of them',
  sort: 'so it orders nothing',
  inclusion: 'so nothing of that name is in the answer',
  exclusion: 'so nothing is left out',
}

/**
 * Warns of a path that no visible record has. What may well be meant is let pass: a field of the description that is only selected, the
 * absence of a field that is not nearly another one.
 */
export function warnOfUnknownField(inquiry: Inquiry, parts: readonly string[], place: string, use: Use): void {
  const { guide, warnings, knowledge, hasRecords } = inquiry
  const path = pathWithoutIndexes(parts)
  const mayBeMeant = guide.documented.has(path)
  if (mayBeMeant && (!hasRecords || (use !== 'condition' && use !== 'sort'))) return
  const suggestions = mayBeMeant ? [] : suggestPaths(path, knowledge, guide)
  if (suggestions.length === 0 && (use === 'absence' || !hasRecords)) return
  const who = hasRecords ? `None of the ${guide.many} that you can see has` : `No field of ${guide.many} is`
  const message = `${who} ${quotedPath(parts.join('.'))}, ${CONSEQUENCES[use]}.`
  const hint = suggestions.length === 0 ? undefined : `Did you mean ${suggestions.map(quotedPath).join(' or ')}?`
  warnings.add(QUERY_WARNINGS.unknownField, path, place, message, hint)
}

function quotedPath(path: string): string {
  return `"${clip(path, 120)}"`
}
