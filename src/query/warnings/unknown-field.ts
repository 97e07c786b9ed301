import { nearestName } from '../../kernel/names.ts'
import { warning } from '../../kernel/warnings.ts'
import { clip } from '../context.ts'
import { type FieldGuide, type FieldKnowledge, type Inquiry, pathWithoutIndexes } from './field-knowledge.ts'
import { QUERY_WARNINGS } from './warnings.ts'

/** Paths of records among which one that is meant is looked for; beside them, those that the kind of record has by its description. */
const MOST_PATHS = 2000
/** More suggestions are no help. */
const MOST_SUGGESTIONS = 3

const suggested = new WeakMap<FieldKnowledge, Map<string, readonly string[]>>()

/** Paths that may have been meant by one that no visible record has, likeliest first. Remembered for as long as the knowledge is. */
export function suggestPaths(path: string, knowledge: FieldKnowledge, guide: FieldGuide): readonly string[] {
  const known = suggested.get(knowledge) ?? new Map<string, readonly string[]>()
  suggested.set(knowledge, known)
  let paths = known.get(path)
  if (paths === undefined) {
    paths = findPaths(path, knowledge, guide)
    known.set(path, paths)
  }
  return paths
}

function findPaths(path: string, knowledge: FieldKnowledge, guide: FieldGuide): readonly string[] {
  const candidates = new Set([...knowledge.paths(MOST_PATHS), ...guide.documented])
  const wanted = squeezed(path)
  const same = [...candidates].filter((candidate) => squeezed(candidate) === wanted)
  if (same.length > 0) return same.slice(0, MOST_SUGGESTIONS)
  const elsewhere = guide.otherNames.get(wanted)
  if (elsewhere !== undefined) return [elsewhere]
  const near = nearestName(path, candidates)
  if (near !== null) return [near]
  // `number` for `spaceGroup.number`: the name is right, but not where it is.
  const below = [...candidates].filter((candidate) => squeezed(candidate).endsWith(`.${wanted}`))
  return below.length <= MOST_SUGGESTIONS ? below : []
}

/** Small letters, digits and dots: `n_sites`, `NSites` and `nSites` are one. */
function squeezed(path: string): string {
  return path.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '')
}

/** Use of a field by a request. */
export type Use = 'condition' | 'absence' | 'sort' | 'inclusion' | 'exclusion' | 'reading' | 'values'

const CONSEQUENCES: Readonly<Record<Exclude<Use, 'condition' | 'absence'>, string>> = {
  sort: 'so it orders nothing',
  inclusion: 'so nothing of that name is in the answer',
  exclusion: 'so nothing is left out',
  reading: 'so nothing is read from it',
  values: 'so it has no values',
}

/** Uses of which nothing comes without the field. */
const NEEDED: ReadonlySet<Use> = new Set(['condition', 'sort', 'values'])

/**
 * Warns of a path that no visible record has. A described field that is only selected, and an absence, may well be meant. `consequence` is what comes of a
 * condition, where that is known.
 */
export function warnOfUnknownField(
  inquiry: Inquiry,
  { parts, place, use }: UnknownField,
  consequence: string | null = use === 'condition' || use === 'absence' ? null : CONSEQUENCES[use],
): void {
  const { guide, warnings, knowledge } = inquiry
  const path = pathWithoutIndexes(parts)
  const isWithIndex = path !== parts.join('.') && knowledge.kindsAt(path)?.size !== 0
  const mayBeMeant = guide.documented.has(path) && !isWithIndex
  const hasRecords = knowledge.hasRecords()
  if (mayBeMeant && (!hasRecords || !NEEDED.has(use))) return
  const suggestions = mayBeMeant ? [] : suggestPaths(path, knowledge, guide)
  if (suggestions.length === 0 && (use === 'absence' || !hasRecords)) return
  const who = hasRecords ? `None of the ${guide.many} that you can see has` : `No field of ${guide.many} is`
  const message = `${who} ${quotedPath(parts.join('.'))}${consequence === null ? '' : `, ${consequence}`}.`
  const hint = suggestions.length === 0 ? undefined : `Did you mean ${suggestions.map(quotedPath).join(' or ')}?`
  warnings.add(path, warning(QUERY_WARNINGS.unknownField, place, message, hint))
}

/** A path that no visible record has, where a request names it, and what for. */
export interface UnknownField {
  readonly parts: readonly string[]
  readonly place: string
  readonly use: Use
}

function quotedPath(path: string): string {
  return `"${clip(path, 120)}"`
}
