import type { Condition } from '../../query/conditions.ts'

/** What is asked of a list, as it is typed; all of it is in the address. */
export interface Asked {
  /** The text of the search line. */
  readonly search: string
  /** What that text asks; nothing while it is being read. */
  readonly line: readonly Condition[]
  /** What else is asked, of filters and plots: both hold. */
  readonly query: string
  readonly sort: string
  readonly limit: string
  /** How many records come before the page; with `after` it only says so. */
  readonly skip: string
  /** The cursor that the page begins behind. */
  readonly after: string
  /** Paths with commas between them; empty: those of the collection. */
  readonly columns: string
  /** What is drawn: the paths of the axes, and of the colour. */
  readonly x: string
  readonly y: string
  readonly color: string
}

const DEFAULT_LIMIT = '50'
/** The newest first: what somebody has just made is what is looked for. */
export const NEWEST_FIRST = '-createdAt'
const NAMES = ['search', 'query', 'sort', 'limit', 'skip', 'after', 'columns', 'x', 'y', 'color'] as const

/** What an address asks. */
export function readAsked(search: URLSearchParams): Omit<Asked, 'line'> {
  const given = Object.fromEntries(NAMES.map((name) => [name, search.get(name) ?? ''])) as unknown as Asked
  return { ...given, limit: given.limit || DEFAULT_LIMIT }
}

/** The order that is asked for, or that goes without saying. */
export function sortOf({ sort }: Pick<Asked, 'sort'>): string {
  return sort || NEWEST_FIRST
}

/** The path of the page that asks for this; what goes without saying is left out. */
export function listPath(collection: string, asked: Omit<Asked, 'line'>): string {
  const given = {
    ...asked,
    limit: asked.limit === DEFAULT_LIMIT ? '' : asked.limit,
    sort: asked.sort === NEWEST_FIRST ? '' : asked.sort,
  }
  const search = new URLSearchParams()
  for (const name of NAMES) if (given[name] !== '') search.set(name, given[name])
  return search.size === 0 ? `/${collection}` : `/${collection}?${search}`
}
