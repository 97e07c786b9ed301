import { nearestName } from '../../kernel/names.ts'
import type { FieldGuide } from './field-guide.ts'
import type { FieldKnowledge } from './field-knowledge.ts'

/** Paths of records among which one that is meant is looked for; beside them, those that the kind of record has by its description. */
const MOST_PATHS = 2000
/** More suggestions are no help. */
const MOST_SUGGESTIONS = 3

const suggested = new WeakMap<FieldKnowledge, Map<string, readonly string[]>>()

/**
 * The paths that may have been meant by one that no visible record has, likeliest first: all of them are of visible records or of the
 * description of their kind. Remembered for as long as the knowledge is.
 */
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
