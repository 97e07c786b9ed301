import { pagePath } from '../../../src/page/addresses.ts'

/** Of fewer there is nothing to compare, more have no room side by side. */
export const [FEWEST, MOST] = [2, 6]

/** Whether so many records can be compared. */
export function isComparable(count: number): boolean {
  return count >= FEWEST && count <= MOST
}

/** The page that shows these materials side by side; with `isLaid`, their crystals on each other. */
export function comparePath(ids: Iterable<string>, isLaid = false): string {
  return `${pagePath('compare')}?ids=${[...ids].map(encodeURIComponent).join(',')}${isLaid ? '&crystals=overlaid' : ''}`
}

/** Ids that an address names, each once. */
export function idsIn(search: URLSearchParams): readonly string[] {
  return [...new Set((search.get('ids') ?? '').split(',').filter((id) => id !== ''))]
}

/** Whether an address asks for the crystals on each other. */
export function isLaidIn(search: URLSearchParams): boolean {
  return search.get('crystals') === 'overlaid'
}
